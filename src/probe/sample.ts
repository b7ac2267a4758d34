import type { ClauseId, Level } from '../clause/clause.ts';
import type { Verdict } from '../clause/outcome.ts';
import type { CheckRecord } from '../clause/run-record.ts';
import { conditionOf } from '../report/likely-causes.ts';
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
  readonly check: string;
  readonly reason: FailureReason;
  readonly summary: string;
  /** When the clause is broken, if the run shows it: `only with limit=100`. */
  readonly condition?: string;
  /** The clause whose repair also repairs this one: none of the requests that show it was served. */
  readonly consequenceOf?: ClauseId;
  /** The request and the response that show it, redacted and bounded: for the first failure of a run. */
  readonly exchange?: string;
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
  /** The reason of the maintenance window that the target was in. */
  readonly maintenance?: string;
  /** The earliest end of validity in the chain that the service showed, in seconds since 1970. */
  readonly certificateExpiry?: number;
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

export function failureOf(check: CheckRecord, level: Level): SampleFailure {
  const exchange = check.findings[0]?.exchanges.at(-1);
  const when = conditionOf(check.contrast);
  return {
    clause: check.clause,
    level,
    check: check.id,
    reason: reasonOf(check),
    summary: check.note,
    ...(when === undefined ? {} : { condition: `only ${when}` }),
    ...(exchange === undefined ? {} : { exchange: exchangeText(exchange) }),
  };
}

export const SMOKE_FORMATS = ['text', 'json', 'junit', 'prometheus'] as const;
export type SmokeFormat = (typeof SMOKE_FORMATS)[number];
