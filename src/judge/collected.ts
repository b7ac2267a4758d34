// What a run collects for its record in addition to verdicts: evidence, a summary, the exchanges of passing checks.

import type { CheckRecord, PassingCheck } from '../clause/run-record.ts';
import type { OpenSession } from '../session/open-session.ts';
import type { Operation } from '../wire/exchange.ts';
import type { RedactedExchange } from '../wire/redacted-exchange.ts';
import type { Listing } from './selection.ts';

/** What the conclusion of a run is based on in addition to the verdicts. */
export type RunEvidence = {
  /** Responses that asked to wait (429, and 503 with Retry-After). */
  readonly askedToWait: number;
  /** Operations that were seen to reject a request that they must reject, with any 4xx. */
  readonly rejects: readonly Operation[];
  /** From some moment on the service rejected the API key in every request. */
  readonly lockedOut: boolean;
  /** Numbers of the exchanges that failed while the service returned 5xx to everything. */
  readonly outage: readonly number[];
  /** What no longer held in the closing requests, as sentences; undefined if they were not sent. */
  readonly closing: readonly string[] | undefined;
};

/** The evidence of a run that never began, or did not get to its end. */
export const NO_EVIDENCE: RunEvidence = { askedToWait: 0, rejects: [], lockedOut: false, outage: [], closing: undefined };

/** The evidence of a session, with what its closing requests found. */
export function evidenceOf(open: OpenSession, closing: RunEvidence['closing']): RunEvidence {
  const { askedToWait, rejects, lockedOut, outage } = open.conduct();
  return { askedToWait, rejects, lockedOut, outage, closing };
}

export type Summary = ReturnType<OpenSession['summary']>;

/** The results of a run so far. */
export type Collected = {
  records: readonly CheckRecord[];
  internalErrors: readonly string[];
  /** What it judges; undefined if it never got that far. */
  listing: Listing | undefined;
  /** Why the service can't be reached, if it can't. */
  unreachable?: string | undefined;
  /** Why nothing but the first contact can be judged, if that is so. */
  mistaken?: string | undefined;
  summary: Summary | undefined;
  /** Whether a pet store was seen; undefined if the run did not get to its end. */
  recognized: boolean | undefined;
  evidence: RunEvidence;
  /** Exchanges of the checks that `passing` names, whatever their verdict. */
  kept: readonly PassingCheck[];
  requests: number;
};

export const NOTHING_COLLECTED: Readonly<Collected> = {
  records: [],
  internalErrors: [],
  listing: undefined,
  unreachable: undefined,
  mistaken: undefined,
  summary: undefined,
  recognized: undefined,
  evidence: NO_EVIDENCE,
  kept: [],
  requests: 0,
};

/** The number of different requests of a check that are kept. */
const MOST_OF_A_CHECK = 10;
/** The number of exchanges of a run that are kept: a few kilobytes each, in every report of the run. */
const MOST = 1_000;

type Kept = { readonly exchanges: Map<string, RedactedExchange>; readonly leftOut: Set<string> };

/** What makes requests equal: everything except the trace. */
function requestOf({ method, url, requestHeaders, requestBody, credential }: RedactedExchange): string {
  return JSON.stringify([method, url, requestHeaders, requestBody, credential]);
}

/**
 * Keeps the exchanges of checks while a session is judged: the first different requests of each, and the last of equal ones, because a
 * service may take time to show what it has stored.
 */
export function keepExchanges(open: OpenSession, checks: ReadonlySet<string>): { kept(): readonly PassingCheck[] } {
  const byCheck = new Map<string, Kept>();
  let total = 0;

  function keep(check: string, exchange: RedactedExchange): void {
    const kept = byCheck.get(check) ?? { exchanges: new Map<string, RedactedExchange>(), leftOut: new Set<string>() };
    byCheck.set(check, kept);
    const request = requestOf(exchange);
    const known = kept.exchanges.has(request);
    if (!known && (kept.exchanges.size >= MOST_OF_A_CHECK || total >= MOST)) return void kept.leftOut.add(request);
    if (!known) total += 1;
    // Moved to the end: whatever it reads was created before it.
    kept.exchanges.delete(request);
    kept.exchanges.set(request, exchange);
  }

  if (checks.size > 0) {
    open.recorder.onEveryExchange((exchange) => {
      const check = exchange.request.asker;
      if (check !== undefined && checks.has(check)) keep(check, open.redact(exchange));
    });
  }
  return {
    kept: () =>
      [...byCheck].map(([check, { exchanges, leftOut }]) => ({
        check: check as PassingCheck['check'],
        exchanges: [...exchanges.values()],
        leftOut: leftOut.size,
      })),
  };
}
