import type { RunRecord } from '../../clause/run-record.ts';
import { REDACTED, type RedactedExchange } from '../../wire/redact.ts';
import { brokenClauses, type Case } from '../broken-clauses.ts';
import { oneLine } from '../text.ts';

/** A header as it is sent; the API key in it is for the format to write as its variable. */
export type StepHeader = { readonly name: string; readonly value: string; readonly holdsKey: boolean };

/** A request of a case, as a file of requests may hold it. */
export type Step = {
  readonly method: string;
  /** Behind the base address. An id that an earlier step was given is between the parts. */
  readonly path: readonly (string | { readonly idOf: number })[];
  readonly headers: readonly StepHeader[];
  readonly body: string | undefined;
  /** Its response has the id of a new animal that a later step needs. */
  readonly makes: boolean;
  readonly curl: string;
  /** Why no file of requests can hold it, or undefined. */
  readonly obstacle: string | undefined;
};

/** What a file says of a failure: its requests in order, the last one with the wrong response. */
export type Failing = {
  readonly title: string;
  readonly expected: string;
  /** The one status that is expected; undefined for others. */
  readonly status: string | undefined;
  /** The status that was received; undefined for no response. */
  readonly received: string | undefined;
  readonly steps: readonly Step[];
};

/** Cases of a clause that are written: those of different kinds come first. */
const CASES = 5;
const CUT = /… \(\d+ characters more\)$/;
const KEY_CREDENTIAL = `Bearer ${REDACTED}`;
const SHELL_KEY = 'Bearer $PETSTORE_API_KEY"';
const OWN = new Set(['accept-encoding', 'user-agent']);
const STATUS = /^(\d{3})\b/;

/** The failures of a run whose exchanges are kept. */
export function failingOf(record: RunRecord): readonly Failing[] {
  return brokenClauses(record).flatMap(({ clause, cases }) =>
    cases
      .filter(({ exchange }) => exchange !== undefined)
      .slice(0, CASES)
      .map((one) => failing(one, { id: clause.id, baseUrl: record.target.baseUrl })),
  );
}

function failing({ summary, finding, exchange }: Case, { id, baseUrl }: { readonly id: string; readonly baseUrl: string }): Failing {
  const statuses = new Set(finding.expected.map((one) => STATUS.exec(one)?.[1]));
  const [status] = statuses;
  return {
    title: oneLine(`${id}: ${summary}`, 300),
    expected: oneLine(finding.expected.join(', or '), 300),
    status: statuses.size === 1 ? status : undefined,
    received: exchange?.answer.kind === 'answered' ? String(exchange.answer.status) : undefined,
    steps: finding.exchanges.map((one, index) =>
      stepOf(one, { baseUrl, before: finding.exchanges.slice(0, index), after: finding.exchanges.slice(index + 1) }),
    ),
  };
}

type Around = { readonly baseUrl: string; readonly before: readonly RedactedExchange[]; readonly after: readonly RedactedExchange[] };

/** The id of the animal that an exchange made, in the digits of the response. */
function madeId({ method, answer }: RedactedExchange): string | undefined {
  return method === 'POST' && answer.kind === 'answered' && answer.status === 201
    ? /"id"\s*:\s*(-?\d+)/.exec(answer.body ?? '')?.[1]
    : undefined;
}

const readsId = ({ url }: RedactedExchange, id: string | undefined): boolean => id !== undefined && url.endsWith(`/pets/${id}`);

function stepOf(exchange: RedactedExchange, { baseUrl, before, after }: Around): Step {
  const { method, url, requestBody, curl } = exchange;
  const maker = before.findIndex((one) => readsId(exchange, madeId(one)));
  const path = url.startsWith(baseUrl) ? url.slice(baseUrl.length) : url;
  const own = madeId(exchange);
  return {
    method,
    path: maker === -1 ? [path] : ['/pets/', { idOf: maker }],
    headers: exchange.requestHeaders.filter(([name]) => !OWN.has(name)).map(([name, value]) => headerOf(exchange, name, value)),
    body: requestBody,
    makes: after.some((one) => readsId(one, own)),
    curl: oneLine(curl, 10_000),
    obstacle: obstacleOf(exchange, baseUrl),
  };
}

/** A key that is wrong stands as it was sent, and the right one as a variable. */
function headerOf({ curl }: RedactedExchange, name: string, value: string): StepHeader {
  const holdsKey = name === 'authorization' && value === KEY_CREDENTIAL && curl.includes(SHELL_KEY);
  return { name, value, holdsKey };
}

function obstacleOf(exchange: RedactedExchange, baseUrl: string): string | undefined {
  const { url, requestBody = '', requestHeaders } = exchange;
  const texts = [
    url,
    requestBody,
    ...requestHeaders.filter(([name, value]) => !headerOf(exchange, name, value).holdsKey).map(([, value]) => value),
  ];
  if (texts.some((text) => text.includes(REDACTED) || CUT.test(text))) return 'the report does not hold the whole request';
  if (!url.startsWith(baseUrl)) return 'it goes to another address';
  return undefined;
}
