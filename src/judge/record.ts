// The record of a run of rows.

import type { ClauseId, Wording as ClauseWording } from '../clause/clause.ts';
import type { ClauseRecord } from '../clause/clause-record.ts';
import type { Departure, RunRecord, RunSummary } from '../clause/run-record.ts';
import { FIRST_VERSION, isBefore } from '../clause/since.ts';
import { NAME_PREFIX } from '../session/compose.ts';
import type { SessionOptions } from '../session/session.ts';
import { concludeRecord, flakyNotice, type RecordOptions, type StopReason } from './conclude-record.ts';
import type { RunEvidence } from './conclusion.ts';
import { waitingFor } from './must-counts.ts';
import type { Repair } from './repair.ts';
import { applyWaivers, broadNotices } from './waivers.ts';

/** A run as plain data, which may come from another thread. */
export type RunData = {
  /** Empty where nothing was judged. */
  readonly clauses: readonly ClauseRecord[];
  readonly summary: RunSummary;
  readonly evidence: RunEvidence;
  /** Why nothing of the service was received, or why nothing but the first contact can be judged. */
  readonly unreachable?: string;
  readonly mistaken?: string;
  /** Whether an animal was seen, so that what responds is a pet store. */
  readonly isRecognized: boolean;
  readonly plan?: RunRecord['plan'];
  readonly timeline?: RunRecord['timeline'];
  /** Of a run that sent again what had shown clauses broken. */
  readonly repair?: Repair;
  /** Exceptions of the suite, and of clauses from outside, as texts. */
  readonly errors: readonly string[];
  readonly ownErrors: readonly string[];
};

const UNSEEN: RunEvidence = { askedToWait: 0, rejects: [], lockedOut: false, outage: [], closing: undefined };

/** Of a run that has shown nothing. */
export function emptyRunData({ readOnly, maxCreates }: SessionOptions): RunData {
  const animals = { created: [], ambiguous: [], budget: readOnly ? 0 : maxCreates, prefix: NAME_PREFIX };
  const summary = { animals, operations: [], traits: { headers: {}, members: {} }, departures: [], notices: [] };
  return { clauses: [], summary, evidence: UNSEEN, isRecognized: false, errors: [], ownErrors: [] };
}

export type RunRecordOptions = RecordOptions & {
  /** All clauses, selected or not. */
  readonly registry: readonly Pick<ClauseWording, 'id' | 'since'>[];
  /** Why not all clauses are judged, in sentences. */
  readonly selection: readonly string[];
};

export type RunSoFar = {
  readonly options: RunRecordOptions;
  readonly data: RunData;
  readonly stopped: StopReason | undefined;
  /** ISO 8601 in UTC. */
  readonly startedAt: string;
  /** Milliseconds. */
  readonly duration: number;
};

/** What --as-of keeps from failing the run, in a sentence. */
function newerNotices(clauses: readonly ClauseRecord[], { asOf, registry }: Pick<RunRecordOptions, 'asOf' | 'registry'>): string[] {
  if (asOf === undefined) return [];
  const judged = new Set<string>(clauses.map(({ id }) => id));
  const newer = registry.filter(({ id, since = FIRST_VERSION }) => judged.has(id) && isBefore(asOf, since));
  const broken = clauses.filter((clause) => clause.newer === true && clause.verdict === 'fail').map(({ id }) => id);
  if (newer.length + broken.length === 0) return [];
  const behind = broken.reduce((sum, id) => sum + waitingFor(id, clauses), 0);
  const found = broken.length === 0 ? 'nothing is broken by that alone' : `broken by that alone: ${broken.join(', ')}`;
  const hidden = behind === 0 ? '' : `; ${behind} situations could not be judged because of them`;
  const named = newer.map(({ id, since }) => `${id} (${since})`).join(', ') || 'some of the requests';
  return [`Newer than --as-of ${asOf}, and at most a warning: ${named}; ${found}${hidden}`];
}

/** What the run has not looked at, because it was to see whether broken clauses are repaired. */
function repairNotices({ repair }: RunData): readonly string[] {
  if (repair === undefined) return [];
  const { length } = [...repair.repaired, ...repair.broken, ...repair.undecided];
  const [clauses, were] = length === 1 ? ['1 clause', 'was'] : [`${length} clauses`, 'were'];
  return [`Only what had shown that ${clauses} ${were} broken was sent again (--failed); what else the service does was not seen`];
}

/** At depth quick, what the other depths judge too. */
function depthNotices(clauses: readonly ClauseRecord[], { session }: RunRecordOptions): string[] {
  const left = clauses.flatMap(({ musts }) => musts).filter(({ verdict, why }) => verdict === 'inconclusive' && why === 'choice').length;
  if (session.depth !== 'quick' || left === 0) return [];
  return [`At depth quick, the run left out ${left} situation${left === 1 ? '' : 's'}; --depth standard judges them`];
}

/** The clauses that explain a status that a list with parameters gets. */
const SIMPLER: Partial<Record<ClauseId, readonly ClauseId[]>> = {
  'list.filter-with-limit': ['list.limit-accepted', 'list.status-accepted', 'list.success'],
  'list.limit-accepted': ['list.success'],
  'list.status-accepted': ['list.success'],
};

/** What was read through although no clause reports it: a defect of the suite, in sentences. */
function unreported(clauses: readonly ClauseRecord[], departures: readonly Departure[]): readonly string[] {
  const isReported = ({ verdict, blockedBy }: ClauseRecord): boolean =>
    verdict === 'fail' || verdict === 'waived' || (verdict === 'inconclusive' && blockedBy !== undefined);
  return departures.flatMap(({ clause, description }) => {
    if (!clauses.some(({ id }) => id === clause)) return [];
    const ids: readonly ClauseId[] = [clause, ...(SIMPLER[clause] ?? [])];
    return clauses.some((one) => ids.includes(one.id) && isReported(one))
      ? []
      : [`${clause} does not report what is read through: ${description}`];
  });
}

/** The record of a run, or of what there is of one. */
export function runRecordOf({ options, data, stopped, startedAt, duration }: RunSoFar): RunRecord {
  const { session, only, skip, strict, waivers, today, registry, asOf } = options;
  const { unreachable, mistaken, evidence, plan, timeline, repair } = data;
  // What a part of the requests does not show any more may fail by others.
  const prunes = options.prunesWaivers === true || repair !== undefined;
  const { clauses, staleWaivers } = applyWaivers(data.clauses, waivers, { registry, today, prunes });
  // A run that was stopped says nothing about how many animals a whole one creates.
  const { nextRun: _nextRun, ...animals } = data.summary.animals;
  const summary = stopped === undefined ? data.summary : { ...data.summary, animals };
  const isWhole = stopped === undefined && data.isRecognized;
  const internalErrors = [...data.errors, ...(isWhole ? unreported(data.clauses, summary.departures) : [])];
  const notices = [
    ...[...summary.notices, ...flakyNotice(clauses), ...options.selection, ...repairNotices(data)],
    ...(repair === undefined ? depthNotices(clauses, options) : []),
    ...(prunes ? [] : broadNotices(clauses, waivers, today)),
    ...newerNotices(clauses, options),
  ];
  const of = (drift: readonly string[]): RunRecord => ({
    ...concludeRecord(clauses, {
      ...{ session, reference: options.reference, name: options.name, strict, only, skip, asOf, version: options.version },
      ...{ startedAt, duration, summary: { ...summary, notices } },
      ending: {
        interrupted: typeof stopped === 'string' ? stopped : undefined,
        cutShort: typeof stopped === 'object' ? stopped.cutShort : undefined,
        ...{
          unreachable,
          mistaken,
          internalErrors,
          staleWaivers,
          drift,
          evidence,
          repair,
          ownErrors: data.ownErrors,
          minJudged: options.minJudged ?? 0,
        },
      },
    }),
    ...(plan === undefined ? {} : { plan }),
    ...(timeline === undefined ? {} : { timeline }),
  });
  const record = of([]);
  // What was never requested can't have drifted.
  const drift = unreachable === undefined ? options.drift(record) : [];
  return drift.length === 0 ? record : of(drift);
}
