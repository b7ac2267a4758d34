// Known failures: what the entries of a waiver file are for and until when, which of them cover what of a clause, and which no longer fit.

import type { AppliedWaiver, ClauseRecord, ReportedKind } from '../clause/clause-record.ts';
import { coversKind, KIND_FIELDS, keyOfKind, kindText, placesOf } from '../clause/failure-kind.ts';
import { suggestAmong } from '../clause/patterns.ts';
import { failureNote } from '../clause/record-bounds.ts';
import { waitingFor } from './must-counts.ts';
import type { FoundKind, Waiver } from './waiver-file.ts';

/** All clauses, selected or not: an entry for one that was left out is not a mistake. */
type Registry = readonly { readonly id: string }[];

export type WaiverContext = {
  readonly registry: Registry;
  /** Today's date, for expiry; not the date used to judge deprecation. */
  readonly today: Date;
  /** Entries that are no longer needed are removed from their file, and are not stale. */
  readonly prunes?: boolean;
};

export type Waived = {
  readonly clauses: readonly ClauseRecord[];
  /** Stale entries, as sentences that say what to do; not empty: the run fails. */
  readonly staleWaivers: readonly string[];
};

/** The clause that an entry names: version 2 had checks, each of which is a part of one. */
const clauseOf = ({ id }: Waiver): string => id.split('/')[0] ?? id;
const isOfCheck = ({ id }: Waiver): boolean => id.includes('/');

/** Whether an entry is for one kind of failure; any other one covers every failure of its clause. */
const isBound = (waiver: Waiver): boolean => KIND_FIELDS.some((field) => waiver[field] !== undefined);

/** `list.unique`, with the kind that the entry is for. */
function nameOf(waiver: Waiver): string {
  return isBound(waiver) ? `${waiver.id} (${kindText(waiver)})` : waiver.id;
}

function hasExpired(waiver: Waiver, today: Date): boolean {
  return today.toISOString().slice(0, 10) > waiver.expires;
}

function expiredWaiver(waiver: Waiver, today: Date): string | undefined {
  if (!hasExpired(waiver, today)) return undefined;
  const { expires, reason } = waiver;
  return `the waiver of ${nameOf(waiver)} expired on ${expires} ("${reason}"): fix the failure, or set a later date if the reason still holds`;
}

const YEAR = 366 * 86_400_000;

/** The remark on an entry that is valid for so long that nobody will look at it again, or undefined. */
function remarkOnDistant(waiver: Waiver, today: Date): string | undefined {
  const { expires } = waiver;
  if (Date.parse(expires) - today.getTime() <= YEAR) return undefined;
  return `the waiver of ${nameOf(waiver)} is valid until ${expires}, more than a year from today: choose an earlier day, so that somebody looks at the failure again`;
}

export function unknownWaiver(waiver: Waiver, registry: Registry): string | undefined {
  const { id } = waiver;
  if (id.endsWith('/canary')) return `the waiver of ${id} is for a check of the canary, which was removed in version 3: remove the entry`;
  if (registry.some((clause) => clause.id === clauseOf(waiver))) return undefined;
  const ids = registry.map((clause) => clause.id);
  const meant = suggestAmong(clauseOf(waiver), ids) ?? '`explain clauses` shows all ids';
  return `the waiver of ${id} matches no clause (${meant}): correct its id or remove it`;
}

/** The remark on an entry for a check of an earlier version, or undefined. */
function remarkOnRetired(waiver: Waiver): string | undefined {
  if (!isOfCheck(waiver)) return undefined;
  return `${waiver.id} is a check of an earlier version: ${clauseOf(waiver)} is taken for it until version 4, so write that id`;
}

type ExamineOptions = {
  readonly unknown: (waiver: Waiver) => string | undefined;
  readonly today: Date;
};

type WaiverRemark = { readonly position: number; readonly text: string };

/**
 * What is wrong with a list of waivers (an id that names nothing, an entry that occurs twice), and the remarks on those that have expired or
 * hardly ever will, or name a check of an earlier version: the same rules for the gate and the monitor, whatever each does with them.
 */
export function examineWaivers(
  waivers: readonly Waiver[],
  { unknown, today }: ExamineOptions,
): { readonly problems: readonly WaiverRemark[]; readonly warnings: readonly WaiverRemark[] } {
  const remarks = (say: (waiver: Waiver, position: number) => string | undefined): readonly WaiverRemark[] =>
    waivers.flatMap((waiver, position) => {
      const text = say(waiver, position);
      return text === undefined ? [] : [{ position, text }];
    });
  const keyOf = (waiver: Waiver): string => `${waiver.id}\n${keyOfKind(waiver)}`;
  const first = new Map(waivers.map((waiver, position) => [keyOf(waiver), position] as const).toReversed());
  const twice = remarks((waiver, position) =>
    first.get(keyOf(waiver)) === position ? undefined : `${nameOf(waiver)} is waived twice; keep one entry`,
  );
  return {
    problems: [...remarks(unknown), ...twice],
    warnings: [...remarks((waiver) => expiredWaiver(waiver, today) ?? remarkOnDistant(waiver, today)), ...remarks(remarkOnRetired)],
  };
}

type Entry = { readonly waiver: Waiver; readonly applied: AppliedWaiver };

/** The entries that have not expired, with what reports show of them. */
function unexpiredEntries(waivers: readonly Waiver[], today: Date): readonly Entry[] {
  return waivers.flatMap((waiver, index) => {
    const { reason, ticket, expires } = waiver;
    const shown = { entry: index + 1, reason, ...(ticket === undefined ? {} : { ticket }), expires };
    return hasExpired(waiver, today) ? [] : [{ waiver, applied: isBound(waiver) ? shown : { ...shown, broad: true as const } }];
  });
}

function noteOf({ reason, ticket, expires }: AppliedWaiver): string {
  return `${reason} (${ticket === undefined ? '' : `${ticket}, `}until ${expires})`;
}

/** The failures of the clause that the entry names, if all of it was judged by all that is sent for it; undefined if not. */
function judgedKinds(waiver: Waiver, clauses: readonly ClauseRecord[]): readonly (ReportedKind | undefined)[] | undefined {
  const record = clauses.find(({ id }) => id === clauseOf(waiver));
  const isJudged = ({ verdict }: Pick<ClauseRecord, 'verdict'>): boolean => verdict !== 'inconclusive' && verdict !== 'not-applicable';
  if (record === undefined || record.curtailed === true || ![record, ...record.musts].every(isJudged)) return undefined;
  const { verdict, failureKinds } = record;
  return verdict === 'fail' || verdict === 'waived' ? (failureKinds ?? [undefined]) : [];
}

/** Whether a run showed that nothing fails any more that the entry would waive. An intermittent failure may recur. */
function isNeedless(waiver: Waiver, clauses: readonly ClauseRecord[]): boolean {
  if (waiver.flaky === true) return false;
  const failureKinds = judgedKinds(waiver, clauses);
  return failureKinds?.every((kind) => isBound(waiver) && kind !== undefined && !coversKind(waiver, kind)) ?? false;
}

export function needlessWaivers(clauses: readonly ClauseRecord[], waivers: readonly Waiver[], registry: Registry): readonly number[] {
  return waivers.flatMap((waiver, position) =>
    unknownWaiver(waiver, registry) === undefined && isNeedless(waiver, clauses) ? [position] : [],
  );
}

/** Why an entry is stale, or undefined. An entry that was not tested (left out, inconclusive) is left alone. */
function whyStale(
  waiver: Waiver,
  clauses: readonly ClauseRecord[],
  { registry, today, prunes = false }: WaiverContext,
): string | undefined {
  const known = unknownWaiver(waiver, registry) ?? expiredWaiver(waiver, today);
  if (known !== undefined) return known;
  return !prunes && isNeedless(waiver, clauses)
    ? `the waiver of ${nameOf(waiver)} is no longer needed, because nothing that it waived fails: remove it`
    : undefined;
}

/** The entry that covers a kind: one for kinds before one for every failure, and one for a check before one for its clause. */
function entryFor(kind: ReportedKind | undefined, entries: readonly Entry[]): AppliedWaiver | undefined {
  const rank = ({ waiver }: Entry): number => (isBound(waiver) ? 0 : 2) + (isOfCheck(waiver) ? 0 : 1);
  const covering = entries.filter(({ waiver }) => (kind === undefined ? !isBound(waiver) : coversKind(waiver, kind)));
  return covering.toSorted((one, other) => rank(one) - rank(other))[0]?.applied;
}

/** Whether entries that stand cover every failure of a clause. */
export function coversAll(
  { id, failureKinds }: Pick<ClauseRecord, 'id' | 'failureKinds'>,
  waivers: readonly Waiver[],
  today: Date,
): boolean {
  const entries = unexpiredEntries(waivers, today).filter(({ waiver }) => clauseOf(waiver) === id);
  return entries.length > 0 && (failureKinds ?? [undefined]).every((kind) => entryFor(kind, entries) !== undefined);
}

const isOpen = (kind: ReportedKind | undefined): boolean => kind?.waiver === undefined;

/** What entries waive of the clause, and which failures are others. */
function besideWaivers(failureKinds: readonly ReportedKind[], entries: readonly Entry[]): Pick<ClauseRecord, 'besideWaivers'> {
  const bound = entries.filter(({ waiver }) => isBound(waiver));
  const open = failureKinds.filter(isOpen).map(kindText);
  if (bound.length === 0 || open.length === 0) return {};
  const waived = bound.map(({ waiver, applied }) => `${kindText(waiver)} (entry ${applied.entry})`);
  return { besideWaivers: `waived was ${waived.join('; ')}. This is ${[...new Set(open)].join('; ')}` };
}

/** The clause without the cases that entries cover. When it is broken was found out from all of them. */
function withoutCovered(record: ClauseRecord, failureKinds: readonly ReportedKind[]): ClauseRecord {
  const isLeft = (one: { readonly failureKinds?: readonly number[] }): boolean =>
    placesOf(one).some((place) => isOpen(failureKinds[place]));
  const { flaky: _flaky, contrast: _contrast, ...rest } = record;
  const cases = (record.cases ?? []).filter(isLeft);
  const [first] = cases;
  const evidence = record.evidence === undefined ? undefined : { ...record.evidence, broken: cases.length };
  return {
    ...rest,
    ...{ failureKinds, cases, findings: record.findings.filter(isLeft) },
    ...(evidence === undefined ? {} : { evidence }),
    ...(first === undefined ? {} : { note: failureNote(first.summary, evidence ?? { broken: cases.length }) }),
  };
}

function waive(record: ClauseRecord, standing: readonly Entry[]): ClauseRecord {
  const entries = record.verdict === 'fail' ? standing.filter(({ waiver }) => clauseOf(waiver) === record.id) : [];
  if (entries.length === 0) return record;
  const applied = (record.failureKinds ?? [undefined]).map((kind) => entryFor(kind, entries));
  const failureKinds = record.failureKinds?.map((kind, place) => ({
    ...kind,
    ...(applied[place] === undefined ? {} : { waiver: applied[place] }),
  }));
  const used = [...new Map(applied.flatMap((one) => (one === undefined ? [] : [[one.entry, one] as const]))).values()];
  if (applied.every((one) => one !== undefined)) {
    const note = used.map(noteOf).join('; ');
    const musts = record.musts.map((must) => (must.verdict === 'fail' ? { ...must, verdict: 'waived' as const, note } : must));
    const { contrast: _contrast, ...rest } = record;
    return { ...rest, musts, ...(failureKinds === undefined ? {} : { failureKinds }), verdict: 'waived', note };
  }
  const left = used.length === 0 || failureKinds === undefined ? record : withoutCovered(record, failureKinds);
  return { ...left, ...besideWaivers(failureKinds ?? [], entries) };
}

/**
 * Known failures become `waived` while their entries are valid; their evidence is kept. A clause with other failures fails by these alone, and says
 * what was waived.
 */
export function waiveClauses(clauses: readonly ClauseRecord[], waivers: readonly Waiver[], today: Date): readonly ClauseRecord[] {
  const entries = unexpiredEntries(waivers, today);
  return entries.length === 0 ? clauses : clauses.map((clause) => waive(clause, entries));
}

export function applyWaivers(clauses: readonly ClauseRecord[], waivers: readonly Waiver[], context: WaiverContext): Waived {
  const staleWaivers = waivers.map((waiver) => whyStale(waiver, clauses, context)).filter((sentence) => sentence !== undefined);
  return { clauses: waiveClauses(clauses, waivers, context.today), staleWaivers };
}

/** Says which entries cover every failure of what they name, if that was judged. */
export function broadNotices(clauses: readonly ClauseRecord[], waivers: readonly Waiver[], today: Date): readonly string[] {
  const broad = unexpiredEntries(waivers, today).filter(
    ({ waiver, applied }) => applied.broad === true && clauses.some(({ id }) => id === clauseOf(waiver)),
  );
  if (broad.length === 0) return [];
  const ids = broad.map(({ waiver }) => waiver.id).join(', ');
  const [subject, them] = broad.length === 1 ? ['1 waiver covers', 'it'] : [`${broad.length} waivers cover`, 'them'];
  return [`${subject} every failure of ${ids}, whatever else breaks there; \`run --update-waivers\` binds ${them} to what fails now`];
}

type FoundFailure = FoundKind & { readonly id: string };

/** Whether the clause is sometimes broken and sometimes not, and nothing shows when: another run may not find it broken. */
function mayComeAndGo({ musts, evidence, failureKinds = [], contrast }: ClauseRecord): boolean {
  const holds = musts.some(({ verdict }) => verdict === 'pass') || (evidence !== undefined && evidence.broken < evidence.judged);
  // What is known of a clause that is waived in part is about all of its failures.
  const isPartly = failureKinds.some(({ waiver }) => waiver !== undefined && waiver.broad !== true);
  return !isPartly && contrast === undefined && holds;
}

/** What the clauses show of each kind that `isWanted`; a kind that another one includes is left out. */
function failuresOf(
  clauses: readonly ClauseRecord[],
  isWanted: (kind: ReportedKind, clause: ClauseRecord) => boolean,
): readonly FoundFailure[] {
  return clauses
    .filter(({ verdict }) => verdict === 'fail' || verdict === 'waived')
    .flatMap((clause) => {
      const { id, cases = [], contrast, failureKinds = [] } = clause;
      const wanted = failureKinds.flatMap((kind, place) => (isWanted(kind, clause) ? [{ kind, place }] : []));
      const distinct = [...new Map(wanted.toReversed().map((one) => [keyOfKind(one.kind), one])).values()].toReversed();
      const isIncluded = ({ kind }: (typeof distinct)[number]): boolean =>
        distinct.some((other) => other.kind !== kind && coversKind(other.kind, kind));
      const hides = waitingFor(id, clauses);
      return distinct
        .filter((one) => !isIncluded(one))
        .map(({ kind: { operation, place: where, expected, received }, place }) => {
          const isOfKind = (one: (typeof cases)[number] | undefined): boolean => one !== undefined && placesOf(one).includes(place);
          const found = cases.find(isOfKind)?.summary ?? clause.note;
          // Whether a failure recurs was asked of its first case.
          const isFlaky = (clause.flaky === true && isOfKind(cases[0])) || mayComeAndGo(clause);
          return {
            id,
            kind: { operation, place: where, expected, received },
            ...(contrast?.when === undefined ? {} : { condition: `${contrast.elsewhere.broken === 0 ? 'only ' : ''}${contrast.when}` }),
            ...(isFlaky ? { flaky: true as const } : {}),
            comment: hides === 0 ? found : `hides ${hides} ${hides === 1 ? 'situation' : 'situations'}; ${found}`,
          };
        });
    });
}

/** By the position of each entry that covers every failure: the failures that it covers now. */
export function boundWaivers(
  clauses: readonly ClauseRecord[],
  waivers: readonly Waiver[],
  today: Date,
): ReadonlyMap<number, readonly FoundFailure[]> {
  const broad = unexpiredEntries(waivers, today).filter(({ applied }) => applied.broad === true);
  const found = broad.map(({ applied: { entry } }) => [entry - 1, failuresOf(clauses, ({ waiver }) => waiver?.entry === entry)] as const);
  return new Map(found.filter(([, failures]) => failures.length > 0));
}

/** The failures that no entry covers, in the order of the clauses. An expired entry counts: its owner decides whether its reason still holds. */
export function unwaived(clauses: readonly ClauseRecord[], waivers: readonly Waiver[]): readonly FoundFailure[] {
  return failuresOf(clauses, (kind, { id }) => !waivers.some((waiver) => clauseOf(waiver) === id && coversKind(waiver, kind)));
}
