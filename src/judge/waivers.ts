import type { ClauseId, ListedClause } from '../clause/clause.ts';
import { presentId, retiredNotices } from '../clause/clause-ids.ts';
import type { AppliedWaiver, ClauseRecord, MustRecord, ReportedKind } from '../clause/clause-record.ts';
import { coversKind, kindText, placesOf } from '../clause/failure-kind.ts';
import type { PartRecord } from '../clause/part-record.ts';
import { failureNote } from '../clause/record-bounds.ts';
import { suggestIds } from './selection.ts';
import {
  type Entry,
  expiredWaiver,
  type FoundFailure,
  failuresOf,
  hasExpired,
  isBound,
  nameOf,
  noteOf,
  standingEntries,
} from './waiver-entries.ts';
import type { Waiver } from './waiver-file.ts';

export type WaiverContext = {
  /** All clauses, selected or not: an entry for one that was left out is not a mistake. */
  readonly registry: readonly ListedClause[];
  /** Today's date, for expiry; not the date used to judge deprecation. */
  readonly today: Date;
  /** Entries that are no longer needed are removed from their file, and are not stale. */
  readonly prunes?: boolean;
};

function names(waiver: Waiver, part: Pick<PartRecord, 'id' | 'clause'>): boolean {
  const id = presentId(waiver.id);
  return id === part.id || id === part.clause;
}

/** The parts that an id names: one, or all of a clause. */
function named(given: string, registry: readonly ListedClause[]): readonly { readonly clause: ClauseId; readonly title: string }[] {
  const id = presentId(given);
  return registry.flatMap((clause) =>
    [...clause.checks, ...clause.invariants]
      .filter((part) => clause.id === id || part.id === id)
      .map(({ title }) => ({ clause: clause.id, title })),
  );
}

export function unknownWaiver({ id }: Waiver, registry: readonly ListedClause[]): string | undefined {
  if (named(id, registry).length > 0) return undefined;
  if (id.endsWith('/canary')) return `the waiver of ${id} is for a check of the canary, which was removed in version 3: remove the entry`;
  return `the waiver of ${id} matches no clause and no check (${suggestIds(id, registry)}): correct its id or remove it`;
}

/** The remark on an entry for a check of an earlier version, or undefined. */
export const retiredWaiver = ({ id }: Waiver): string | undefined => retiredNotices([id])[0];

const isBroken = ({ verdict }: Pick<MustRecord, 'verdict'>): boolean => verdict === 'fail' || verdict === 'waived';

/** The failures of what the entry names, if all of it was judged; undefined if not. */
function judgedKinds(
  waiver: Waiver,
  clauses: readonly ClauseRecord[],
  registry: readonly ListedClause[],
): readonly (ReportedKind | undefined)[] | undefined {
  const parts = named(waiver.id, registry);
  const clause = clauses.find(({ id }) => id === parts[0]?.clause);
  const titles = new Set(parts.map(({ title }) => title));
  const musts = clause?.musts.filter(({ title }) => titles.has(title)) ?? [];
  const isJudged = ({ verdict }: MustRecord): boolean => verdict !== 'inconclusive' && verdict !== 'not-applicable';
  if (clause === undefined || musts.length < titles.size || !musts.every(isJudged)) return undefined;
  const whole = presentId(waiver.id) === clause.id ? [clause] : [];
  return [...whole, ...musts].some(isBroken) ? (clause.failureKinds ?? [undefined]) : [];
}

/** Whether a run showed that nothing fails any more that the entry would waive. An intermittent failure may recur. */
function isNeedless(waiver: Waiver, clauses: readonly ClauseRecord[], registry: readonly ListedClause[]): boolean {
  if (waiver.flaky === true) return false;
  const failureKinds = judgedKinds(waiver, clauses, registry);
  return failureKinds?.every((kind) => isBound(waiver) && kind !== undefined && !coversKind(waiver, kind)) ?? false;
}

/** The positions of entries that are no longer needed. */
export function needlessWaivers(
  clauses: readonly ClauseRecord[],
  waivers: readonly Waiver[],
  registry: readonly ListedClause[],
): readonly number[] {
  return waivers.flatMap((waiver, position) =>
    unknownWaiver(waiver, registry) === undefined && isNeedless(waiver, clauses, registry) ? [position] : [],
  );
}

/**
 * Stale entries, as sentences that say what to do; not empty: the run fails. An entry that was not tested (left out, inconclusive) is left
 * alone.
 */
export function staleWaivers(
  clauses: readonly ClauseRecord[],
  waivers: readonly Waiver[],
  { registry, today, prunes = false }: WaiverContext,
): readonly string[] {
  return waivers.flatMap((waiver) => {
    const known = unknownWaiver(waiver, registry) ?? expiredWaiver(waiver, today);
    if (known !== undefined) return [known];
    const isStale = !prunes && isNeedless(waiver, clauses, registry);
    return isStale ? [`the waiver of ${nameOf(waiver)} is no longer needed, because nothing that it waived fails: remove it`] : [];
  });
}

/** The entry that covers a kind: one for kinds before one for every failure, and one for the part before one for its clause. */
function entryFor(part: PartRecord, kind: ReportedKind | undefined, entries: readonly Entry[]): AppliedWaiver | undefined {
  const rank = ({ waiver }: Entry): number => (isBound(waiver) ? 0 : 2) + (presentId(waiver.id) === part.id ? 0 : 1);
  const covering = entries.filter(({ waiver }) => (kind === undefined ? !isBound(waiver) : coversKind(waiver, kind)));
  return covering.toSorted((one, other) => rank(one) - rank(other))[0]?.applied;
}

/** What entries waive of the clause of these parts, and which failures are others. */
function besideWaivers(parts: readonly PartRecord[], entries: readonly Entry[]): string | undefined {
  const bound = entries.filter(({ waiver }) => isBound(waiver) && parts.some((part) => names(waiver, part)));
  const open = parts.flatMap(({ failureKinds = [] }) =>
    failureKinds.flatMap((kind) => (kind.waiver === undefined ? [kindText(kind)] : [])),
  );
  if (bound.length === 0 || open.length === 0) return undefined;
  const waived = bound.map(({ waiver, applied }) => `${kindText(waiver)} (entry ${applied.entry})`);
  return `waived was ${waived.join('; ')}. This is ${[...new Set(open)].join('; ')}`;
}

/** The part without the cases that entries cover. */
function withoutCovered(part: PartRecord, failureKinds: readonly ReportedKind[]): PartRecord {
  const isOpen = (one: { readonly failureKinds?: readonly number[] }): boolean =>
    placesOf(one).some((place) => failureKinds[place]?.waiver === undefined);
  const { flaky: _flaky, ...rest } = part;
  const cases = (part.cases ?? []).filter(isOpen);
  const [first] = cases;
  const evidence = part.evidence === undefined ? undefined : { ...part.evidence, broken: cases.length };
  return {
    ...rest,
    failureKinds,
    cases,
    findings: part.findings.filter(isOpen),
    ...(evidence === undefined ? {} : { evidence }),
    ...(first === undefined ? {} : { note: failureNote(first.summary, evidence ?? { broken: cases.length }) }),
  };
}

function waive(part: PartRecord, standing: readonly Entry[]): PartRecord {
  const entries = part.verdict === 'fail' ? standing.filter(({ waiver }) => names(waiver, part)) : [];
  if (entries.length === 0) return part;
  const applied = (part.failureKinds ?? [undefined]).map((kind) => entryFor(part, kind, entries));
  const failureKinds = part.failureKinds?.map((kind, place) => ({
    ...kind,
    ...(applied[place] === undefined ? {} : { waiver: applied[place] }),
  }));
  const used = [...new Map(applied.flatMap((one) => (one === undefined ? [] : [[one.entry, one] as const]))).values()];
  if (applied.every((one) => one !== undefined)) {
    const note = used.map(noteOf).join('; ');
    return { ...part, ...(failureKinds === undefined ? {} : { failureKinds }), verdict: 'waived', note };
  }
  return used.length === 0 || failureKinds === undefined ? part : withoutCovered(part, failureKinds);
}

/**
 * Known failures become `waived` while their entries are valid; their evidence is kept. A part with other failures fails by these alone, and says
 * what was waived.
 */
export function waiveParts(parts: readonly PartRecord[], waivers: readonly Waiver[], today: Date): readonly PartRecord[] {
  const entries = standingEntries(waivers, today);
  if (entries.length === 0) return parts;
  const waived = parts.map((part) => waive(part, entries));
  const failing = Map.groupBy(
    waived.filter(({ verdict }) => verdict === 'fail'),
    ({ clause }) => clause,
  );
  const beside = new Map([...failing].map(([clause, all]) => [clause, besideWaivers(all, entries)]));
  const isPartly = ({ failureKinds = [] }: PartRecord): boolean => failureKinds.some(({ waiver }) => waiver !== undefined);
  const partly = new Set(waived.filter(isPartly).map(({ clause }) => clause));
  return waived.map((part) => {
    const said = part.verdict === 'fail' ? beside.get(part.clause) : undefined;
    const { contrast, ...rest } = said === undefined ? part : { ...part, besideWaivers: said };
    // When a clause is broken was found out from all of its failures.
    return contrast === undefined || (part.verdict === 'fail' && partly.has(part.clause)) ? rest : { ...rest, contrast };
  });
}

/** Says which entries cover every failure of what they name, if any of these clauses is named. */
export function broadNotices(clauses: readonly Pick<ClauseRecord, 'id'>[], waivers: readonly Waiver[], today: Date): readonly string[] {
  const broad = standingEntries(waivers, today).filter(
    ({ waiver, applied }) => applied.broad === true && clauses.some((clause) => isOf(waiver, clause)),
  );
  if (broad.length === 0) return [];
  const ids = broad.map(({ waiver }) => waiver.id).join(', ');
  const [subject, them] = broad.length === 1 ? ['1 waiver covers', 'it'] : [`${broad.length} waivers cover`, 'them'];
  return [`${subject} every failure of ${ids}, whatever else breaks there; \`run --update-waivers\` binds ${them} to what fails now`];
}

/** Whether an entry is for a clause or a part of it. */
function isOf(waiver: Waiver, { id }: Pick<ClauseRecord, 'id'>): boolean {
  const named = presentId(waiver.id);
  return named === id || named.startsWith(`${id}/`);
}

/** A kind of failure of a clause, as an updated waiver file describes it. */
/** The failures that no entry covers, in the order of the clauses. An expired entry counts: its owner decides whether its reason still holds. */
export function unwaived(clauses: readonly ClauseRecord[], waivers: readonly Waiver[], today: Date): readonly FoundFailure[] {
  const isCovered = (kind: ReportedKind, clause: ClauseRecord): boolean =>
    kind.waiver !== undefined || waivers.some((waiver) => hasExpired(waiver, today) && isOf(waiver, clause) && coversKind(waiver, kind));
  return failuresOf(clauses, (kind, clause) => !isCovered(kind, clause));
}
