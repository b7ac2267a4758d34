// Which clause the shape of a contradiction names: the one place in which this is decided.

import type { ClauseId } from '../clause/clause.ts';
import type { Field } from '../schema/pet.ts';
import { once } from '../wire/once.ts';
import type { Case } from './rule.ts';
import { isSettled } from './standing.ts';
import { hasRoom, limitIn, type Place, type Snapshot, type TimelineView } from './timeline-view.ts';
import { keyOf } from './world.ts';

/**
 * `lost`: in no place. `missing`: never right at that request. `gone`: right before, wrong ever since. `flapping`: now right, now wrong, at the same
 * request. `disagreeing`: right in one place, wrong in another.
 */
export type Shape = 'lost' | 'missing' | 'gone' | 'flapping' | 'disagreeing';
export type Aspect = 'existence' | 'value';

const everywhere = (clause: ClauseId): Readonly<Record<Place, ClauseId>> => ({ list: clause, filtered: clause, read: clause });
const WHERE_IT_IS_ASKED = { list: 'list.complete', filtered: 'list.filter-complete', read: 'get.success' } as const;

export const CLAUSES_BY_SHAPE: Readonly<Record<Aspect, Readonly<Record<Shape, Readonly<Record<Place, ClauseId>>>>>> = {
  existence: {
    ...{ lost: WHERE_IT_IS_ASKED, missing: WHERE_IT_IS_ASKED, gone: everywhere('get.durable') },
    flapping: { list: 'list.read-only', filtered: 'list.filter-complete', read: 'get.durable' },
    disagreeing: everywhere('get.agrees-with-list'),
  },
  value: {
    ...{ lost: everywhere('create.round-trip'), missing: everywhere('create.round-trip'), gone: everywhere('get.durable') },
    flapping: { list: 'list.read-only', filtered: 'list.read-only', read: 'get.repeatable' },
    disagreeing: everywhere('get.agrees-with-list'),
  },
};

export const PLACES: readonly Place[] = ['list', 'filtered', 'read'];

/** Where the clause looks for animals: everywhere, unless a shape names it in some places only. */
export function placesOfClause(clause: ClauseId): readonly Place[] {
  const shapes = Object.values(CLAUSES_BY_SHAPE).flatMap((all) => Object.values(all));
  const own = PLACES.filter((place) => shapes.some((owners) => owners[place] === clause));
  return own.length === 0 ? PLACES : own;
}

/** In place of CLAUSES_BY_SHAPE, if an unusual value is not shown as it was sent, or an animal with one is missing, and plain animals are not. */
export const UNUSUAL_VALUE_CLAUSES = { name: 'create.unusual-names', categoryId: 'create.unusual-categories' } as const;

/** The requests between the last right observation and exchange `until`, from which on the animal stays wrong. */
export type Change = { readonly until: number; readonly operations: ReadonlySet<string>; readonly wasRead: boolean };

export type TimelineCase = Case & {
  readonly clause: ClauseId;
  readonly shape?: Shape;
  readonly aspect?: Aspect;
  readonly field?: Field;
  readonly wrongs?: readonly Snapshot[];
  /** Where the shape is `gone`. */
  readonly change?: Change;
};

/** What is broken, as far as it may be a reason: many cases are alike in that. */
type PossibleReason = Pick<TimelineCase, 'clause' | 'shape' | 'aspect'> & { readonly places: ReadonlySet<Place> };

/** Whether no list with a status shows the animal, and the list without it, otherwise the same, does: before one of them, and each time that it must. */
function isLeftOutByFilter(
  { animal: id, wrongs = [] }: TimelineCase,
  byKey: ReadonlyMap<string, readonly Snapshot[]>,
  view: TimelineView,
): boolean {
  const animal = id === undefined ? undefined : view.animals.get(id);
  if (animal === undefined || animal.snapshots.some(({ place }) => place === 'filtered')) return false;
  const isOmitted = (snapshot: Snapshot): boolean =>
    !snapshot.shown.has(animal.id) && hasRoom(snapshot, view) && isSettled(animal.since, snapshot.exchange, view.world);
  return wrongs.some(({ place, exchange }) => {
    const twins = place === 'filtered' ? (byKey.get(keyOf(exchange, { kind: 'absent' })) ?? []) : [];
    return twins.some((twin) => twin.shown.has(animal.id) && twin.exchange.at < exchange.at) && !twins.some(isOmitted);
  });
}

function mayExplain(reason: PossibleReason, missing: PossibleReason, isOfFilter: () => boolean): boolean {
  // A list that omits an animal now and then is no reason why a read does not find it.
  if (missing.places.has('read') && reason.shape === 'flapping' && !reason.places.has('read')) return reason.aspect === 'value';
  if (missing.places.has('filtered')) return reason.clause !== 'list.complete' || !isOfFilter();
  // An animal that is shown otherwise than before is there, and only a filter may leave it out for that.
  return missing.places.has('read') || reason.aspect !== 'value';
}

const reasonOf = ({ clause, shape, aspect, wrongs = [] }: TimelineCase): PossibleReason => ({
  clause,
  ...(shape === undefined ? {} : { shape }),
  ...(aspect === undefined ? {} : { aspect }),
  places: new Set(wrongs.map(({ place }) => place)),
});

function createReasonIndex<Key>() {
  const known = new Map<Key, Map<string, PossibleReason>>();
  return {
    add(key: Key, name: string, reason: PossibleReason): void {
      const all = known.get(key) ?? new Map<string, PossibleReason>();
      known.set(key, all.set(name, reason));
    },
    of: (key: Key): ReadonlyMap<string, PossibleReason> => known.get(key) ?? new Map<string, PossibleReason>(),
  };
}

/** The cases, each with the clauses that are broken for the same animal, or on one of its exchanges, and can't be the reason. */
export function addClearedClauses(cases: readonly TimelineCase[], view: TimelineView): readonly TimelineCase[] {
  const [byAnimal, byExchange] = [createReasonIndex<bigint | undefined>(), createReasonIndex<number>()];
  const broken = new Map<TimelineCase, PossibleReason>();
  for (const one of cases) {
    if (one.breach === undefined) continue;
    const reason = reasonOf(one);
    const name = [reason.clause, reason.shape, reason.aspect, ...reason.places].join();
    broken.set(one, reason);
    byAnimal.add(one.animal, name, reason);
    for (const { number } of one.others ?? []) byExchange.add(number, name, reason);
  }
  const byKey = Map.groupBy(view.lists, ({ key }) => key);
  return cases.map((one) => {
    const missing = broken.get(one);
    if (missing === undefined || one.aspect !== 'existence') return one;
    const isOfFilter = once(() => isLeftOutByFilter(one, byKey, view));
    const reasons = new Map([...byAnimal.of(one.animal), ...(one.others ?? []).flatMap(({ number }) => [...byExchange.of(number)])]);
    const others = [...Map.groupBy(reasons.values(), ({ clause }) => clause)].flatMap(([clause, all]) =>
      all.some((reason) => mayExplain(reason, missing, isOfFilter)) ? [] : [clause],
    );
    // No default cuts a list that names its limit.
    const isLimited = (one.wrongs ?? []).some(({ place, exchange }) => place !== 'read' && limitIn(exchange) !== undefined);
    const cleared: readonly ClauseId[] = isLimited ? [...others, 'list.limit-default'] : others;
    return cleared.length === 0 ? one : { ...one, cleared };
  });
}
