import type { ListedClause } from '../clause/clause.ts';
import { presentId, retiredNotices } from '../clause/clause-ids.ts';
import type { CheckRecord } from '../clause/run-record.ts';
import { suggestIds } from './selection.ts';
import type { Waiver } from './waiver-file.ts';

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

function covers(waiver: Waiver, check: Pick<CheckRecord, 'id' | 'clause'>): boolean {
  const id = presentId(waiver.id);
  return id === check.id || id === check.clause;
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
  const { id, expires, reason } = waiver;
  return `the waiver of ${id} expired on ${expires} ("${reason}"): fix the failure, or set a later date if the reason still holds`;
}

const YEAR = 366 * 86_400_000;

/** The remark on an entry that is valid for so long that nobody will look at it again, or undefined. */
function distantWaiver({ id, expires }: Waiver, today: Date): string | undefined {
  if (Date.parse(expires) - today.getTime() <= YEAR) return undefined;
  return `the waiver of ${id} is valid until ${expires}, more than a year from today: choose an earlier day, so that somebody looks at the failure again`;
}

export type WaiverRemark = { readonly position: number; readonly text: string };

/**
 * What is wrong with a list of waivers (an id that names nothing, an id that occurs twice), and the remarks on those that have expired or
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
  const first = new Map(waivers.map(({ id }, position) => [id, position] as const).toReversed());
  const twice = remarks(({ id }, position) => (first.get(id) === position ? undefined : `${id} is waived twice; keep one entry`));
  return {
    problems: [...remarks(unknown), ...twice],
    warnings: [
      ...remarks((waiver) => expiredWaiver(waiver, today) ?? distantWaiver(waiver, today)),
      ...remarks(({ id }) => retiredNotices([id])[0]),
    ],
  };
}

function isNeedless(waiver: Waiver, checks: readonly CheckRecord[], registry: readonly ListedClause[]): boolean {
  const records = checks.filter((check) => covers(waiver, check));
  const areAll = records.length === covered(registry, waiver.id).length;
  return areAll && records.every(({ verdict }) => verdict === 'pass' || verdict === 'observed');
}

export function needlessWaivers(
  checks: readonly CheckRecord[],
  waivers: readonly Waiver[],
  registry: readonly ListedClause[],
): readonly string[] {
  return waivers
    .filter((waiver) => unknownWaiver(waiver, registry) === undefined && isNeedless(waiver, checks, registry))
    .map(({ id }) => id);
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
    ? `the waiver of ${waiver.id} is no longer needed, because nothing that it waived fails: remove it`
    : undefined;
}

function noteOf({ reason, ticket, expires }: Waiver): string {
  return `${reason} (${ticket === undefined ? '' : `${ticket}, `}until ${expires})`;
}

/** Known failures become `waived` while their entries are valid; their evidence is kept. */
export function waiveChecks(checks: readonly CheckRecord[], waivers: readonly Waiver[], today: Date): readonly CheckRecord[] {
  const standing = waivers.filter((waiver) => !hasExpired(waiver, today));
  return checks.map((check): CheckRecord => {
    if (check.verdict !== 'fail') return check;
    // The entry for the check itself takes precedence over one for its clause.
    const waiver = standing.find(({ id }) => presentId(id) === check.id) ?? standing.find(({ id }) => presentId(id) === check.clause);
    return waiver === undefined ? check : { ...check, verdict: 'waived', note: noteOf(waiver) };
  });
}

export function applyWaivers(checks: readonly CheckRecord[], waivers: readonly Waiver[], context: WaiverContext): Waived {
  const staleWaivers = waivers.map((waiver) => staleWaiver(waiver, checks, context)).filter((sentence) => sentence !== undefined);
  return { checks: waiveChecks(checks, waivers, context.today), staleWaivers };
}

/** A broken clause that an updated waiver file needs an entry for. */
export type Unwaived = {
  readonly id: string /** The first finding. */;
  readonly found: string /** Checks and invariants that wait for it. */;
  readonly hides: number;
};

export function waitingFor(clause: string, checks: readonly Pick<CheckRecord, 'blockedBy'>[]): number {
  return checks.filter(({ blockedBy }) => blockedBy === clause).length;
}

/** One entry for each clause with a failure that no entry covers, in the order of the checks. */
export function unwaived(checks: readonly CheckRecord[]): readonly Unwaived[] {
  const found = new Map<string, string>();
  for (const { clause, verdict, note } of checks) if (verdict === 'fail' && !found.has(clause)) found.set(clause, note);
  return [...found].map(([id, note]) => ({ id, found: note, hides: waitingFor(id, checks) }));
}
