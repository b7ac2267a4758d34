import type { ListedClause } from '../clause/clause.ts';
import { type CheckRecord, type PassingCheck, RUN_RECORD_VERSION, type RunRecord, type Share } from '../clause/run-record.ts';
import { boundFindings } from '../judge/bound-findings.ts';
import { clauseRecords, conclude } from '../judge/conclude.ts';
import { selectionNotice } from '../judge/select.ts';
import { settleRecords, unreportedDepartures } from '../judge/settle-records.ts';
import { applyWaivers } from '../judge/waivers.ts';
import { INTERRUPTED } from '../judge/within-bounds.ts';
import type { SessionOptions } from '../session/session.ts';
import { createRedactor } from '../wire/redact.ts';
import type { Collected } from './collected.ts';
import type { Listing } from './listing.ts';
import type { Summary } from './messages.ts';
import { toolVersion } from './own-package.ts';
import type { RecordOptions, StopReason } from './run-gate.ts';

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

/** One record a part. What was left without one for a reason is inconclusive; anything else without one is an error of ours. */
function recordsOf(parts: readonly Part[], { collected, unasked }: { collected: Collected; unasked: string | undefined }): CheckRecord[] {
  const known = new Map(collected.records.map((record) => [record.id, record]));
  return parts.flatMap(({ id, title, clause, kind }): CheckRecord[] => {
    const record = known.get(id);
    if (record !== undefined) return [record];
    if (unasked === undefined) {
      if (collected.internalErrors.length === 0) collected.internalErrors.push(`${id} has no verdict`);
      return [];
    }
    const nothing = { note: unasked, findings: [], observations: [], duration: 0 };
    return [{ id, clause, kind, title, verdict: 'inconclusive', why: unasked === INTERRUPTED ? 'choice' : 'circumstance', ...nothing }];
  });
}

function emptySummary({ readOnly, maxCreates, namePrefix }: SessionOptions): Summary {
  const animals = { created: [], ambiguous: [], budget: readOnly ? 0 : maxCreates, prefix: namePrefix };
  return { animals, operations: [], traits: { headers: {}, members: {} }, departures: [], notices: [] };
}

/** What a green run says nothing of, by the user's choice. */
function leftOutNotices(
  { registry, selected, leftOut }: Listing,
  { only, skip, because }: Pick<RecordOptions, 'only' | 'skip' | 'because'>,
): string[] {
  const ofSelection = selectionNotice({ registry, selected, only, skip, because });
  const ofDepth = leftOut === 0 ? [] : [`At depth quick, the run left out ${leftOut} exhaustive checks; --depth standard runs them`];
  return [...ofSelection, ...ofDepth];
}

function flakyNotice(checks: readonly CheckRecord[]): string[] {
  const flaky = checks.filter((check) => check.verdict === 'fail' && check.flaky === true).map(({ id }) => id);
  if (flaky.length === 0) return [];
  const what = flaky.length === 1 ? '1 failure is flaky, it' : `${flaky.length} failures are flaky, they`;
  return [`${what} did not come again when asked for once more: ${flaky.join(', ')}`];
}

function shareOf(items: readonly { readonly verdict: CheckRecord['verdict'] }[]): Share {
  return { judged: items.filter(({ verdict }) => verdict !== 'inconclusive').length, of: items.length };
}

/** Of the checks whose exchanges were kept, those that passed, or that recorded what the document leaves open. */
function passingOf(checks: readonly CheckRecord[], kept: readonly PassingCheck[]): readonly PassingCheck[] {
  const fine = new Set(checks.filter(({ verdict }) => verdict === 'pass' || verdict === 'observed').map(({ id }) => id));
  return kept.filter(({ check }) => fine.has(check));
}

/** A run as far as it has come: what is judged, what the worker has told, and why it was ended before it was over, when it was. */
export type RunSoFar = {
  readonly options: RecordOptions;
  readonly listing: Listing;
  readonly collected: Collected;
  readonly stopped: StopReason | undefined;
  /** Why parts without a record were not judged in a run that came to its end, where that is no error of ours. */
  readonly unasked?: string;
  /** ISO 8601 in UTC. */
  readonly startedAt: string;
  /** Milliseconds. */
  readonly duration: number;
};

/** The run as one value. */
export function makeRecord({ options, listing, collected, stopped, unasked, startedAt, duration }: RunSoFar): RunRecord {
  const { session, only, skip, strict } = options;
  const { registry, selected: clauses } = listing;
  const interrupted = typeof stopped === 'string' ? stopped : undefined;
  const cutShort = typeof stopped === 'object' ? stopped.cutShort : undefined;
  const { unreachable, mistaken } = collected;
  const judged = unreachable === undefined && mistaken === undefined;
  const parts = judged ? recordsOf(partsOf(clauses), { collected, unasked: stopped === undefined ? unasked : INTERRUPTED }) : [];
  const found = settleRecords(parts, { recognized: collected.recognized ?? true, lockedOut: collected.evidence.lockedOut });
  if (stopped === undefined && collected.recognized === true)
    collected.internalErrors.push(...unreportedDepartures(found, collected.summary?.departures ?? []));
  const { checks, staleWaivers } = applyWaivers(boundFindings(found), options.waivers, {
    registry,
    today: options.today,
    prunes: options.prunesWaivers ?? false,
  });
  const records = clauseRecords(clauses, checks);
  const redact = createRedactor(session.apiKey);
  const { depth, seed, readOnly, now } = session;
  const ending = {
    ...{ clauses: records, checks, strict, interrupted, cutShort, unreachable, mistaken, now, evidence: collected.evidence },
    minJudged: options.minJudged ?? 0,
    flaky: options.flaky ?? 'fail',
    internalErrors: collected.internalErrors.map((text) => redact(text)),
  };
  const summary = collected.summary ?? emptySummary(session);
  const record: RunRecord = {
    version: RUN_RECORD_VERSION,
    tool: { name: 'petstore-conformance', version: toolVersion },
    target: { baseUrl: redact(session.baseUrl), reference: options.reference },
    startedAt,
    duration,
    options: { depth, seed, readOnly, strict, flaky: options.flaky ?? 'fail', only, skip, now: now.toISOString() },
    conclusion: conclude({ ...ending, staleExpectations: staleWaivers }),
    interrupted: stopped !== undefined,
    judged: { clauses: shareOf(records), checks: shareOf(checks) },
    clauses: records,
    checks,
    ...(options.passing === undefined || options.passing.length === 0 ? {} : { passing: passingOf(checks, collected.kept) }),
    ...summary,
    notices: [...summary.notices, ...flakyNotice(checks), ...leftOutNotices(listing, options)],
  };
  // What was never asked cannot have drifted.
  const drift = unreachable === undefined ? options.drift(record) : [];
  return drift.length === 0 ? record : { ...record, conclusion: conclude({ ...ending, staleExpectations: [...staleWaivers, ...drift] }) };
}
