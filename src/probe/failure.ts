// One broken clause of a run, as metrics, alerts, and pages show it.

import type { ClauseId, Level } from '../clause/clause.ts';
import type { ClauseRecord } from '../clause/clause-record.ts';
import { whenText } from '../report/broken-clauses.ts';
import { curlCommand, tryCommand } from '../report/try-command.ts';
import { TRANSPORT_REASONS } from '../wire/exchange.ts';
import type { RedactedExchange } from '../wire/redacted-exchange.ts';
import { cut } from './text.ts';

/** Why a run failed, as a label of a metric: a closed list, so that every series can exist from the start. */
export const FAILURE_REASONS = [...TRANSPORT_REASONS, 'schema', 'status', 'assertion', 'internal'] as const;
export type FailureReason = (typeof FAILURE_REASONS)[number];

const REASON_WORDS: Readonly<Record<string, string>> = {
  dns: 'DNS lookup failed',
  connect: 'no connection',
  tls: 'TLS failed',
  protocol: 'invalid HTTP',
  too_large: 'response too large',
  schema: 'invalid body',
  status: 'wrong status',
  assertion: 'wrong content',
  internal: 'the probe itself',
} satisfies Partial<Record<FailureReason, string>>;

export function reasonWords(reason: string): string {
  return REASON_WORDS[reason] ?? reason;
}

/** One broken clause of a run, in words without a key; only `exchange` has words of the service. */
export type SampleFailure = {
  readonly clause: ClauseId;
  readonly level: Level;
  /** It only warns, because an earlier version of the suite did not judge it. */
  readonly newer?: true;
  readonly reason: FailureReason;
  readonly summary: string;
  /** The clause whose repair also repairs this one: none of the requests that show it was served. */
  readonly consequenceOf?: ClauseId;
  /** The request and the response that show it, redacted and bounded: for the first failure of a run, as the next two. */
  readonly exchange?: string;
  /** When the clause is broken, if the run shows that: `only with limit=13: 3 of 3 responses; otherwise 0 of 57`. */
  readonly condition?: string;
  /** The command that shows it again, with the key taken from $PETSTORE_API_KEY. */
  readonly command?: string;
};

const SCHEMA_CLAUSES = /^(?:record\.pets?|errors\.shape|media\.)/;
const STATUS_CLAUSES =
  /^(?:[a-z]+\.success|auth\.|get\.not-found|list\.(?:limit|status)-accepted|errors\.(?:status-agrees|no-server-error)|deprecation\.still-works)/;

const LONGEST_URL = 300;
const LONGEST_BODY = 800;

/** A request and its response in a few lines: without the host, and with Content-Type as the only header. */
function exchangeText({ method, url, credential, answer: response }: RedactedExchange): string {
  const { pathname = url, search = '' } = URL.parse(url) ?? {};
  const asked = `${method} ${cut(`${pathname}${search}`, LONGEST_URL)}\n(with ${cut(credential, LONGEST_URL)})`;
  if (response.kind === 'failed') return `${asked}\n\nno complete response (${response.reason}): ${cut(response.message, LONGEST_URL)}`;
  const type = response.headers.find(([name]) => name === 'content-type')?.[1];
  const body =
    response.body === undefined
      ? `(${response.size} bytes, not UTF-8)`
      : response.body === ''
        ? '(no body)'
        : cut(response.body, LONGEST_BODY);
  return `${asked}\n\n${response.status}${type === undefined ? '' : `\ncontent-type: ${cut(type, LONGEST_URL)}`}\n\n${body}`;
}

export function reasonOf({ id, findings }: Pick<ClauseRecord, 'id' | 'findings'>): FailureReason {
  const response = findings[0]?.exchanges.at(-1)?.answer;
  if (response?.kind === 'failed') return FAILURE_REASONS.find((reason) => reason === response.reason) ?? 'protocol';
  if (SCHEMA_CLAUSES.test(id)) return 'schema';
  if (STATUS_CLAUSES.test(id) || (response?.kind === 'answered' && response.status >= 500)) return 'status';
  return 'assertion';
}

/** A longer command is not shown: cut, it would do something else. */
const LONGEST_COMMAND = 2_000;

/** An exchange as a failure shows it. */
export function shownOf(exchange: RedactedExchange): Pick<SampleFailure, 'exchange' | 'command'> {
  const command = curlCommand(exchange);
  return { exchange: exchangeText(exchange), ...(command === undefined || command.length > LONGEST_COMMAND ? {} : { command }) };
}

function commandOf(clause: ClauseRecord): string | undefined {
  const { contrast, note } = clause;
  const [finding] = clause.findings;
  if (finding === undefined) return undefined;
  const shown = { summary: note, finding, exchange: finding.exchanges.at(-1), times: 1 };
  const command = tryCommand({ clause, cases: [shown], contrast }, undefined);
  return command === undefined || command.length > LONGEST_COMMAND ? undefined : command;
}

export function failureOf(clause: ClauseRecord): SampleFailure {
  const { id, level, newer, note, besideWaivers } = clause;
  const exchange = clause.findings[0]?.exchanges.at(-1);
  const condition = whenText(clause);
  const command = commandOf(clause);
  return {
    clause: id,
    level,
    ...(newer === undefined ? {} : { newer }),
    reason: reasonOf(clause),
    summary: besideWaivers === undefined ? note : `${note}; ${besideWaivers}`,
    ...(exchange === undefined ? {} : { exchange: exchangeText(exchange) }),
    ...(condition === '' ? {} : { condition }),
    ...(command === undefined ? {} : { command }),
  };
}
