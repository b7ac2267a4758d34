import type { PartRecord } from '../clause/part-record.ts';
import type { Summary } from '../judge/collected.ts';
import type { RunOutcome } from '../judge/run.ts';
import type { Listing, Selection } from '../judge/selection.ts';
import type { SessionOptions } from '../session/session.ts';

export type Job = {
  readonly session: SessionOptions;
  readonly selection: Selection;
  /** Seconds in which the run must end, if the service allows few requests per second. */
  readonly timeLimit?: number | undefined;
  readonly ownClauses: readonly string[];
  readonly asOf?: string | undefined;
};

export type Order = { readonly job: Job; readonly environment: NodeJS.ProcessEnv };

/** From the worker, first of all: what it will judge. */
export type Listed = { readonly kind: 'listed'; readonly listing: Listing };

/** From the worker: its progress. Every second it includes a summary, so that there is one whatever happens next. */
export type Standing = {
  readonly kind: 'standing';
  readonly summary: Summary | undefined;
  readonly requests: number;
  /** Why the run is currently slower than usual. */
  readonly slowBecause: string | undefined;
  /** Requests per second that the service was seen to allow. */
  readonly allowedRate: number | undefined;
};

/** From the worker: the verdict on a selected part. */
export type Judged = { readonly kind: 'judged'; readonly record: PartRecord };

/** From the worker, last of all: the result of the run. */
export type Ended = Omit<RunOutcome, 'errors'> & {
  readonly kind: 'ended';
  readonly internalErrors: readonly string[];
  readonly summary: Summary;
  readonly requests: number;
};

export type FromWorker = Listed | Standing | Judged | Ended;

/** To the worker: end the requests in flight, judge nothing more, conclude. */
export type Stop = { readonly kind: 'stop' };

export const HEARTBEAT = 1_000;
