import type { ListedClause } from '../clause/clause.ts';
import { judgedShares } from '../clause/clause-counts.ts';
import { retiredNotices } from '../clause/clause-ids.ts';
import type { ClauseRecord } from '../clause/clause-record.ts';
import { DOCUMENT_DIGEST } from '../clause/document-digest.ts';
import type { PartRecord } from '../clause/part-record.ts';
import { RUN_RECORD_VERSION, type RunRecord, type StopSignal } from '../clause/run-record.ts';
import { newerThan } from '../clause/since.ts';
import { PREFIX } from '../session/names.ts';
import type { SessionOptions } from '../session/session.ts';
import { sessionRedactor } from '../wire/redact.ts';
import { INTERRUPTED } from './check.ts';
import { clauseRecords, waitingFor } from './clause-verdicts.ts';
import type { Collected, Summary } from './collected.ts';
import { conclude, type Ending } from './conclusion.ts';
import { type Listing, selectedWithoutOthers, selectionNotice } from './selection.ts';
import { settleRecords, unreportedDepartures } from './settle-records.ts';
import type { Waiver } from './waiver-file.ts';
import { broadNotices, staleWaivers, waiveParts } from './waivers.ts';

export type RecordOptions = {
  readonly session: SessionOptions;
  readonly reference: boolean;
  /** What the service is called; by default, its host and port. */
  readonly name?: string | undefined;
  readonly strict: boolean;
  readonly only: readonly string[];
  readonly skip: readonly string[];
  readonly waivers: readonly Waiver[];
  /** What else no longer fits, as sentences: a service that drifted from a baseline. */
  readonly drift: (record: RunRecord) => readonly string[];
  /** Waivers that are no longer needed are removed afterwards. */
  readonly prunesWaivers?: boolean;
  /** Today's date, for the expiry of waivers. */
  readonly today: Date;
  readonly because?: string | undefined;
  /** Percentage of the situations that must be judged for a green run. */
  readonly minJudged?: number;
  /** The version of the suite whose verdicts count: what is newer warns at most. */
  readonly asOf?: string | undefined;
  readonly version: string;
};

/** Why a run ended early: a signal, or an event as the beginning of a sentence (`the deadline of 300 s passed`). */
export type StopReason = StopSignal | { readonly cutShort: string };

export type RunFacts = Pick<RecordOptions, 'asOf' | 'reference' | 'name' | 'strict' | 'only' | 'skip' | 'version'> & {
  readonly session: Pick<SessionOptions, 'baseUrl' | 'apiKey' | 'headers' | 'depth' | 'seed' | 'readOnly' | 'now'>;
  readonly summary: Summary;
  /** ISO 8601 in UTC. */
  readonly startedAt: string;
  /** Milliseconds. */
  readonly duration: number;
  readonly ending: Omit<Ending, 'clauses' | 'strict' | 'now'>;
};

/** The verdicts of a run and its conclusion as one value: the one place where a record is made. */
export function recordOf(clauses: readonly ClauseRecord[], facts: RunFacts): RunRecord {
  const {
    session,
    reference,
    name = new URL(session.baseUrl).host,
    strict,
    only,
    skip,
    version,
    startedAt,
    duration,
    summary,
    ending,
  } = facts;
  const redact = sessionRedactor(session);
  const internalErrors = ending.internalErrors.map((text) => redact(text));
  const { depth, seed, readOnly, now } = session;
  return {
    version: RUN_RECORD_VERSION,
    tool: { name: 'petstore-conformance', version },
    target: { baseUrl: redact(session.baseUrl), reference, name: redact(name) },
    document: { digest: DOCUMENT_DIGEST },
    startedAt,
    duration,
    options: {
      depth,
      seed,
      readOnly,
      strict,
      ...(facts.asOf === undefined ? {} : { asOf: facts.asOf }),
      only,
      skip,
      now: now.toISOString(),
    },
    conclusion: conclude({ ...ending, internalErrors, clauses, strict, now }),
    interrupted: ending.interrupted !== undefined || ending.cutShort !== undefined,
    judged: judgedShares(clauses),
    clauses,
    ...summary,
  };
}

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

function flakyNotice(clauses: readonly ClauseRecord[]): string[] {
  const flaky = clauses.filter((clause) => clause.flaky === true).map(({ id }) => id);
  if (flaky.length === 0) return [];
  const what = flaky.length === 1 ? '1 broken clause is flaky, it' : `${flaky.length} broken clauses are flaky, they`;
  return [`${what} did not come again when asked for once more: ${flaky.join(', ')}`];
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
