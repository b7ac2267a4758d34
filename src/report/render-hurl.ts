import type { RunRecord } from '../clause/run-record.ts';
import type { RequestGroup, RequestGroups, Step } from './requests.ts';
import { oneLine } from './text.ts';

/** Values without characters that are special to Hurl. */
const PLAIN_BODY = /^[^`\\\p{Cc}]*$/u;
const SAFE_PATH = /^[\w\-./?=&%+~:,;@!$'()*]*$/;

const HINTS = {
  failed: 'An entry fails while its response is still wrong',
  passed: 'An entry passes while its response has the same status',
} as const;
const FILES = { failed: 'failing.hurl', passed: 'passing.hurl' } as const;

/**
 * Exchanges of a run as a Hurl file (hurl.dev): an entry of a failure fails while its response is still wrong. `hurl --variable api_key=…`
 * sets the key.
 */
export function renderHurl(record: RunRecord, { what, groups }: RequestGroups): string {
  const { tool, target, options } = record;
  const entries = groups.filter(({ steps }) => steps.every((step) => obstacleOf(step) === undefined));
  const undecided = entries.filter(({ decides }) => !decides).length;
  const head = [
    `# ${tool.name} ${oneLine(tool.version, 40)}: what ${what} at ${oneLine(target.baseUrl, 300)}, seed ${options.seed}`,
    `# Run: hurl --continue-on-error --variable api_key="$PETSTORE_API_KEY" --variable base_url='${oneLine(target.baseUrl, 300)}' ${FILES[what]}`,
    `# ${HINTS[what]}${undecided === 0 ? '' : `, but for ${undecided} of ${entries.length} that cannot, as their comments say`}. Creations stay in the store.`,
    ...(what === 'failed' ? ['# What only shows after other requests, or among concurrent ones, is judged by replay.'] : []),
  ];
  return `${[head.join('\n'), ...groups.map(entriesOf)].join('\n\n')}\n`;
}

function entriesOf(group: RequestGroup, number: number): string {
  const last = group.steps.length - 1;
  const about = [`# ${group.title}`, ...(group.expected === '' ? [] : [`# expected ${group.expected}`])];
  const obstacle = group.steps.map(obstacleOf).find((one) => one !== undefined);
  if (obstacle !== undefined) {
    return [...about, `# Not as an entry, because ${obstacle}; as curl:`, ...group.steps.map(({ curl }) => `# ${curl}`)].join('\n');
  }
  const entries = group.steps.map((step, index) => entryOf(step, { number, index, judged: index === last ? group : undefined }));
  return [...about, ...entries].join('\n');
}

function obstacleOf({ obstacle, headers, path, lacks }: Step): string | undefined {
  if (obstacle !== undefined) return obstacle;
  if (lacks !== undefined) return lacks === 'accept' ? 'Hurl always sends an Accept header' : 'Hurl always sends a User-Agent header';
  if (headers.some(({ value }) => value !== value.trim() || value === '')) return 'of the spaces around a header value, or of an empty one';
  return path.every((part) => typeof part !== 'string' || SAFE_PATH.test(part)) ? undefined : 'of the characters in its address';
}

type Place = { readonly number: number; readonly index: number; readonly judged: RequestGroup | undefined };

function entryOf({ method, path, headers, body, bytes, makes }: Step, { number, index, judged }: Place): string {
  const variable = (at: number): string => `id_${number + 1}_${at + 1}`;
  const target = path.map((part) => (typeof part === 'string' ? part : `{{${variable(part.idOf)}}}`)).join('');
  const lines = headers.map(({ name, value, holdsKey }) => `${name}: ${holdsKey ? 'Bearer {{api_key}}' : escaped(value)}`);
  const response =
    judged === undefined
      ? ['HTTP *', ...(makes ? ['[Captures]', `${variable(index)}: jsonpath "$.id"`] : [])]
      : [
          `HTTP ${judged.status ?? '*'}`,
          ...(judged.remark === undefined ? [] : [`# it was ${judged.received ?? 'no response'}, and ${judged.remark}`]),
          ...(judged.asserts.length === 0 ? [] : ['[Asserts]', ...judged.asserts]),
        ];
  return [`${method} {{base_url}}${target}`, ...lines, ...bodyLines(body, bytes), ...response].join('\n');
}

/** A value with escaped backslashes, number signs, and braces. */
function escaped(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('#', '\\#').replaceAll('{', '\\u{7b}');
}

/** A body as text if it has no characters that are special to Hurl, or else as its bytes. */
function bodyLines(body: string | undefined, bytes: string | undefined): string[] {
  if (bytes !== undefined) return [`base64,${bytes};`];
  if (body === undefined) return [];
  return PLAIN_BODY.test(body) && !body.includes('{{') ? [`\`${body}\``] : [`base64,${Buffer.from(body).toString('base64')};`];
}
