import type { CheckRecord, PassingCheck } from '../clause/run-record.ts';
import type { OpenSession } from '../session/open-session.ts';
import type { Listing } from './listing.ts';
import { NO_EVIDENCE, type RunEvidence } from './run-evidence.ts';

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
