import type { CheckRecord, PassingCheck } from '../clause/run-record.ts';
import type { RunEvidence } from '../judge/run-evidence.ts';
import type { Selection } from '../judge/select.ts';
import type { OpenSession } from '../session/open-session.ts';
import type { SessionOptions } from '../session/session.ts';
import type { Listing } from './listing.ts';

/** What the gate asks its worker thread to do: vitest hands it over. */
export type Job = {
  readonly session: SessionOptions;
  readonly selection: Selection;
  /** Modules with clauses from outside, as URLs. */
  readonly ownClauses: readonly string[];
  /** Patterns of the checks whose exchanges are kept. */
  readonly passing: readonly string[];
  /** Name of the BroadcastChannel between the two threads: vitest's own messages tell nothing before a test has ended. */
  readonly channel: string;
};

export type Summary = ReturnType<OpenSession['summary']>;

/** From the worker, first of all: what it is going to judge. */
export type Listed = { readonly kind: 'listed'; readonly listing: Listing };

/** From the worker: how it stands. With a summary every second, so that one is there whatever happens next. */
export type Standing = {
  readonly kind: 'standing';
  readonly summary: Summary | undefined;
  readonly requests: number;
  /** Why it takes longer than usual at the moment. */
  readonly slowBecause: string | undefined;
};

/** To the worker: end what is under way, judge nothing more, sum up. */
export type Stop = { readonly kind: 'stop' };

/** What a test of the worker leaves for the gate. */
export type TestReport =
  | { readonly kind: 'record'; readonly record: CheckRecord }
  | { readonly kind: 'internal-error'; readonly sentence: string }
  | { readonly kind: 'traffic' }
  | { readonly kind: 'unreachable'; readonly sentence: string }
  | { readonly kind: 'mistaken'; readonly sentence: string }
  | {
      readonly kind: 'summary';
      readonly summary: Summary;
      readonly recognized: boolean;
      readonly evidence: RunEvidence;
      /** Of the checks whose exchanges are kept, whatever their verdict. */
      readonly kept: readonly PassingCheck[];
    };

export const HEARTBEAT = 1_000;

declare module 'vitest' {
  interface ProvidedContext {
    conformance: Job;
  }
  interface TaskMeta {
    conformance?: TestReport;
  }
}
