// What a run collects for its record in addition to verdicts: evidence and a summary.

import type { CheckRecord } from '../clause/run-record.ts';
import type { OpenSession } from '../session/open-session.ts';
import type { Operation } from '../wire/exchange.ts';
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
  requests: 0,
};
