import type { Again } from '../judge/again.ts';
import type { RunData, RunRecordOptions } from '../judge/record.ts';
import type { Progress as RunProgress } from '../judge/run.ts';
import type { SessionOptions } from '../session/session.ts';

export type Job = {
  readonly session: SessionOptions;
  /** The patterns of --only and --skip. */
  readonly only: readonly string[];
  readonly skip: readonly string[];
  /** Modules. */
  readonly ownClauses: readonly string[];
  /** What an earlier run found broken: that alone is sent again. */
  readonly again?: readonly Again[] | undefined;
  /** When the run must end, in milliseconds since 1970: fewer requests are sent if not all fit into the time until then. */
  readonly endsBy?: number | undefined;
  readonly asOf?: string | undefined;
  /** Whether what is known so far is wanted while the run lasts. */
  readonly tellsSoFar: boolean;
};

export type Order = { readonly job: Job; readonly environment: NodeJS.ProcessEnv };

export type Progress = Omit<RunProgress, 'soFar'>;

/** All clauses, and why not all of them are judged. */
export type Listing = Pick<RunRecordOptions, 'registry' | 'selection'>;

/** From the thread, first of all: what it will judge. */
export type Listed = { readonly kind: 'listed'; readonly listing: Listing };

/** From the thread, at least every second. */
export type Progressed = { readonly kind: 'progress'; readonly progress: Progress };

/** From the thread: what the run would say if it was interrupted now. */
export type SoFar = { readonly kind: 'so-far'; readonly data: RunData };

/** From the thread, last of all. */
export type Ended = { readonly kind: 'ended'; readonly data: RunData };

export type FromWorker = Listed | Progressed | SoFar | Ended;

/** To the thread: judge what is known, and end. */
export type Stop = { readonly kind: 'stop' };
