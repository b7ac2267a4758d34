import type { ListedClause } from '../clause/clause.ts';
import { type CheckRecord, RUN_RECORD_VERSION, type RunRecord } from '../clause/run-record.ts';
import { boundFindings } from '../judge/bound-findings.ts';
import { clauseRecords, conclude } from '../judge/conclude.ts';
import { selectionNotice } from '../judge/select.ts';
import { settleRecords, unreportedDepartures } from '../judge/settle-records.ts';
import type { Waiver } from '../judge/waiver-file.ts';
import { applyWaivers } from '../judge/waivers.ts';
import { INTERRUPTED } from '../judge/within-bounds.ts';
import type { SessionOptions } from '../session/session.ts';
import { createRedactor } from '../wire/redact.ts';
import { type Collected, judgeInWorker, NOTHING_COLLECTED, type Progress } from './judge-in-worker.ts';
import { type Listing, loadListing } from './listing.ts';
import type { Summary } from './messages.ts';
import { toolVersion } from './own-package.ts';

export type GateOptions = {
  readonly session: SessionOptions;
  readonly reference: boolean;
  readonly strict: boolean;
  readonly only: readonly string[];
  readonly skip: readonly string[];
  /** Known failures. */
  readonly waivers: readonly Waiver[];
  /** What else no longer fits, as sentences: a service that drifted from a baseline. */
  readonly drift: (record: RunRecord) => readonly string[];
  /** The day it is, for the expiry of waivers. */
  readonly today: Date;
  /** Aborted with a StopReason: the run ends early, its record is complete for what was judged. */
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
};

/** Why a run was ended before it was over: a signal, or the deadline, in seconds. */
export type StopReason = 'SIGINT' | 'SIGTERM' | { readonly deadline: number };
type Part = {
  readonly id: CheckRecord['id'];
  readonly title: string;
  readonly clause: ListedClause['id'];
  readonly kind: CheckRecord['kind'];
};

/** The selected checks and invariants, in the order of the registry. */
function partsOf(clauses: readonly ListedClause[]): readonly Part[] {
  return clauses.flatMap((clause) => [
    ...clause.checks.map(({ id, title }) => ({ id, title, clause: clause.id, kind: 'check' as const })),
    ...clause.invariants.map(({ id, title }) => ({ id, title, clause: clause.id, kind: 'invariant' as const })),
  ]);
}

/** One record a part. What an interrupt left without one is inconclusive; anything else without one is an error of ours. */
function recordsOf(parts: readonly Part[], { collected, interrupted }: { collected: Collected; interrupted: boolean }): CheckRecord[] {
  const known = new Map(collected.records.map((record) => [record.id, record]));
  return parts.flatMap(({ id, title, clause, kind }): CheckRecord[] => {
    const record = known.get(id);
    if (record !== undefined) return [record];
    if (!interrupted) {
      if (collected.internalErrors.length === 0) collected.internalErrors.push(`${id} has no verdict`);
      return [];
    }
    const nothing = { note: INTERRUPTED, findings: [], observations: [], duration: 0 };
    return [{ id, clause, kind, title, verdict: 'inconclusive', why: 'choice', ...nothing }];
  });
}

function emptySummary({ readOnly, maxCreates, namePrefix }: SessionOptions): Summary {
  const animals = { created: [], ambiguous: [], budget: readOnly ? 0 : maxCreates, prefix: namePrefix };
  return { animals, operations: [], traits: { headers: {}, members: {} }, departures: [], notices: [] };
}

/** What a green run says nothing of, by the user's choice. */
function leftOutNotices({ registry, selected, leftOut }: Listing, { only, skip }: Pick<GateOptions, 'only' | 'skip'>): string[] {
  const ofSelection = selectionNotice({ registry, selected, only, skip });
  const ofProfile = leftOut === 0 ? [] : [`The quick profile left out ${leftOut} checks that ask much; standard runs them`];
  return [...ofSelection, ...ofProfile];
}

/** Judges a server once, thoroughly: the run as one value. Throws SelectionError when nothing is selected. */
export async function runGate(options: GateOptions): Promise<RunRecord> {
  const begin = performance.now();
  const startedAt = new Date().toISOString();
  const { session, only, skip, strict, signal } = options;
  // A selection may be wrong, which is said before anything is started. Without one the worker alone loads the suites.
  const selection = { only, skip, sweeps: session.profile !== 'quick' };
  const checked = only.length + skip.length > 0 ? await loadListing(selection) : undefined;
  const collected: Collected = signal.aborted
    ? { records: [], internalErrors: [], ...NOTHING_COLLECTED }
    : await judgeInWorker({ session, selection }, { signal, onProgress: options.onProgress });
  const { registry, selected: clauses, leftOut } = checked ?? collected.listing ?? (await loadListing(selection));

  const stopped = signal.aborted ? (signal.reason as StopReason) : undefined;
  const interrupted = typeof stopped === 'string' ? stopped : undefined;
  const deadline = typeof stopped === 'object' ? stopped.deadline : undefined;
  const { unreachable, mistaken } = collected;
  const judged = unreachable === undefined && mistaken === undefined;
  const parts = judged ? recordsOf(partsOf(clauses), { collected, interrupted: stopped !== undefined }) : [];
  const found = settleRecords(parts, { recognized: collected.recognized ?? true, lockedOut: collected.evidence.lockedOut });
  if (stopped === undefined && collected.recognized === true)
    collected.internalErrors.push(...unreportedDepartures(found, collected.summary?.departures ?? []));
  const { checks, misfits } = applyWaivers(boundFindings(found), options.waivers, { registry, today: options.today });
  const records = clauseRecords(clauses, checks);
  const redact = createRedactor(session.apiKey);
  const { profile, seed, readOnly, now } = session;
  const ending = {
    ...{ clauses: records, checks, strict, interrupted, deadline, unreachable, mistaken, now, evidence: collected.evidence },
    internalErrors: collected.internalErrors.map(redact),
  };
  const summary = collected.summary ?? emptySummary(session);
  const record: RunRecord = {
    version: RUN_RECORD_VERSION,
    tool: { name: 'petstore-conformance', version: toolVersion },
    target: { baseUrl: redact(session.baseUrl), reference: options.reference },
    startedAt,
    duration: Math.round(performance.now() - begin),
    options: { profile, seed, readOnly, strict, only, skip, now: now.toISOString() },
    conclusion: conclude({ ...ending, misfits }),
    interrupted: stopped !== undefined,
    clauses: records,
    checks,
    ...summary,
    notices: [...summary.notices, ...leftOutNotices({ registry, selected: clauses, leftOut }, options)],
  };
  // What was never asked cannot have drifted.
  const drift = unreachable === undefined ? options.drift(record) : [];
  return drift.length === 0 ? record : { ...record, conclusion: conclude({ ...ending, misfits: [...misfits, ...drift] }) };
}
