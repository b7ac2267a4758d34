// The requests of a run in groups that can be sent again: for .http and Hurl files.

import { AT_MOST_ANIMALS, EXPECTED, ONLY_WITH_STATUS, STATUS_IN_BODY, WITH_ID } from '../clause/expected.ts';
import type { PassingCheck, ReportedFinding, RunRecord } from '../clause/run-record.ts';
import { PET_STATUSES, USER_AGENT } from '../wire/exchange.ts';
import { parsed } from '../wire/parsed.ts';
import { isCut, REDACTED } from '../wire/redact.ts';
import type { RedactedExchange } from '../wire/redacted-exchange.ts';
import { brokenClauses, type Case } from './broken-clauses.ts';
import { count, LONGEST_COMMAND, oneLine } from './text.ts';

/** The requests of one case in a file, in order. */
export type RequestGroup = {
  readonly title: string;
  /** What the last response should be, in words; empty if the report only shows it. */
  readonly expected: string;
  /** The one status that is expected of the last response; undefined if it is not about a status. */
  readonly status: string | undefined;
  /** The status of the last response; undefined if there was none. */
  readonly received: string | undefined;
  /** What else the last response should have, as Hurl asserts. */
  readonly asserts: readonly string[];
  /** A remark on the entry: why it has no status, or can't fail. */
  readonly remark: string | undefined;
  /** Whether status and asserts distinguish a correct response from the received one. */
  readonly decides: boolean;
  readonly steps: readonly Step[];
};

/** Groups of a run, and their result. */
export type RequestGroups = { readonly what: 'failed' | 'passed'; readonly groups: readonly RequestGroup[] };

/** The number of cases per clause in the file: those of different kinds come first. */
const CASES = 5;
const CANNOT_FAIL = 'this entry cannot fail: no assert says what is wrong with the response; replay judges it';
const LONGEST_LINE = 300;

/** The failures of a run whose exchanges are kept. */
export function failingOf(record: RunRecord): readonly RequestGroup[] {
  return brokenClauses(record).flatMap(({ clause, cases }) =>
    cases
      .filter(({ exchange }) => exchange !== undefined)
      .slice(0, CASES)
      .map((one) => failing(one, { id: clause.id, baseUrl: record.target.baseUrl })),
  );
}

function failing({ summary, finding, exchange }: Case, { id, baseUrl }: { readonly id: string; readonly baseUrl: string }): RequestGroup {
  const { decides, ...expectation } = expectationOf(finding);
  return {
    title: oneLine(`${id}: ${summary}`, LONGEST_LINE),
    expected: oneLine(finding.expected.join(', or '), LONGEST_LINE),
    ...expectation,
    decides,
    received: exchange === undefined ? undefined : receivedStatus(exchange),
    remark: decides ? undefined : CANNOT_FAIL,
    steps: stepsOf(finding.exchanges, baseUrl),
  };
}

/** The exchanges of passing checks, if they were kept: each response is expected again. */
export function passingOf(record: RunRecord): readonly RequestGroup[] {
  const titles = new Map(record.checks.map(({ id, title }) => [id, title]));
  const largest = largestId(record);
  return (record.passing ?? []).flatMap((passing) => {
    const title = titles.get(passing.check) ?? '';
    return apart(passing.exchanges).map((exchanges) => passed(exchanges, { passing, title, largest, baseUrl: record.target.baseUrl }));
  });
}

type Passed = { readonly passing: PassingCheck; readonly title: string; readonly largest: bigint; readonly baseUrl: string };

function passed(exchanges: readonly RedactedExchange[], { passing, title, largest, baseUrl }: Passed): RequestGroup {
  const last = exchanges.at(-1);
  const received = last === undefined ? undefined : receivedStatus(last);
  const mayDiffer = last !== undefined && mayExistByNow(last, largest);
  const more = passing.leftOut === 0 ? '' : ` (${count(passing.leftOut, 'more request')} not kept)`;
  return {
    title: oneLine(`${passing.check}: ${title}${more}`, LONGEST_LINE),
    expected: received ?? '',
    status: mayDiffer ? undefined : received,
    asserts: [],
    decides: !mayDiffer,
    received,
    remark: mayDiffer ? 'an animal may have this id by now' : undefined,
    steps: stepsOf(exchanges, baseUrl),
  };
}

/** How many ids a service with ascending ids may assign before a file is used. */
const NEXT_IDS = 10_000n;

/** The largest id that the service assigned in the run; 0 if there is none. */
function largestId({ animals }: RunRecord): bigint {
  const ids = animals.created.flatMap(({ id }) => (/^\d{1,19}$/.test(id) ? [BigInt(id)] : []));
  return ids.toSorted((left, right) => Number(right - left))[0] ?? 0n;
}

/** A read of an animal that did not exist yet. */
function mayExistByNow(exchange: RedactedExchange, largest: bigint): boolean {
  const id = /\/pets\/(\d{1,19})$/.exec(exchange.url)?.[1];
  return id !== undefined && receivedStatus(exchange) === '404' && BigInt(id) <= largest + NEXT_IDS;
}

function receivedStatus({ answer: response }: RedactedExchange): string | undefined {
  return response.kind === 'answered' ? String(response.status) : undefined;
}

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

type Outcome = RedactedExchange['answer'];
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
  const most = AT_MOST_ANIMALS.read(expected);
  const only = ONLY_WITH_STATUS.read(expected);
  const own = STATUS_IN_BODY.read(expected);
  const id = WITH_ID.read(expected);
  if (most !== undefined) return [`jsonpath "$" count <= ${most}`];
  if (only !== undefined) return [`jsonpath "$[?@.status != '${only}']" not exists`];
  if (own !== undefined) return [`jsonpath "$.status" == ${own}`];
  if (id !== undefined && exchange.url.endsWith(`/pets/${id}`)) return [`jsonpath "$.id" == ${id}`];
  switch (expected) {
    case EXPECTED.noServerError:
      return ['status < 500'];
    case EXPECTED.keyAccepted:
      return ['status != 401', 'status != 403'];
    case EXPECTED.noAnimalShown:
      return ['body not contains "\\"categoryId\\""'];
    case EXPECTED.noNewAnimal:
      return ['status != 201'];
    case EXPECTED.challenge:
      return ['header "WWW-Authenticate" matches "(?i)\\\\bbearer\\\\b"'];
    case EXPECTED.noRemovalAnnounced:
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

function headerFacts(expected: string, response: Outcome): readonly Fact[] {
  if (!/\bapplication\/json\b/.test(expected) || response.kind === 'failed') return [];
  const type = response.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
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

/** A Hurl string: all characters that are not plain are escaped, including braces. */
function quoted(text: string): string {
  return `"${text.replace(/[^\w .,:;()-]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)}"`;
}

/** What is expected of the last response of a finding, if Hurl can express it. */
export function expectationOf(finding: ReportedFinding): Expectation {
  const { expected, exchanges } = finding;
  const last = exchanges.at(-1);
  if (last === undefined) return { status: undefined, asserts: [], decides: false };
  const { answer: response } = last;
  // Hurl sends requests sequentially.
  const concurrent = exchanges.some((one) => one !== last && one.startedAt + one.duration > last.startedAt);
  if (concurrent) return { status: undefined, asserts: [], decides: false };
  if (response.kind === 'failed') {
    // Hurl fails without a response, and waits longer than a run does.
    const asserts = response.reason === 'timeout' ? [`duration < ${Math.floor(last.duration)}`] : [];
    return { status: undefined, asserts, decides: true };
  }
  const received = String(response.status);
  const { status, facts } = statusFacts(expected, received);
  const [only = '', ...others] = expected;
  if (status !== undefined && status !== received) return { status, asserts: [], decides: true };
  const { body = '' } = response;
  const stated = expected.map((one) => statedFacts(one, last)).find((asserts) => asserts.length > 0) ?? [];
  // It is unknown what a cut body lacks; and of several alternatives none has to hold.
  const implied = others.length > 0 ? [] : [...headerFacts(only, response), ...(isCut(body) ? [] : schemaFacts(only, parsed(body)))];
  const lacking = [...facts, ...implied].filter(({ holds }) => !holds).map(({ assert }) => assert);
  const asserts = [...stated, ...(others.length > 0 ? [] : sentFacts(finding)), ...lacking];
  return { status, asserts, decides: asserts.length > 0 };
}

/** A header as sent; each format writes the API key in it as its variable. */
export type StepHeader = { readonly name: string; readonly value: string; readonly holdsKey: boolean };

/** A request of a case, for a file of requests. */
export type Step = {
  readonly method: string;
  /** Relative to the base address. An id that an earlier step received is between the parts. */
  readonly path: readonly (string | { readonly idOf: number })[];
  /** All except the usual User-Agent. */
  readonly headers: readonly StepHeader[];
  /** A header that every tool sends and this request lacks; undefined if none. */
  readonly lacks: (typeof USUAL)[number] | undefined;
  readonly body: string | undefined;
  /** The body as base64, if no text shows it. */
  readonly bytes: string | undefined;
  /** Its response has the id of a new animal that a later step needs. */
  readonly makes: boolean;
  readonly curl: string;
  /** Why a file of requests can't contain it, or undefined. */
  readonly obstacle: string | undefined;
};

const KEY_CREDENTIAL = `Bearer ${REDACTED}`;
const SHELL_KEY = 'Bearer $PETSTORE_API_KEY"';
/** Headers that tools add unless a request has them. */
const USUAL = ['accept', 'user-agent'] as const;

/** The requests of exchanges that belong together, in order. */
function stepsOf(exchanges: readonly RedactedExchange[], baseUrl: string): readonly Step[] {
  return exchanges.map((one, index) => stepOf(one, { baseUrl, before: exchanges.slice(0, index), after: exchanges.slice(index + 1) }));
}

type Around = { readonly baseUrl: string; readonly before: readonly RedactedExchange[]; readonly after: readonly RedactedExchange[] };

/** The id of the animal that an exchange created, in the digits of the response. */
function madeId({ method, answer: response }: RedactedExchange): string | undefined {
  return method === 'POST' && response.kind === 'answered' && response.status === 201
    ? /"id"\s*:\s*(-?\d+)/.exec(response.body ?? '')?.[1]
    : undefined;
}

const readsId = ({ url }: RedactedExchange, id: string | undefined): boolean => id !== undefined && url.endsWith(`/pets/${id}`);

/** Exchanges in groups that can be sent separately: a creation and the reads of its animal are one. */
function apart(exchanges: readonly RedactedExchange[]): readonly (readonly RedactedExchange[])[] {
  const groups: RedactedExchange[][] = [];
  for (const exchange of exchanges) {
    const group = groups.find((one) => one.some((other) => readsId(exchange, madeId(other))));
    if (group === undefined) groups.push([exchange]);
    else group.push(exchange);
  }
  return groups;
}

function stepOf(exchange: RedactedExchange, { baseUrl, before, after }: Around): Step {
  const { method, url, requestBody, curl } = exchange;
  const maker = before.findIndex((one) => readsId(exchange, madeId(one)));
  const path = url.startsWith(baseUrl) ? url.slice(baseUrl.length) : url;
  const own = madeId(exchange);
  return {
    method,
    path: maker === -1 ? [path] : ['/pets/', { idOf: maker }],
    headers: exchange.requestHeaders
      .filter(([name, value]) => name !== 'user-agent' || value !== USER_AGENT)
      .map(([name, value]) => headerOf(exchange, name, value)),
    lacks: USUAL.find((own) => !exchange.requestHeaders.some(([name]) => name === own)),
    body: requestBody,
    bytes: exchange.requestBytes,
    makes: after.some((one) => readsId(one, own)),
    curl: oneLine(curl, LONGEST_COMMAND),
    obstacle: obstacleOf(exchange, baseUrl),
  };
}

/** A wrong key is written as sent, and the API key as a variable. */
function headerOf({ curl }: RedactedExchange, name: string, value: string): StepHeader {
  const holdsKey = name === 'authorization' && value === KEY_CREDENTIAL && curl.includes(SHELL_KEY);
  return { name, value, holdsKey };
}

function obstacleOf(exchange: RedactedExchange, baseUrl: string): string | undefined {
  const { url, requestBody = '', requestHeaders, partial } = exchange;
  const texts = [
    url,
    requestBody,
    ...requestHeaders.filter(([name, value]) => !headerOf(exchange, name, value).holdsKey).map(([, value]) => value),
  ];
  if (partial === true || texts.some((text) => text.includes(REDACTED) || isCut(text))) return 'the report does not hold the whole request';
  if (!url.startsWith(baseUrl)) return 'it goes to another address';
  return undefined;
}
