import type { ListedClause } from '../clause/clause.ts';
import { retiredNotices } from '../clause/clause-ids.ts';
import type { PartRecord } from '../clause/part-record.ts';
import type { RunRecord } from '../clause/run-record.ts';
import { newerThan } from '../clause/since.ts';
import { PREFIX } from '../session/names.ts';
import type { SessionOptions } from '../session/session.ts';
import { INTERRUPTED } from './check.ts';
import { clauseRecords } from './clause-verdicts.ts';
import type { Collected, Summary } from './collected.ts';
import { waitingFor } from './must-counts.ts';
import { flakyNotice, type RecordOptions, recordOf, type StopReason } from './record-of.ts';
import { type Listing, selectedWithoutOthers, selectionNotice } from './selection.ts';
import { settleRecords, unreportedDepartures } from './settle-records.ts';
import { broadNotices, staleWaivers, waiveParts } from './waivers.ts';

type Part = {
  readonly id: PartRecord['id'];
  readonly title: string;
  readonly clause: ListedClause['id'];
  readonly kind: PartRecord['kind'];
};

function partsOf(clauses: readonly ListedClause[]): readonly Part[] {
  return clauses.flatMap((clause) => [
    ...clause.checks.map(({ id, title }) => ({ id, title, clause: clause.id, kind: 'check' as const })),
    ...clause.invariants.map(({ id, title }) => ({ id, title, clause: clause.id, kind: 'invariant' as const })),
  ]);
}

/** One record per part; a part that an interrupt left without one is inconclusive. */
function recordsOf(parts: readonly Part[], { records, interrupted }: Pick<Collected, 'records'> & { interrupted: boolean }): PartRecord[] {
  const known = new Map(records.map((record) => [record.id, record]));
  return parts.flatMap(({ id, title, clause, kind }): PartRecord[] => {
    const record = known.get(id);
    // An invariant that has not applied yet would have been judged by exchanges still to come.
    if (record !== undefined && !(interrupted && record.evidence?.judged === 0)) return [record];
    if (!interrupted) return [];
    const nothing = { note: INTERRUPTED, findings: [], observations: [] };
    return [{ id, clause, kind, title, verdict: 'inconclusive', why: 'choice', ...nothing }];
  });
}

function emptySummary({ readOnly, maxCreates }: SessionOptions): Summary {
  const animals = { created: [], ambiguous: [], budget: readOnly ? 0 : maxCreates, prefix: PREFIX };
  return { animals, operations: [], traits: { headers: {}, members: {} }, departures: [], notices: [] };
}

/** A run that was stopped says nothing about how many animals a whole one creates. */
function wholeSummary(summary: Summary, stopped: StopReason | undefined): Summary {
  const { nextRun: _nextRun, ...animals } = summary.animals;
  return stopped === undefined ? summary : { ...summary, animals };
}

function leftOutNotices(
  { registry, selected, leftOut }: Listing,
  { only, skip, because }: Pick<RecordOptions, 'only' | 'skip' | 'because'>,
): string[] {
  const ofSelection = selectionNotice({ registry, selected, only, skip, because });
  const ofDepth =
    leftOut === 0 ? [] : [`At depth quick, the run left out ${leftOut} situations that take many requests; --depth standard judges them`];
  return [...ofSelection, ...ofDepth];
}

/** Why what was selected shows too little: it judges what others send, and they sent nothing. */
function tooLittle({ selected }: Listing, { only, because }: RecordOptions, { operations }: Summary): string | undefined {
  const ids = selectedWithoutOthers({ only, selected, because });
  if (ids.length === 0) return undefined;
  const requests = operations.reduce((sum, operation) => sum + operation.requests, 0);
  const [what, it] = ids.length === 1 ? ['judges', 'it'] : ['judge', 'they'];
  return `${ids.join(', ')} ${what} the responses to what all clauses send; alone ${it} saw ${requests} requests. Run without --only, or select what sends more`;
}

/** What --as-of keeps from failing the run, in sentences. */
function newerNotices({ options: { asOf }, clauses }: RunRecord, { selected }: Listing): string[] {
  const newer = asOf === undefined ? [] : newerThan(asOf, selected);
  if (newer.length === 0) return [];
  const broken = clauses.filter((clause) => clause.newer === true && clause.verdict === 'fail').map(({ id }) => id);
  const behind = broken.reduce((sum, id) => sum + waitingFor(id, clauses), 0);
  const found = broken.length === 0 ? 'nothing is broken by that alone' : `broken by that alone: ${broken.join(', ')}`;
  const hidden = behind === 0 ? '' : `; ${behind} situations could not be judged because of them`;
  return [
    `Newer than --as-of ${asOf}, and at most a warning: ${newer.map(({ id, since }) => `${id} (${since})`).join(', ')}; ${found}${hidden}`,
  ];
}

/**
 * Errors of the suite that only the whole run shows: a part without a verdict that no other error explains, and departures that no clause
 * reports.
 */
function errorsOf({
  parts,
  found,
  collected,
  stopped,
}: Pick<RunSoFar, 'collected' | 'stopped'> & {
  readonly parts: readonly Part[];
  readonly found: readonly PartRecord[];
}): readonly string[] {
  const { internalErrors, recognized, summary } = collected;
  const known = new Set(found.map(({ id }) => id));
  const missing = internalErrors.length > 0 ? undefined : parts.find(({ id }) => !known.has(id));
  const sentence = found.length === 0 ? 'nothing was judged, and the judging thread reported no error' : `${missing?.id} has no verdict`;
  const unreported = stopped === undefined && recognized === true ? unreportedDepartures(found, summary?.departures ?? []) : [];
  return [...internalErrors, ...(missing === undefined ? [] : [sentence]), ...unreported];
}

export type RunSoFar = {
  readonly options: RecordOptions;
  readonly listing: Listing;
  readonly collected: Readonly<Omit<Collected, 'listing' | 'requests'>>;
  readonly stopped: StopReason | undefined;
  /** ISO 8601 in UTC. */
  readonly startedAt: string;
  /** Milliseconds. */
  readonly duration: number;
};

export function makeRecord({ options, listing, collected, stopped, startedAt, duration }: RunSoFar): RunRecord {
  const { session, only, skip, strict } = options;
  const { registry, selected } = listing;
  const interrupted = typeof stopped === 'string' ? stopped : undefined;
  const cutShort = typeof stopped === 'object' ? stopped.cutShort : undefined;
  const { unreachable, mistaken } = collected;
  const judged = unreachable === undefined && mistaken === undefined;
  const parts = judged ? partsOf(selected) : [];
  const records = recordsOf(parts, { records: collected.records, interrupted: stopped !== undefined });
  const { lockedOut, outage } = collected.evidence;
  const found = settleRecords(records, { recognized: collected.recognized ?? true, lockedOut, outage });
  const internalErrors = errorsOf({ parts, found, collected, stopped });
  const { waivers, today, prunesWaivers: prunes = false } = options;
  const clauses = clauseRecords(selected, waiveParts(found, waivers, today), session);
  const stale = staleWaivers(clauses, waivers, { registry, today, prunes });
  const summary = wholeSummary(collected.summary ?? emptySummary(session), stopped);
  const ofWaivers = [...retiredNotices(waivers.map(({ id }) => id)), ...(prunes ? [] : broadNotices(clauses, waivers, today))];
  const of = (drift: readonly string[]): RunRecord => {
    const record = recordOf(clauses, {
      ...{ session, reference: options.reference, name: options.name, strict, only, skip, asOf: options.asOf },
      ...{ version: options.version, startedAt, duration },
      summary: { ...summary, notices: [...summary.notices, ...flakyNotice(clauses), ...leftOutNotices(listing, options), ...ofWaivers] },
      ending: {
        ...{ interrupted, cutShort, unreachable, mistaken, evidence: collected.evidence, internalErrors, staleWaivers: stale, drift },
        minJudged: options.minJudged ?? 0,
        selectedTooLittle: tooLittle(listing, options, summary),
      },
    });
    return { ...record, notices: [...record.notices, ...newerNotices(record, listing)] };
  };
  const record = of([]);
  // What was never requested can't have drifted.
  const drift = unreachable === undefined ? options.drift(record) : [];
  return drift.length === 0 ? record : of(drift);
}
