import type { FlakyPolicy, RunRecord } from '../clause/run-record.ts';
import { checksNamed } from '../judge/select.ts';
import { isBinding } from '../judge/undecided.ts';
import type { Waiver } from '../judge/waiver-file.ts';
import { waiveChecks } from '../judge/waivers.ts';
import type { SessionOptions } from '../session/session.ts';
import { type Collected, NOTHING_COLLECTED } from './collected.ts';
import { judgeInWorker, type Progress } from './judge-in-worker.ts';
import { type Listing, loadListing } from './listing.ts';
import { makeRecord } from './make-record.ts';

/** What a run was told that its record says or rests on. */
export type RecordOptions = {
  readonly session: SessionOptions;
  readonly reference: boolean;
  readonly strict: boolean;
  readonly only: readonly string[];
  readonly skip: readonly string[];
  /** Known failures. */
  readonly waivers: readonly Waiver[];
  /** What else no longer fits, as sentences: a service that drifted from a baseline. */
  readonly drift: (record: RunRecord) => readonly string[];
  /** Waivers that waive nothing any more are removed afterwards. */
  readonly prunesWaivers?: boolean;
  /** The day it is, for the expiry of waivers. */
  readonly today: Date;
  /** What the selection comes from, where not from the patterns of `only` and `skip`. */
  readonly because?: string | undefined;
  /** Patterns of the checks whose exchanges are kept where they pass. */
  readonly passing?: readonly string[];
  /** Percent of the checks that have to be judged for a green run. */
  readonly minJudged?: number;
  /** What becomes of failures that do not come again. */
  readonly flaky?: FlakyPolicy;
};

export type GateOptions = RecordOptions & {
  /** Modules with clauses from outside, as URLs. */
  readonly ownClauses?: readonly string[];
  /** Aborted with a StopReason: the run ends early, its record is complete for what was judged. */
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
  /** Selected invariants see the exchanges of all checks. */
  readonly wholeTraffic?: boolean;
  /** Ends the run after so many checks that fail it; 0 for never. */
  readonly bail?: number;
  /** Called now and then with the record of what was judged until then: what is left where the run is killed. */
  readonly onCheckpoint?: (record: RunRecord) => void;
};

/** Why a run was ended before it was over: a signal, or what happened, as the beginning of a sentence (`the deadline of 300 s passed`). */
export type StopReason = 'SIGINT' | 'SIGTERM' | { readonly cutShort: string };
/** Milliseconds between two records of what was judged by then. */
const CHECKPOINTS = 2_000;
const KILLED = { cutShort: 'the run did not finish' } as const;

/** Checks that fail the run, waivers and levels considered. */
function failuresOf({ records }: Collected, { strict, waivers, today }: GateOptions, listing: Listing): number {
  const counted = new Set(listing.selected.filter((clause) => strict || isBinding(clause)).map(({ id }) => id));
  return waiveChecks(records, waivers, today).filter(({ verdict, clause }) => verdict === 'fail' && counted.has(clause)).length;
}

/** Judges a server once, thoroughly: the run as one value. Throws SelectionError when nothing is selected. */
export async function runGate(options: GateOptions): Promise<RunRecord> {
  const begin = performance.now();
  const startedAt = new Date().toISOString();
  const { session, only, skip, ownClauses = [], passing = [], bail = 0, wholeTraffic = false } = options;
  const bailed = new AbortController();
  const signal = AbortSignal.any([options.signal, bailed.signal]);
  // A selection may be wrong, which is said before anything is started. Without one the worker alone loads the suites.
  const selection = { only, skip, exhaustive: session.depth !== 'quick', wholeTraffic };
  const named = only.length + skip.length + ownClauses.length + passing.length > 0;
  const checked = named ? await loadListing(selection, ownClauses) : undefined;
  if (checked !== undefined) checksNamed(checked.registry, passing);
  const recordOf = (collected: Collected, listing: Listing, stopped: StopReason | undefined): RunRecord =>
    makeRecord({ options, listing, collected, stopped, startedAt, duration: Math.round(performance.now() - begin) });

  let written = begin;
  function heard(collected: Collected): void {
    const listing = checked ?? collected.listing;
    if (listing === undefined || signal.aborted) return;
    const failures = bail === 0 ? 0 : failuresOf(collected, options, listing);
    if (failures > 0 && failures >= bail) {
      bailed.abort({
        cutShort: `stopped after ${failures} failed ${failures === 1 ? 'check' : 'checks'} (--bail ${bail})`,
      } satisfies StopReason);
    }
    if (options.onCheckpoint === undefined || performance.now() - written < CHECKPOINTS) return;
    written = performance.now();
    options.onCheckpoint(recordOf({ ...collected, internalErrors: [] }, listing, KILLED));
  }

  const collected: Collected = signal.aborted
    ? { records: [], internalErrors: [], ...NOTHING_COLLECTED }
    : await judgeInWorker({ session, selection, ownClauses, passing }, { signal, onProgress: options.onProgress, onStanding: heard });
  const listing = checked ?? collected.listing ?? (await loadListing(selection, ownClauses));
  return recordOf(collected, listing, signal.aborted ? (signal.reason as StopReason) : undefined);
}
