// What the broken cases of a clause share and the good ones lack.
import type { BlamedCase } from './blame.ts';
import {
  animalCircumstances,
  CIRCUMSTANCE_KINDS,
  type Circumstance,
  type CircumstanceKind,
  companyOf,
  eventCircumstances,
} from './circumstances.ts';
import type { Event } from './event.ts';
import type { World } from './world.ts';

/** How many of so many are broken. */
export type Broken = { readonly broken: number; readonly of: number };

/** When a clause is broken. */
export type Contrast = {
  /** Completes "Only …"; undefined where every case is broken. */
  readonly when: string | undefined;
  /** Cases to which that applies, and all others. */
  readonly there: Broken;
  readonly elsewhere: Broken;
  /** What is counted. */
  readonly unit: 'response' | 'animal';
  /** A broken case, and the good case that is nearest to it. */
  readonly broken: Event;
  readonly twin: Event | undefined;
};

/** What is broken or not: a response, or an animal, however often it was seen. */
type Unit = { readonly event: Event; readonly broken: boolean; readonly circumstances: ReadonlyMap<string, Circumstance> };

/** What may be special: a condition on units. */
type Condition = {
  readonly says: string;
  readonly rank: number;
  /** Whether it is a threshold, of which there are many to choose from. */
  readonly threshold: boolean;
  /** Whether what it says is what was sent on purpose: what is broken there alone is broken for that. */
  readonly purpose: boolean;
  readonly holds: (unit: Unit) => boolean;
};

type Fit = { readonly condition: Condition; readonly there: Broken; readonly elsewhere: Broken };

/** Nearly all broken cases are there, and few good ones. */
const LEAST_COVERED = 0.95;
const LEAST_PURE = 0.9;
/** Where others are broken at all: how often, of how often what is named is. */
const MOST_ELSEWHERE = 1 / 3;
/** How likely chance alone may make as good a condition, all that were tried taken together. */
const MOST_CHANCE = 0.01;
/** Conditions that are combined in pairs: those that the broken cases have in common and most good ones lack. */
const MOST_PAIRED = 40;
const MOST_UNITS = 6_000;

/** What is sent to see whether it makes a difference. */
const ON_PURPOSE: readonly string[] = ['note', 'credential'];
/** So many values of one circumstance can be named together, unless each request has another one. */
const MOST_VALUES = 3;
const NEVER_LISTED: readonly CircumstanceKind[] = ['at the same time', 'time', 'count'];
/** Each animal has another one: two of them have nothing in common. */
const ID = 'id';

const rankOf = ({ kind }: Circumstance): number => CIRCUMSTANCE_KINDS.indexOf(kind);

function countOf(units: readonly Unit[], { holds }: Condition): { readonly there: Broken; readonly elsewhere: Broken } {
  let [there, brokenThere, broken] = [0, 0, 0];
  for (const unit of units) {
    if (unit.broken) broken += 1;
    if (!holds(unit)) continue;
    there += 1;
    if (unit.broken) brokenThere += 1;
  }
  return { there: { broken: brokenThere, of: there }, elsewhere: { broken: broken - brokenThere, of: units.length - there } };
}

const shareOf = ({ broken, of }: Broken): number => broken / Math.max(1, of);

/** Whether it holds for nearly all that is broken, and for little else, and makes a difference: the others are broken much less often. */
function isTelling({ there, elsewhere }: Omit<Fit, 'condition'>): boolean {
  const broken = there.broken + elsewhere.broken;
  const differs = elsewhere.of > elsewhere.broken && shareOf(elsewhere) <= MOST_ELSEWHERE * shareOf(there);
  return differs && there.broken >= LEAST_COVERED * broken && shareOf(there) >= LEAST_PURE;
}

/** How likely it is that chance puts as many broken cases there, of one condition. */
function chanceOf({ there, elsewhere }: Omit<Fit, 'condition'>): number {
  return (there.of / (there.of + elsewhere.of)) ** there.broken;
}

/** Whether it was sent to make a difference, and makes all of it. */
const isOnPurpose = ({ condition, there, elsewhere }: Fit): boolean =>
  condition.purpose && there.of === there.broken && elsewhere.broken === 0;

const errorsOf = ({ there, elsewhere }: Fit): number => there.of - there.broken + elsewhere.broken;

function best(fits: readonly Fit[]): Fit | undefined {
  return fits.toSorted(
    (a, b) =>
      errorsOf(a) - errorsOf(b) || a.condition.rank - b.condition.rank || Number(a.condition.threshold) - Number(b.condition.threshold),
  )[0];
}

/** Conditions that are a value of a circumstance. */
function valuesIn(broken: readonly Unit[]): readonly Condition[] {
  const [first] = broken;
  if (first === undefined) return [];
  return [...first.circumstances].map(([of, one]) => ({
    says: one.says,
    rank: rankOf(one),
    threshold: false,
    purpose: ON_PURPOSE.includes(of),
    holds: (unit) => unit.circumstances.get(of)?.says === one.says,
  }));
}

/** Conditions that are one of a few values of a circumstance, each of which is broken by itself. */
function fewValuesIn(broken: readonly Unit[]): readonly Condition[] {
  const [first] = broken;
  return [...(first?.circumstances ?? [])].flatMap(([of, one]): Condition[] => {
    if (NEVER_LISTED.includes(one.kind) || of === ID) return [];
    const values = new Set(broken.map(({ circumstances }) => circumstances.get(of)?.says));
    if (values.size < 2 || values.size > MOST_VALUES || values.has(undefined)) return [];
    const says = [...values].join(' or ');
    const purpose = ON_PURPOSE.includes(of);
    return [{ says, rank: rankOf(one), threshold: false, purpose, holds: (unit) => values.has(unit.circumstances.get(of)?.says) }];
  });
}

/** Conditions that are a threshold of a number: the least and the most that is broken. */
function thresholdsIn(broken: readonly Unit[]): readonly Condition[] {
  const [first] = broken;
  return [...(first?.circumstances ?? [])].flatMap(([of, one]): Condition[] => {
    const scales = broken.map(({ circumstances }) => circumstances.get(of)?.scale);
    const values = scales.flatMap((scale) => (scale === undefined ? [] : [scale.value]));
    if (one.scale === undefined || values.length < broken.length) return [];
    const [least, most] = [Math.min(...values), Math.max(...values)];
    const numberIn = ({ circumstances }: Unit): number | undefined => circumstances.get(of)?.scale?.value;
    return [
      {
        says: one.scale.least(least),
        rank: rankOf(one),
        threshold: true,
        purpose: false,
        holds: (unit) => (numberIn(unit) ?? Number.NEGATIVE_INFINITY) >= least,
      },
      {
        says: one.scale.most(most),
        rank: rankOf(one),
        threshold: true,
        purpose: false,
        holds: (unit) => (numberIn(unit) ?? Number.POSITIVE_INFINITY) <= most,
      },
    ];
  });
}

function pairsOf(units: readonly Unit[], conditions: readonly Condition[]): readonly Condition[] {
  // Of each, what it leaves of the good ones: without leaving any out, it adds nothing.
  const narrowing = conditions
    .map((condition) => ({ condition, fit: { condition, ...countOf(units, condition) } }))
    .filter(
      ({ fit: { there, elsewhere } }) =>
        there.broken >= LEAST_COVERED * (there.broken + elsewhere.broken) && elsewhere.of > elsewhere.broken,
    )
    .toSorted((a, b) => a.fit.there.of - b.fit.there.of)
    .slice(0, MOST_PAIRED);
  return narrowing.flatMap(({ condition: one }, index) =>
    narrowing.slice(index + 1).map(({ condition: other }): Condition => {
      const [first, second] = one.rank <= other.rank ? [one, other] : [other, one];
      return {
        says: `${first.says} and ${second.says}`,
        rank: first.rank + second.rank,
        threshold: one.threshold || other.threshold,
        purpose: false,
        holds: (unit) => one.holds(unit) && other.holds(unit),
      };
    }),
  );
}

/** The simplest condition that tells what is broken from what is not, unless chance alone may have made one. */
function conditionOf(units: readonly Unit[]): Fit | undefined {
  const broken = units.filter((unit) => unit.broken);
  if (broken.length === 0 || broken.length === units.length) return undefined;
  const single = [...valuesIn(broken), ...thresholdsIn(broken)];
  const found = (conditions: readonly Condition[], tried: number): Fit | undefined =>
    best(
      conditions
        .map((condition) => ({ condition, ...countOf(units, condition) }))
        .filter((fit) => isTelling(fit) && (isOnPurpose(fit) || chanceOf(fit) * tried <= MOST_CHANCE)),
    );
  const paired = single.filter(({ threshold }) => !threshold);
  return found(single, single.length) ?? found(fewValuesIn(broken), single.length) ?? found(pairsOf(units, paired), paired.length ** 2);
}

/** How alike two units are: in how many circumstances they differ. */
function differencesOf(one: Unit, other: Unit): number {
  let count = 0;
  for (const [of, { says, kind }] of one.circumstances)
    if (kind !== 'time' && kind !== 'count' && other.circumstances.get(of)?.says !== says) count += 1;
  return count;
}

/** How far apart their parameters are, where these are numbers. */
function distanceOf(one: Unit, other: Unit): number {
  let sum = 0;
  for (const [of, { kind, scale }] of one.circumstances) {
    const value = other.circumstances.get(of)?.scale?.value;
    if (kind === 'parameters' && scale !== undefined && value !== undefined) sum += Math.abs(scale.value - value);
  }
  return sum;
}

/** The good unit that is nearest to a broken one, and differs from it in the condition. */
function twinOf(units: readonly Unit[], { condition }: Fit, to: Unit): Event | undefined {
  const { operation } = to.event.intent;
  const good = units.filter((unit) => !unit.broken && !condition.holds(unit) && unit.event.intent.operation === operation);
  const near = good.map((unit) => ({ unit, away: differencesOf(to, unit), far: distanceOf(to, unit) }));
  return near.toSorted((a, b) => a.away - b.away || a.far - b.far)[0]?.unit.event;
}

const byPlace = (all: readonly Circumstance[]): ReadonlyMap<string, Circumstance> => new Map(all.map((one) => [one.of, one]));

/** What is special about each response and animal of a run, found out once. */
type Context = {
  readonly ofEvent: (event: Event) => Unit['circumstances'];
  readonly ofAnimal: (id: bigint) => Unit['circumstances'];
};

function oncePer<Key, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const made = new Map<Key, Value>();
  return (key) => {
    const value = made.get(key) ?? make(key);
    made.set(key, value);
    return value;
  };
}

function contextOf(world: World): Context {
  const company = companyOf(world);
  const births = new Map<bigint, Event>();
  for (const event of world.events) if (event.intent.operation === 'createPet' && event.pet !== undefined) births.set(event.pet.id, event);
  const ofAnimal = oncePer((id: bigint) => byPlace(animalCircumstances({ id, birth: births.get(id) }, company)));
  return {
    ofAnimal,
    ofEvent: oncePer((event: Event) => {
      const { petId } = event.intent;
      const own = byPlace(eventCircumstances(event, company));
      // Of a read, the animal tells as well.
      return petId === undefined ? own : new Map([...own, ...ofAnimal(petId)]);
    }),
  };
}

/** Animals: each once, and broken if one of its cases is. */
function animalsIn(cases: readonly BlamedCase[], { ofAnimal }: Context): readonly Unit[] {
  const byAnimal = Map.groupBy(cases, ({ animal }) => animal);
  return [...byAnimal].flatMap(([id, all]): Unit[] => {
    const shown = all.find(({ breach }) => breach !== undefined) ?? all[0];
    if (id === undefined || shown === undefined) return [];
    return [{ event: shown.event, broken: shown.breach !== undefined, circumstances: ofAnimal(id) }];
  });
}

/** Responses: each once, and broken if one of its cases is. */
function responsesIn(cases: readonly BlamedCase[], { ofEvent }: Context): readonly Unit[] {
  const byEvent = Map.groupBy(cases, ({ event }) => event);
  return [...byEvent].map(([event, all]) => ({
    event,
    broken: all.some(({ breach }) => breach !== undefined),
    circumstances: ofEvent(event),
  }));
}

/** Responses of the operations that are broken: what others came to says nothing. */
function ofBrokenOperations(units: readonly Unit[]): readonly Unit[] {
  const operations = new Set(units.filter(({ broken }) => broken).map(({ event }) => event.intent.operation));
  return units.filter(({ event }) => operations.has(event.intent.operation));
}

const LEAST_ALWAYS = 2;

function contrastIn(units: readonly Unit[], unit: Contrast['unit']): Contrast | undefined {
  if (units.length > MOST_UNITS) return undefined;
  const fit = conditionOf(units);
  const broken = units.find((one) => one.broken && fit?.condition.holds(one) === true);
  if (fit === undefined || broken === undefined) return undefined;
  const { condition, there, elsewhere } = fit;
  return { when: condition.says, there, elsewhere, unit, broken: broken.event, twin: twinOf(units, fit, broken) };
}

/** That every response is broken, or every one of an operation. */
function alwaysIn(all: readonly Unit[]): Contrast | undefined {
  const units = ofBrokenOperations(all);
  const [first, ...others] = units;
  if (first === undefined || units.length < LEAST_ALWAYS || units.some(({ broken }) => !broken)) return undefined;
  const operation = first.circumstances.get('operation')?.says;
  const isOne = others.every(({ circumstances }) => circumstances.get('operation')?.says === operation);
  const when = units.length === all.length || !isOne ? undefined : operation;
  const there = { broken: units.length, of: units.length };
  return { when, there, elsewhere: { broken: 0, of: all.length - units.length }, unit: 'response', broken: first.event, twin: undefined };
}

/**
 * When a clause is broken: the simplest condition that holds for nearly all of its broken cases and for few good ones. Undefined where none does,
 * or where chance may have made it: nothing said is better than a guess. The cases are those of the clause that no other clause explains.
 */
export function contrastsIn(world: World): (cases: readonly BlamedCase[]) => Contrast | undefined {
  const context = contextOf(world);
  return (cases) => {
    const broken = cases.filter(({ breach }) => breach !== undefined);
    if (broken.length === 0) return undefined;
    const isOfAnimals = broken.every(({ animal }) => animal !== undefined);
    const animals = isOfAnimals ? contrastIn(animalsIn(cases, context), 'animal') : undefined;
    if (animals !== undefined) return animals;
    const responses = responsesIn(cases, context);
    const always = alwaysIn(responses);
    // Of an animal, which operation shows first that it is wrong is chance.
    if (always !== undefined && (always.when === undefined || !isOfAnimals)) return always;
    return contrastIn(ofBrokenOperations(responses), 'response');
  };
}
