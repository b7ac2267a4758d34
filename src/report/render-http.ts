import type { RunRecord } from '../clause/run-record.ts';
import type { RequestGroup, RequestGroups, Step } from './requests.ts';
import { oneLine } from './text.ts';

/** Exchanges of a run as a .http file for editors: VS Code's REST Client sends it as is, others with `apiKey` from their environment. */
export function renderHttp(record: RunRecord, { what, groups }: RequestGroups): string {
  const { tool, target, options } = record;
  const head = [
    `# ${tool.name} ${oneLine(tool.version, 40)}: what ${what} at ${oneLine(target.baseUrl, 300)}, seed ${options.seed}`,
    '# The key is that of PETSTORE_API_KEY; where $processEnv is not known, set apiKey in the environment of the editor. Creations stay in the store.',
    `@baseUrl = ${oneLine(target.baseUrl, 300)}`,
    '@apiKey = {{$processEnv PETSTORE_API_KEY}}',
  ];
  return `${[head.join('\n'), ...groups.flatMap(requestsOf)].join('\n\n')}\n`;
}

function requestsOf({ steps, title, expected, received }: RequestGroup, number: number): string[] {
  const about = [`### ${title}`, `# expected ${expected === '' ? 'see the report' : expected}; received ${received ?? 'no response'}`];
  const obstacle = steps.map(obstacleOf).find((one) => one !== undefined);
  if (obstacle !== undefined) {
    return [[...about, `# Not as a request, because ${obstacle}; as curl:`, ...steps.map(({ curl }) => `# ${curl}`)].join('\n')];
  }
  return steps.map((step, index) => {
    const nth = steps.length === 1 ? [] : [`# ${index + 1} of ${steps.length}`];
    return [...(index === 0 ? about : ['###']), ...nth, ...requestOf(step, { number, index })].join('\n');
  });
}

function obstacleOf({ obstacle, path, headers, body = '', bytes, lacks }: Step): string | undefined {
  if (obstacle !== undefined) return obstacle;
  if (bytes !== undefined) return 'no text shows the bytes of its body';
  if (lacks !== undefined) return lacks === 'accept' ? 'editors always send an Accept header' : 'editors always send a User-Agent header';
  if (headers.some(({ value }) => value !== value.trim() || value === '')) return 'of the spaces around a header value, or of an empty one';
  if (/\r|\n|\{\{/.test(body) || /^(?:###|[<@#]|\s|$)/.test(body) !== (body === '')) return 'of the characters in its body';
  if (path.some((part) => typeof part === 'string' && part.includes('{{'))) return 'of the braces in its address';
  return headers.some(({ value }) => value.includes('{{')) ? 'of the braces in a header value' : undefined;
}

function requestOf(
  { method, path, headers, body, makes }: Step,
  { number, index }: { readonly number: number; readonly index: number },
): string[] {
  const name = (at: number): string => `create${number + 1}_${at + 1}`;
  const target = path.map((part) => (typeof part === 'string' ? part : `{{${name(part.idOf)}.response.body.$.id}}`)).join('');
  return [
    ...(makes ? [`# @name ${name(index)}`] : []),
    `${method} {{baseUrl}}${target}`,
    ...headers.map((header) => `${header.name}: ${header.holdsKey ? 'Bearer {{apiKey}}' : header.value}`),
    ...(body === undefined || body === '' ? [] : ['', body]),
  ];
}
