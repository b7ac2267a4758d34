import type { ClauseId, Level } from '../clause/clause.ts';
import type { Verdict } from '../clause/outcome.ts';
import type { CheckRecord } from '../clause/run-record.ts';
import { whenText } from '../report/broken-clauses.ts';
import { tryCommand } from '../report/try-command.ts';
import { TRANSPORT_REASONS } from '../wire/exchange.ts';
import type { RedactedExchange } from '../wire/redacted-exchange.ts';
import type { Impression } from './changes/change.ts';
import type { Turn } from './rotation/turns.ts';
import { cut } from './text.ts';

/** The result of one run for a target. `unknown` is the probe's own fault; it never counts for or against the target. */
export const PROBE_VERDICTS = ['pass', 'degraded', 'fail', 'unknown'] as const;
export type ProbeVerdict = (typeof PROBE_VERDICTS)[number];

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
  readonly check: string;
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

/** In seconds; undefined if the phase did not take place. */
export type Phases = {
  readonly resolve?: number;
  readonly connect?: number;
  readonly tls?: number;
};

/** The result of one scheduled run: the raw fact, recorded whatever follows from it. */
export type Sample = {
  readonly target: string;
  /** Wall clock, milliseconds since 1970, at the start of the run. */
  readonly at: number;
  /** Milliseconds on the monotonic clock. */
  readonly duration: number;
  readonly verdict: ProbeVerdict;
  /** Of the first failure; also for `unknown`. */
  readonly reason?: FailureReason;
  readonly clause?: ClauseId;
  /** One line: why the verdict is what it is. */
  readonly note: string;
  readonly failures: readonly SampleFailure[];
  /** What shows that there is nothing to judge, such as the 401 that every request gets: no clause is blamed for that. */
  readonly shown?: Pick<SampleFailure, 'exchange' | 'command'>;
  /** Checks that had their turn in this run, and failures of earlier turns that no check has passed since. */
  readonly rotation: readonly Turn[];
  readonly clauses: Readonly<Record<Verdict, number>>;
  /** Responses by operation and status code; requests without a response are under `none`. */
  readonly responses: readonly { readonly operation: string; readonly code: string; readonly count: number }[];
  readonly requests: number;
  /** A response took longer than the target's limit, whatever the verdict. */
  readonly slow: boolean;
  /** Status of the first complete response; 0 if there was none. */
  readonly httpStatus: number;
  readonly phases: Phases;
  readonly impressions: readonly Impression[];
  /** The process was delayed or overloaded during the run, which may be why it did not pass. */
  readonly ownFault?: true;
  /** It repeats the run before it, ahead of the interval, to see whether what that one found stays. */
  readonly confirms?: true;
  /** The reason of the maintenance window that the target was in. */
  readonly maintenance?: string;
  /** The earliest end of validity in the chain that the service showed, in seconds since 1970. */
  readonly certificateExpiry?: number;
  /** The earliest end of validity in the file of the client certificate, in seconds since 1970. */
  readonly clientCertificateExpiry?: number;
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

export function reasonOf(check: Pick<CheckRecord, 'clause' | 'findings'>): FailureReason {
  const response = check.findings[0]?.exchanges.at(-1)?.answer;
  if (response?.kind === 'failed') return FAILURE_REASONS.find((reason) => reason === response.reason) ?? 'protocol';
  if (SCHEMA_CLAUSES.test(check.clause)) return 'schema';
  if (STATUS_CLAUSES.test(check.clause) || (response?.kind === 'answered' && response.status >= 500)) return 'status';
  return 'assertion';
}

/** A longer command is not shown: cut, it would do something else. */
const LONGEST_COMMAND = 2_000;

/** An exchange as a failure shows it. */
export function shownOf(exchange: RedactedExchange): NonNullable<Sample['shown']> {
  const { curl } = exchange;
  return { exchange: exchangeText(exchange), ...(curl.length > LONGEST_COMMAND ? {} : { command: curl }) };
}

function commandOf({ clause, contrast, note, findings: [finding] }: CheckRecord): string | undefined {
  if (finding === undefined) return undefined;
  const shown = { summary: note, finding, exchange: finding.exchanges.at(-1), times: 1 };
  const command = tryCommand({ clause: { id: clause }, cases: [shown], contrast }, undefined);
  return command === undefined || command.length > LONGEST_COMMAND ? undefined : command;
}

export function failureOf(check: CheckRecord, level: Level): SampleFailure {
  const exchange = check.findings[0]?.exchanges.at(-1);
  const condition = whenText(check.contrast);
  const command = commandOf(check);
  const summary = check.besideWaivers === undefined ? check.note : `${check.note}; ${check.besideWaivers}`;
  return {
    clause: check.clause,
    level,
    ...(check.newer === undefined ? {} : { newer: check.newer }),
    check: check.id,
    reason: reasonOf(check),
    summary,
    ...(exchange === undefined ? {} : { exchange: exchangeText(exchange) }),
    ...(condition === '' ? {} : { condition }),
    ...(command === undefined ? {} : { command }),
  };
}

export const SMOKE_FORMATS = ['text', 'json', 'junit', 'prometheus'] as const;
export type SmokeFormat = (typeof SMOKE_FORMATS)[number];
