import type { ReportedFinding } from '../../clause/run-record.ts';
import { PET_STATUSES } from '../../wire/exchange.ts';
import { isCut, type RedactedExchange } from '../../wire/redact.ts';

/** What is expected of the last response of a finding. */
export type Expectation = {
  /** The one status that it should have; undefined if there are several, or if it is not about a status. */
  readonly status: string | undefined;
  /** What else it should have and does not, as Hurl asserts. */
  readonly asserts: readonly string[];
  /** Whether status and asserts are enough to see that the response is still wrong. */
  readonly decides: boolean;
};

/** A Hurl assert that every correct response passes, and whether the recorded response would. */
type Fact = { readonly assert: string; readonly holds: boolean };

type Answer = RedactedExchange['answer'];
type Fields = Readonly<Record<string, unknown>>;

/** `404, or a different animal` is not about a status. */
const STATUS = /^(\d{3})\b(?!, or )/;

/** The expected status of each alternative. Several become one assert. */
function statusFacts(expected: readonly string[], received: string | undefined): { status: string | undefined; facts: readonly Fact[] } {
  const statuses = new Set(expected.map((one) => STATUS.exec(one)?.[1]));
  const [status] = statuses;
  if (statuses.size === 0 || statuses.has(undefined)) return { status: undefined, facts: [] };
  if (statuses.size === 1) return { status, facts: [] };
  const holds = statuses.has(received);
  return { status: undefined, facts: [{ assert: `status toString matches "^(?:${[...statuses].join('|')})$"`, holds }] };
}

/** What a sentence expects of the response, which therefore lacks it. */
function statedFacts(expected: string, exchange: RedactedExchange): readonly string[] {
  const most = /^at most (\d+) animals?$/.exec(expected)?.[1];
  const only = /^only animals with status "(\w+)"$/.exec(expected)?.[1];
  const own = /^"status": (\d+)$/.exec(expected)?.[1];
  const id = /^id (-?\d+)$/.exec(expected)?.[1];
  if (most !== undefined) return [`jsonpath "$" count <= ${most}`];
  if (only !== undefined) return [`jsonpath "$[?@.status != '${only}']" not exists`];
  if (own !== undefined) return [`jsonpath "$.status" == ${own}`];
  if (id !== undefined && exchange.url.endsWith(`/pets/${id}`)) return [`jsonpath "$.id" == ${id}`];
  switch (expected) {
    case 'a status below 500':
      return ['status < 500'];
    case 'any status other than 401 and 403':
      return ['status != 401', 'status != 403'];
    case 'any response that shows no animal':
      return ['body not contains "\\"categoryId\\""'];
    case 'any response, but no new animal':
      return ['status != 201'];
    case 'a WWW-Authenticate header with a Bearer challenge':
      return ['header "WWW-Authenticate" matches "(?i)\\\\bbearer\\\\b"'];
    case 'no Deprecation and no Sunset header':
      return ['header "Deprecation" not exists', 'header "Sunset" not exists'];
    default:
      return [];
  }
}

const isText = (value: unknown): boolean => typeof value === 'string';
const isNumber = (value: unknown): boolean => typeof value === 'number';
const isWhole = (value: unknown): boolean => Number.isInteger(value);
const isStatus = (value: unknown): boolean => value === undefined || PET_STATUSES.some((status) => status === value);
const fieldsOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {});

/** An invalid status in the body: a record may omit the status, which no other assert allows. */
function statusFact(status: unknown): readonly Fact[] {
  if (isStatus(status) || typeof status === 'object') return [];
  return [
    { assert: `body not matches ${quoted(`"status"\\s*:\\s*${JSON.stringify(status).replace(/[!-/:-@[-`{-~]/g, '\\$&')}`)}`, holds: false },
  ];
}

/** What the schemas of the interface require of a body, if the sentence names one. The body shows whether it lacks that. */
function schemaFacts(expected: string, json: unknown): readonly Fact[] {
  const field = (name: string, predicate: string, test: (value: unknown) => boolean): Fact => ({
    assert: `jsonpath "$.${name}" ${predicate}`,
    holds: test(fieldsOf(json)[name]),
  });
  if (/\bError body\b|^a JSON object with code|^application\/json with code/.test(expected)) {
    return [field('code', 'isString', isText), field('message', 'isString', isText), field('status', 'isInteger', isWhole)];
  }
  if (/\barray of Pets\b|^200 with Pets$/.test(expected)) {
    const items: readonly unknown[] = Array.isArray(json) ? json : [];
    const each = (condition: string, name: string, test: (value: unknown) => boolean): Fact => ({
      assert: `jsonpath "$[?${condition}]" not exists`,
      holds: items.every((item) => test(fieldsOf(item)[name])),
    });
    return [
      { assert: 'jsonpath "$" isList', holds: Array.isArray(json) },
      each('!(@.id < 0 || @.id >= 0)', 'id', isNumber),
      each("!(@.name >= '')", 'name', isText),
      each('!(@.categoryId < 0 || @.categoryId >= 0)', 'categoryId', isNumber),
      each(['@.status', ...PET_STATUSES.map((status) => `@.status != '${status}'`)].join(' && '), 'status', isStatus),
    ];
  }
  if (/\ba Pet\b|\bthe created Pet$|^20[01] with the animal$/.test(expected)) {
    return [
      field('id', 'isInteger', isWhole),
      field('name', 'isString', isText),
      field('categoryId', 'isInteger', isWhole),
      ...statusFact(fieldsOf(json)['status']),
    ];
  }
  return expected.startsWith('JSON in UTF-8') ? [{ assert: 'jsonpath "$" exists', holds: json !== undefined }] : [];
}

function headerFacts(expected: string, answer: Answer): readonly Fact[] {
  if (!/\bapplication\/json\b/.test(expected) || answer.kind === 'failed') return [];
  const type = answer.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  return [
    {
      assert: 'header "Content-Type" matches "(?i)^application/json[ \\\\t]*(?:;|$)"',
      holds: /^application\/json[ \t]*(?:;|$)/i.test(type),
    },
  ];
}

/** What was sent for a new animal and must be returned. */
function sentFacts({ expected: [expected = ''], pointer, exchanges }: ReportedFinding): readonly string[] {
  const name = /^(name|categoryId|status) /.exec(expected)?.[1];
  const sent = exchanges.find(({ method }) => method === 'POST')?.requestBody;
  if (name === undefined || pointer !== `/${name}` || sent === undefined) return [];
  const value = fieldsOf(parsed(sent))[name];
  if (typeof value === 'string') return [`jsonpath "$.${name}" == ${quoted(value)}`];
  return Number.isSafeInteger(value) ? [`jsonpath "$.${name}" == ${value}`] : [];
}

/** The parsed value of a JSON text; undefined for any other text. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A Hurl string: all characters that are not plain are escaped, including braces. */
function quoted(text: string): string {
  return `"${text.replace(/[^\w .,:;()-]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)}"`;
}

/** What is expected of the last response of a finding, if Hurl can express it. */
export function expectationOf(finding: ReportedFinding): Expectation {
  const { expected, exchanges } = finding;
  const last = exchanges.at(-1);
  if (last === undefined) return { status: undefined, asserts: [], decides: false };
  const { answer } = last;
  // Hurl sends requests sequentially.
  const concurrent = exchanges.some((one) => one !== last && one.startedAt + one.duration > last.startedAt);
  if (concurrent) return { status: undefined, asserts: [], decides: false };
  if (answer.kind === 'failed') {
    // Hurl fails without a response, and waits longer than a run does.
    const asserts = answer.reason === 'timeout' ? [`duration < ${Math.floor(last.duration)}`] : [];
    return { status: undefined, asserts, decides: true };
  }
  const received = String(answer.status);
  const { status, facts } = statusFacts(expected, received);
  const [only = '', ...others] = expected;
  if (status !== undefined && status !== received) return { status, asserts: [], decides: true };
  const { body = '' } = answer;
  const stated = expected.map((one) => statedFacts(one, last)).find((asserts) => asserts.length > 0) ?? [];
  // It is unknown what a cut body lacks; and of several alternatives none has to hold.
  const implied = others.length > 0 ? [] : [...headerFacts(only, answer), ...(isCut(body) ? [] : schemaFacts(only, parsed(body)))];
  const lacking = [...facts, ...implied].filter(({ holds }) => !holds).map(({ assert }) => assert);
  const asserts = [...stated, ...(others.length > 0 ? [] : sentFacts(finding)), ...lacking];
  return { status, asserts, decides: asserts.length > 0 };
}
