// What a run collects for its record in addition to verdicts: evidence and a summary.

import type { PartRecord } from '../clause/part-record.ts';
import type { OpenSession } from '../session/open-session.ts';
import type { RunEvidence } from './conclusion.ts';
import type { Listing } from './selection.ts';

export const NO_EVIDENCE: RunEvidence = { askedToWait: 0, rejects: [], lockedOut: false, outage: [], closing: undefined };

export function evidenceOf(open: OpenSession, closing: RunEvidence['closing']): RunEvidence {
  const { askedToWait, rejects, lockedOut, outage } = open.conduct();
  return { askedToWait, rejects, lockedOut, outage, closing };
}

export type Summary = ReturnType<OpenSession['summary']>;

export type Collected = {
  records: readonly PartRecord[];
  internalErrors: readonly string[];
  /** What it judges; undefined if it never got that far. */
  listing: Listing | undefined;
  unreachable?: string | undefined;
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
