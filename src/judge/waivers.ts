import type { ListedClause } from '../clause/clause.ts';
import { presentId, retiredNotices } from '../clause/clause-ids.ts';
import { coversKind, KIND_FIELDS, keyOfKind, kindText, placesOf } from '../clause/failure-kind.ts';
import { failureNote } from '../clause/record-bounds.ts';
import type { AppliedWaiver, CheckRecord, ReportedKind } from '../clause/run-record.ts';
import { suggestIds } from './selection.ts';
import type { FoundKind, Waiver } from './waiver-file.ts';

export type WaiverContext = {
  /** All clauses, selected or not: an entry for one that was left out is not a mistake. */
  readonly registry: readonly ListedClause[];
  /** Today's date, for expiry; not the date used to judge deprecation. */
  readonly today: Date;
  /** Entries that are no longer needed are removed from their file, and are not stale. */
  readonly prunes?: boolean;
};

export type Waived = {
  readonly checks: readonly CheckRecord[];
  /** Stale entries, as sentences that say what to do; not empty: the run fails. */
  readonly staleWaivers: readonly string[];
};

function names(waiver: Waiver, check: Pick<CheckRecord, 'id' | 'clause'>): boolean {
  const id = presentId(waiver.id);
  return id === check.id || id === check.clause;
}

/** Whether an entry is for one kind of failure; any other one covers every failure of its clause or check. */
const isBound = (waiver: Waiver): boolean => KIND_FIELDS.some((field) => waiver[field] !== undefined);

/** `list.unique`, with the kind that the entry is for. */
function nameOf(waiver: Waiver): string {
  return isBound(waiver) ? `${waiver.id} (${kindText(waiver)})` : waiver.id;
}

function hasExpired(waiver: Waiver, today: Date): boolean {
  return today.toISOString().slice(0, 10) > waiver.expires;
}

function covered(registry: readonly ListedClause[], named: string): string[] {
  const id = presentId(named);
  return registry.flatMap((clause) =>
    [...clause.checks, ...clause.invariants].filter((part) => clause.id === id || part.id === id).map((part) => part.id as string),
  );
}

export function unknownWaiver({ id }: Waiver, registry: readonly ListedClause[]): string | undefined {
  if (covered(registry, id).length > 0) return undefined;
  if (id.endsWith('/canary')) return `the waiver of ${id} is for a check of the canary, which was removed in version 3: remove the entry`;
  return `the waiver of ${id} matches no clause and no check (${suggestIds(id, registry)}): correct its id or remove it`;
}

function expiredWaiver(waiver: Waiver, today: Date): string | undefined {
  if (!hasExpired(waiver, today)) return undefined;
  const { expires, reason } = waiver;
  return `the waiver of ${nameOf(waiver)} expired on ${expires} ("${reason}"): fix the failure, or set a later date if the reason still holds`;
}

const YEAR = 366 * 86_400_000;

/** The remark on an entry that is valid for so long that nobody will look at it again, or undefined. */
function distantWaiver(waiver: Waiver, today: Date): string | undefined {
  const { expires } = waiver;
  if (Date.parse(expires) - today.getTime() <= YEAR) return undefined;
  return `the waiver of ${nameOf(waiver)} is valid until ${expires}, more than a year from today: choose an earlier day, so that somebody looks at the failure again`;
}

export type WaiverRemark = { readonly position: number; readonly text: string };

/**
 * What is wrong with a list of waivers (an id that names nothing, an entry that occurs twice), and the remarks on those that have expired or
 * hardly ever will, or name a check of an earlier version: the same rules for the gate and the monitor, whatever each does with them.
 * `unknown` is `unknownWaiver` for the existing clauses.
 */
export function examineWaivers(
  waivers: readonly Waiver[],
  { unknown, today }: { readonly unknown: (waiver: Waiver) => string | undefined; readonly today: Date },
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
    warnings: [
      ...remarks((waiver) => expiredWaiver(waiver, today) ?? distantWaiver(waiver, today)),
      ...remarks(({ id }) => retiredNotices([id])[0]),
    ],
  };
}

/** The failures of the checks that the entry names, if all of them were judged; undefined if not. */
function judgedKinds(
  waiver: Waiver,
  checks: readonly CheckRecord[],
  registry: readonly ListedClause[],
): readonly (ReportedKind | undefined)[] | undefined {
  const records = checks.filter((check) => names(waiver, check));
  const isJudged = ({ verdict }: CheckRecord): boolean => verdict !== 'inconclusive' && verdict !== 'not-applicable';
  if (records.length < covered(registry, waiver.id).length || !records.every(isJudged)) return undefined;
  return records.flatMap(({ verdict, failureKinds }): readonly (ReportedKind | undefined)[] =>
    verdict === 'fail' || verdict === 'waived' ? (failureKinds ?? [undefined]) : [],
  );
}

/** Whether a run showed that nothing fails any more that the entry would waive. An intermittent failure may recur. */
function isNeedless(waiver: Waiver, checks: readonly CheckRecord[], registry: readonly ListedClause[]): boolean {
  if (waiver.flaky === true) return false;
  const failureKinds = judgedKinds(waiver, checks, registry);
  return failureKinds?.every((kind) => isBound(waiver) && kind !== undefined && !coversKind(waiver, kind)) ?? false;
}

/** The positions of entries that are no longer needed. */
export function needlessWaivers(
  checks: readonly CheckRecord[],
  waivers: readonly Waiver[],
  registry: readonly ListedClause[],
): readonly number[] {
  return waivers.flatMap((waiver, position) =>
    unknownWaiver(waiver, registry) === undefined && isNeedless(waiver, checks, registry) ? [position] : [],
  );
}

/** Why an entry is stale, or undefined. An entry that was not tested (left out, inconclusive) is left alone. */
function staleWaiver(
  waiver: Waiver,
  checks: readonly CheckRecord[],
  { registry, today, prunes = false }: WaiverContext,
): string | undefined {
  const known = unknownWaiver(waiver, registry) ?? expiredWaiver(waiver, today);
  if (known !== undefined) return known;
  return !prunes && isNeedless(waiver, checks, registry)
    ? `the waiver of ${nameOf(waiver)} is no longer needed, because nothing that it waived fails: remove it`
    : undefined;
}

type Entry = { readonly waiver: Waiver; readonly applied: AppliedWaiver };

/** The entries that have not expired, with what reports show of them. */
function standingEntries(waivers: readonly Waiver[], today: Date): readonly Entry[] {
  return waivers.flatMap((waiver, index) => {
    const { reason, ticket, expires } = waiver;
    const shown = { entry: index + 1, reason, ...(ticket === undefined ? {} : { ticket }), expires };
    return hasExpired(waiver, today) ? [] : [{ waiver, applied: isBound(waiver) ? shown : { ...shown, broad: true as const } }];
  });
}

/** The entry that covers a kind: one for kinds before one for every failure, and one for the check before one for its clause. */
function entryFor(check: CheckRecord, kind: ReportedKind | undefined, entries: readonly Entry[]): AppliedWaiver | undefined {
  const rank = ({ waiver }: Entry): number => (isBound(waiver) ? 0 : 2) + (presentId(waiver.id) === check.id ? 0 : 1);
  const covering = entries.filter(({ waiver }) => (kind === undefined ? !isBound(waiver) : coversKind(waiver, kind)));
  return covering.toSorted((one, other) => rank(one) - rank(other))[0]?.applied;
}

function noteOf({ reason, ticket, expires }: AppliedWaiver): string {
  return `${reason} (${ticket === undefined ? '' : `${ticket}, `}until ${expires})`;
}

/** What entries waive of the clause of these checks, and which failures are others. */
function besideWaivers(checks: readonly CheckRecord[], entries: readonly Entry[]): string | undefined {
  const bound = entries.filter(({ waiver }) => isBound(waiver) && checks.some((check) => names(waiver, check)));
  const open = checks.flatMap(({ failureKinds = [] }) =>
    failureKinds.flatMap((kind) => (kind.waiver === undefined ? [kindText(kind)] : [])),
  );
  if (bound.length === 0 || open.length === 0) return undefined;
  const waived = bound.map(({ waiver, applied }) => `${kindText(waiver)} (entry ${applied.entry})`);
  return `waived was ${waived.join('; ')}. This is ${[...new Set(open)].join('; ')}`;
}

/** The check without the cases that entries cover. */
function withoutCovered(check: CheckRecord, failureKinds: readonly ReportedKind[]): CheckRecord {
  const isOpen = (one: { readonly failureKinds?: readonly number[] }): boolean =>
    placesOf(one).some((place) => failureKinds[place]?.waiver === undefined);
  const { flaky: _flaky, ...rest } = check;
  const cases = (check.cases ?? []).filter(isOpen);
  const [first] = cases;
  const evidence = check.evidence === undefined ? undefined : { ...check.evidence, broken: cases.length };
  return {
    ...rest,
    failureKinds,
    cases,
    findings: check.findings.filter(isOpen),
    ...(evidence === undefined ? {} : { evidence }),
    ...(first === undefined ? {} : { note: failureNote(first.summary, evidence ?? { broken: cases.length }) }),
  };
}

function waive(check: CheckRecord, standing: readonly Entry[]): CheckRecord {
  const entries = check.verdict === 'fail' ? standing.filter(({ waiver }) => names(waiver, check)) : [];
  if (entries.length === 0) return check;
  const applied = (check.failureKinds ?? [undefined]).map((kind) => entryFor(check, kind, entries));
  const failureKinds = check.failureKinds?.map((kind, place) => ({
    ...kind,
    ...(applied[place] === undefined ? {} : { waiver: applied[place] }),
  }));
  const used = [...new Map(applied.flatMap((one) => (one === undefined ? [] : [[one.entry, one] as const]))).values()];
  if (applied.every((one) => one !== undefined)) {
    const note = used.map(noteOf).join('; ');
    return { ...check, ...(failureKinds === undefined ? {} : { failureKinds }), verdict: 'waived', note };
  }
  return used.length === 0 || failureKinds === undefined ? check : withoutCovered(check, failureKinds);
}

/**
 * Known failures become `waived` while their entries are valid; their evidence is kept. A check with other failures fails by these alone, and says
 * what was waived.
 */
export function waiveChecks(checks: readonly CheckRecord[], waivers: readonly Waiver[], today: Date): readonly CheckRecord[] {
  const entries = standingEntries(waivers, today);
  if (entries.length === 0) return checks;
  const waived = checks.map((check) => waive(check, entries));
  const failing = Map.groupBy(
    waived.filter(({ verdict }) => verdict === 'fail'),
    ({ clause }) => clause,
  );
  const beside = new Map([...failing].map(([clause, all]) => [clause, besideWaivers(all, entries)]));
  const isPartly = ({ failureKinds = [] }: CheckRecord): boolean => failureKinds.some(({ waiver }) => waiver !== undefined);
  const partly = new Set(waived.filter(isPartly).map(({ clause }) => clause));
  return waived.map((check) => {
    const said = check.verdict === 'fail' ? beside.get(check.clause) : undefined;
    const { contrast, ...rest } = said === undefined ? check : { ...check, besideWaivers: said };
    // When a clause is broken was found out from all of its failures.
    return contrast === undefined || (check.verdict === 'fail' && partly.has(check.clause)) ? rest : { ...rest, contrast };
  });
}

export function applyWaivers(checks: readonly CheckRecord[], waivers: readonly Waiver[], context: WaiverContext): Waived {
  const staleWaivers = waivers.map((waiver) => staleWaiver(waiver, checks, context)).filter((sentence) => sentence !== undefined);
  return { checks: waiveChecks(checks, waivers, context.today), staleWaivers };
}

/** Says which entries cover every failure of what they name, if any of these checks is. */
export function broadNotices(checks: readonly CheckRecord[], waivers: readonly Waiver[], today: Date): readonly string[] {
  const broad = standingEntries(waivers, today).filter(
    ({ waiver, applied }) => applied.broad === true && checks.some((check) => names(waiver, check)),
  );
  if (broad.length === 0) return [];
  const ids = broad.map(({ waiver }) => waiver.id).join(', ');
  const [subject, them] = broad.length === 1 ? ['1 waiver covers', 'it'] : [`${broad.length} waivers cover`, 'them'];
  return [`${subject} every failure of ${ids}, whatever else breaks there; \`run --update-waivers\` binds ${them} to what fails now`];
}

export function waitingFor(clause: string, checks: readonly Pick<CheckRecord, 'blockedBy'>[]): number {
  return checks.filter(({ blockedBy }) => blockedBy === clause).length;
}

/** A kind of failure of a clause, as an updated waiver file describes it. */
export type FoundFailure = FoundKind & { readonly id: string };

/** Whether the first case of the check, which tells whether the failure recurs, is of that kind. */
const isOfFirst = ({ check: { cases: [first] = [] }, place }: { readonly check: CheckRecord; readonly place: number }): boolean =>
  first !== undefined && placesOf(first).includes(place);

/** Whether the clause is sometimes broken and sometimes not, and nothing shows when: another run may not find it broken. */
function mayComeAndGo(clause: string, checks: readonly CheckRecord[]): boolean {
  const own = checks.filter((check) => check.clause === clause);
  const holds = ({ verdict, evidence }: CheckRecord): boolean =>
    verdict === 'pass' || (evidence !== undefined && evidence.broken < evidence.judged);
  // What is known of a clause that is waived in part is about all of its failures.
  const isPartly = own.some(({ failureKinds = [] }) => failureKinds.some(({ waiver }) => waiver !== undefined && waiver.broad !== true));
  return !isPartly && own.every(({ contrast }) => contrast === undefined) && own.some(holds);
}

/** What the checks show of each kind that `isWanted`, by its clause; a kind that another one includes is left out. */
function failuresOf(
  checks: readonly CheckRecord[],
  isWanted: (kind: ReportedKind, check: CheckRecord) => boolean,
): readonly FoundFailure[] {
  const all = checks.flatMap((check) =>
    check.verdict !== 'fail' && check.verdict !== 'waived'
      ? []
      : (check.failureKinds ?? []).flatMap((kind, place) => (isWanted(kind, check) ? [{ check, kind, place }] : [])),
  );
  const same = Map.groupBy(all, ({ check, kind }) => `${check.clause}\n${keyOfKind(kind)}`);
  const firsts = [...same.values()].flatMap(([first, ...others]) => (first === undefined ? [] : [{ ...first, others }]));
  const isIncluded = ({ check, kind }: (typeof firsts)[number]): boolean =>
    firsts.some((other) => other.check.clause === check.clause && other.kind !== kind && coversKind(other.kind, kind));
  return firsts
    .filter((one) => !isIncluded(one))
    .map(({ check, kind, place, others }) => {
      const { must, place: where, expected, received } = kind;
      const found = check.cases?.find((one) => placesOf(one).includes(place))?.summary ?? check.note;
      const hides = waitingFor(check.clause, checks);
      const when = [check, ...others.map((one) => one.check)].find(({ contrast }) => contrast?.when !== undefined)?.contrast?.when;
      const isFlaky =
        [{ check, place }, ...others].every((one) => one.check.flaky === true && isOfFirst(one)) || mayComeAndGo(check.clause, checks);
      return {
        id: check.clause,
        kind: { must, place: where, expected, received },
        ...(when === undefined ? {} : { condition: `only ${when}` }),
        ...(isFlaky ? { flaky: true as const } : {}),
        comment: hides === 0 ? found : `hides ${hides} ${hides === 1 ? 'check' : 'checks'}; ${found}`,
      };
    });
}

/** The failures that no entry covers, in the order of the checks. An expired entry counts: its owner decides whether its reason still holds. */
export function unwaived(checks: readonly CheckRecord[], waivers: readonly Waiver[]): readonly FoundFailure[] {
  return failuresOf(checks, (kind, check) => !waivers.some((waiver) => names(waiver, check) && coversKind(waiver, kind)));
}

/** By the position of each entry that covers every failure: the failures that it covers now. */
export function boundWaivers(
  checks: readonly CheckRecord[],
  waivers: readonly Waiver[],
  today: Date,
): ReadonlyMap<number, readonly FoundFailure[]> {
  const broad = standingEntries(waivers, today).filter(({ applied }) => applied.broad === true);
  const found = broad.map(({ applied: { entry } }) => [entry - 1, failuresOf(checks, ({ waiver }) => waiver?.entry === entry)] as const);
  return new Map(found.filter(([, failures]) => failures.length > 0));
}
