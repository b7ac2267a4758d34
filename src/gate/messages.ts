import type { CheckRecord, PassingCheck } from '../clause/run-record.ts';
import type { Summary } from '../judge/collected.ts';
import type { RunOutcome } from '../judge/judge-run.ts';
import type { Listing } from '../judge/listing.ts';
import type { Selection } from '../judge/select.ts';
import type { SessionOptions } from '../session/session.ts';

/** What the gate asks its worker thread to do. */
export type Job = {
  readonly session: SessionOptions;
  readonly selection: Selection;
  /** Modules with clauses from outside, as URLs. */
  readonly ownClauses: readonly string[];
  /** Patterns of the checks whose exchanges are kept. */
  readonly passing: readonly string[];
};

/** What the worker thread is given at its start. */
export type Order = { readonly job: Job; readonly environment: NodeJS.ProcessEnv };

/** From the worker, first of all: what it is going to judge. */
export type Listed = { readonly kind: 'listed'; readonly listing: Listing };

/** From the worker: how it stands. With a summary every second, so that one is there whatever happens next. */
export type Standing = {
  readonly kind: 'standing';
  readonly summary: Summary | undefined;
  readonly requests: number;
  /** Why it takes longer than usual at the moment. */
  readonly slowBecause: string | undefined;
  /** Requests a second that the service was seen to allow. */
  readonly allowedRate: number | undefined;
};

/** From the worker: a check that was selected has its verdict. */
export type Judged = { readonly kind: 'judged'; readonly record: CheckRecord };

/** From the worker, last of all: what came of the run. */
export type Ended = Omit<RunOutcome, 'errors'> & {
  readonly kind: 'ended';
  readonly internalErrors: readonly string[];
  readonly summary: Summary;
  readonly requests: number;
  /** Of the checks whose exchanges are kept, whatever their verdict. */
  readonly kept: readonly PassingCheck[];
};

export type FromWorker = Listed | Standing | Judged | Ended;

/** To the worker: end what is under way, judge nothing more, sum up. */
export type Stop = { readonly kind: 'stop' };

export const HEARTBEAT = 1_000;
