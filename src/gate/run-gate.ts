import type { RunRecord } from '../clause/run-record.ts';
import { type Collected, NOTHING_COLLECTED } from '../judge/collected.ts';
import type { Listing } from '../judge/listing.ts';
import { makeRecord, type RecordOptions, type StopReason } from '../judge/make-record.ts';
import { checksNamed } from '../judge/select.ts';
import { isBinding } from '../judge/undecided.ts';
import { waiveChecks } from '../judge/waivers.ts';
import { judgeInWorker, type Progress } from './judge-in-worker.ts';
import { loadListing } from './load-own-clauses.ts';
import { toolVersion } from './own-package.ts';

export type GateOptions = Omit<RecordOptions, 'version'> & {
  /** Modules with clauses from outside, as URLs. */
  readonly ownClauses?: readonly string[];
  /** Aborted with a StopReason: the run ends early, and its record is complete for what was judged. */
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
  /** Selected invariants see the exchanges of all checks. */
  readonly wholeTraffic?: boolean;
  /** Ends the run after this many checks that fail it; 0 for never. */
  readonly bail?: number;
  /** Called periodically with the record so far: this is what remains if the process is killed. */
  readonly onCheckpoint?: (record: RunRecord) => void;
};

/** Milliseconds between two such records. */
const CHECKPOINTS = 2_000;
const KILLED = { cutShort: 'the run did not finish' } as const;

/** The number of checks that fail the run, given waivers and levels. */
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
  // A selection may be wrong, which is reported before anything is started. Without a selection only the worker loads the suites.
  const selection = { only, skip, exhaustive: session.depth !== 'quick', wholeTraffic };
  const named = only.length + skip.length + ownClauses.length + passing.length > 0;
  const checked = named ? await loadListing(selection, ownClauses) : undefined;
  if (checked !== undefined) checksNamed(checked.registry, passing);
  const recordOf = (collected: Collected, listing: Listing, stopped: StopReason | undefined): RunRecord =>
    makeRecord({
      options: { ...options, version: toolVersion },
      listing,
      collected,
      stopped,
      startedAt,
      duration: Math.round(performance.now() - begin),
    });

  let written = begin;
  function onStanding(collected: Collected): void {
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
    options.onCheckpoint(recordOf(collected, listing, KILLED));
  }

  const collected: Collected = signal.aborted
    ? NOTHING_COLLECTED
    : await judgeInWorker({ session, selection, ownClauses, passing }, { signal, onProgress: options.onProgress, onStanding });
  const listing = checked ?? collected.listing ?? (await loadListing(selection, ownClauses));
  return recordOf(collected, listing, signal.aborted ? (signal.reason as StopReason) : undefined);
}
