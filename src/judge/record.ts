import type { ListedClause } from '../clause/clause.ts';
import { retiredNotices } from '../clause/clause-ids.ts';
import { DOCUMENT_DIGEST } from '../clause/document-digest.ts';
import { MOST_FINDINGS } from '../clause/record-bounds.ts';
import {
  type CheckRecord,
  type ReportedFinding,
  RUN_RECORD_VERSION,
  type RunRecord,
  type Share,
  type StopSignal,
} from '../clause/run-record.ts';
import { newerThan } from '../clause/since.ts';
import { PREFIX } from '../session/names.ts';
import type { SessionOptions } from '../session/session.ts';
import { sessionRedactor } from '../wire/redact.ts';
import { INTERRUPTED } from './check.ts';
import { clauseRecords } from './clause-verdicts.ts';
import type { Collected, Summary } from './collected.ts';
import { conclude, type Ending } from './conclusion.ts';
import { type Listing, selectedWithoutOthers, selectionNotice } from './selection.ts';
import { settleRecords, unreportedDepartures } from './settle-records.ts';
import type { Waiver } from './waiver-file.ts';
import { applyWaivers, broadNotices } from './waivers.ts';

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
  /** Percentage of the checks that must be judged for a green run. */
  readonly minJudged?: number;
  /** The version of the suite whose verdicts count: what is newer warns at most. */
  readonly asOf?: string | undefined;
  readonly version: string;
};

/** Why a run ended early: a signal, or an event as the beginning of a sentence (`the deadline of 300 s passed`). */
export type StopReason = StopSignal | { readonly cutShort: string };

export type RunFacts = Pick<RecordOptions, 'asOf' | 'reference' | 'name' | 'strict' | 'only' | 'skip' | 'version'> & {
  readonly session: Pick<SessionOptions, 'baseUrl' | 'apiKey' | 'headers' | 'depth' | 'seed' | 'readOnly' | 'now'>;
  readonly clauses: readonly ListedClause[];
  readonly summary: Summary;
  /** ISO 8601 in UTC. */
  readonly startedAt: string;
  /** Milliseconds. */
  readonly duration: number;
  readonly ending: Omit<Ending, 'clauses' | 'checks' | 'strict' | 'now'>;
};

/** The verdicts of a run and its conclusion as one value: the one place where a record is made. */
export function recordOf(checks: readonly CheckRecord[], facts: RunFacts): RunRecord {
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
  const clauses = clauseRecords(facts.clauses, checks, session);
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
    conclusion: conclude({ ...ending, internalErrors, clauses, checks, strict, now }),
    interrupted: ending.interrupted !== undefined || ending.cutShort !== undefined,
    clauses,
    checks,
    ...summary,
  };
}

type Part = {
  readonly id: CheckRecord['id'];
  readonly title: string;
  readonly clause: ListedClause['id'];
  readonly kind: CheckRecord['kind'];
};

function partsOf(clauses: readonly ListedClause[]): readonly Part[] {
  return clauses.flatMap((clause) => [
    ...clause.checks.map(({ id, title }) => ({ id, title, clause: clause.id, kind: 'check' as const })),
    ...clause.invariants.map(({ id, title }) => ({ id, title, clause: clause.id, kind: 'invariant' as const })),
  ]);
}

/** One record per part; a part that an interrupt left without one is inconclusive. */
function recordsOf(parts: readonly Part[], { records, interrupted }: Pick<Collected, 'records'> & { interrupted: boolean }): CheckRecord[] {
  const known = new Map(records.map((record) => [record.id, record]));
  return parts.flatMap(({ id, title, clause, kind }): CheckRecord[] => {
    const record = known.get(id);
    // An invariant that has not applied yet would have been judged by exchanges still to come.
    if (record !== undefined && !(interrupted && record.evidence?.judged === 0)) return [record];
    if (!interrupted) return [];
    const nothing = { note: INTERRUPTED, findings: [], observations: [], duration: 0 };
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
  const ofDepth = leftOut === 0 ? [] : [`At depth quick, the run left out ${leftOut} exhaustive checks; --depth standard runs them`];
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
function newerNotices({ options: { asOf }, clauses, checks }: RunRecord, { selected }: Listing): string[] {
  const newer = asOf === undefined ? [] : newerThan(asOf, selected);
  if (newer.length === 0) return [];
  const broken = clauses.filter((clause) => clause.newer === true && clause.verdict === 'fail').map(({ id }) => id);
  const behind = checks.filter(({ blockedBy }) => blockedBy !== undefined && broken.includes(blockedBy)).length;
  const found = broken.length === 0 ? 'nothing is broken by that alone' : `broken by that alone: ${broken.join(', ')}`;
  const hidden = behind === 0 ? '' : `; ${behind} checks could not be judged because of them`;
  return [
    `Newer than --as-of ${asOf}, and at most a warning: ${newer.map(({ id, since }) => `${id} (${since})`).join(', ')}; ${found}${hidden}`,
  ];
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
  readonly found: readonly CheckRecord[];
}): readonly string[] {
  const { internalErrors, recognized, summary } = collected;
  const known = new Set(found.map(({ id }) => id));
  const missing = internalErrors.length > 0 ? undefined : parts.find(({ id }) => !known.has(id));
  const sentence = found.length === 0 ? 'no check ran, and the judging thread reported no error' : `${missing?.id} has no verdict`;
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
  const { registry, selected: clauses } = listing;
  const interrupted = typeof stopped === 'string' ? stopped : undefined;
  const cutShort = typeof stopped === 'object' ? stopped.cutShort : undefined;
  const { unreachable, mistaken } = collected;
  const judged = unreachable === undefined && mistaken === undefined;
  const parts = judged ? partsOf(clauses) : [];
  const records = recordsOf(parts, { records: collected.records, interrupted: stopped !== undefined });
  const { lockedOut, outage } = collected.evidence;
  const found = settleRecords(records, { recognized: collected.recognized ?? true, lockedOut, outage });
  const internalErrors = errorsOf({ parts, found, collected, stopped });
  const { waivers, today, prunesWaivers: prunes = false } = options;
  const { checks: waived, staleWaivers } = applyWaivers(found, waivers, { registry, today, prunes });
  const checks = boundFindings(waived);
  const summary = wholeSummary(collected.summary ?? emptySummary(session), stopped);
  const ofWaivers = [...retiredNotices(waivers.map(({ id }) => id)), ...(prunes ? [] : broadNotices(checks, waivers, today))];
  const of = (drift: readonly string[]): RunRecord => {
    const record = recordOf(checks, {
      ...{ session, reference: options.reference, name: options.name, strict, only, skip, asOf: options.asOf },
      ...{ version: options.version, clauses, startedAt, duration },
      summary: { ...summary, notices: [...summary.notices, ...flakyNotice(checks), ...leftOutNotices(listing, options), ...ofWaivers] },
      ending: {
        ...{ interrupted, cutShort, unreachable, mistaken, evidence: collected.evidence, internalErrors, staleWaivers, drift },
        minJudged: options.minJudged ?? 0,
        selectedTooLittle: tooLittle(listing, options, summary),
      },
    });
    return {
      ...record,
      notices: [...record.notices, ...newerNotices(record, listing)],
      judged: { clauses: shareOf(record.clauses), checks: shareOf(checks) },
    };
  };
  const record = of([]);
  // What was never requested can't have drifted.
  const drift = unreachable === undefined ? options.drift(record) : [];
  return drift.length === 0 ? record : of(drift);
}

/** The same records with at most twenty findings per clause, so that a report keeps its size; `cases` still holds all of them. */
export function boundFindings(checks: readonly CheckRecord[]): CheckRecord[] {
  const shown = new Set([...Map.groupBy(checks, ({ clause }) => clause).values()].flatMap(shownOf));
  return checks.map((check) => ({ ...check, findings: check.findings.filter((finding) => shown.has(finding)) }));
}

/**
 * The first finding of each check, then the second of each, and so on: first each exchange once, then what else is wrong with it, such as
 * other animals that a list omits. Findings of several checks with the same text are shown once.
 */
function shownOf(checks: readonly CheckRecord[]): readonly ReportedFinding[] {
  const first = checks.flatMap(({ findings }) => findings.slice(0, 1));
  const said = new Set(first.map(wordsOf));
  const turns = new Map<number | undefined, number>(first.map((finding) => [numberOf(finding), 1]));
  const others = checks
    .flatMap(({ findings }) => findings.slice(1).map((finding, place) => ({ finding, place })))
    .toSorted((left, right) => left.place - right.place)
    .flatMap(({ finding }) => {
      if (said.has(wordsOf(finding))) return [];
      said.add(wordsOf(finding));
      const number = numberOf(finding);
      const turn = number === undefined ? 0 : (turns.get(number) ?? 0);
      turns.set(number, turn + 1);
      return [{ finding, turn }];
    })
    .toSorted((left, right) => left.turn - right.turn)
    .map(({ finding }) => finding);
  return [...first, ...others.slice(0, Math.max(0, MOST_FINDINGS - first.length))];
}

const wordsOf = (finding: ReportedFinding): string => `${numberOf(finding)} ${finding.summary}`;

function numberOf({ exchanges }: ReportedFinding): number | undefined {
  return exchanges.at(-1)?.number;
}
