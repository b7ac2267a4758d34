// The conditions that may tell broken cases from good ones, and which of them does.

import type { Event } from '../world.ts';
import { CIRCUMSTANCE_KINDS, type Circumstance, type CircumstanceKind, MAY_BE_UNKNOWN } from './circumstance.ts';
import { BESIDE } from './company.ts';
import { ANY_FORM_OF_PATH, FORM_OF_PATH } from './of-request.ts';

// The conditions that may tell broken cases from good ones, made of what the broken ones have in common.

/** What is broken or not: a response, or an animal, however often it was seen. */
export type Unit = { readonly event: Event; readonly broken: boolean; readonly circumstances: ReadonlyMap<string, Circumstance> };

/** What may be special. */
export type Condition = {
  readonly says: string;
  /** The circumstance that it is about, and its kind; of two conditions together, those of the first. */
  readonly of: string;
  readonly kind: CircumstanceKind;
  readonly rank: number;
  /** How many of its values were chosen among those that are broken: a threshold is one. */
  readonly chosen: number;
  /** To how many broken cases it fits whatever they are, because it was made of them: of a range all but one are by chance there. */
  readonly made: number;
  /** Whether what it says is what was sent on purpose: what is broken there alone is broken for that. */
  readonly purpose: boolean;
  readonly background: Circumstance['background'];
  /** Whether it is about what came right before, which is known of few requests: others were under way. */
  readonly elusive: boolean;
  /** Undefined where nothing is known of the unit. */
  readonly holds: (unit: Unit) => boolean | undefined;
};

/** What is sent to see whether it makes a difference. */
const ON_PURPOSE: readonly string[] = ['note', 'reason', 'credential'];
const isOnPurpose = (of: string): boolean => ON_PURPOSE.includes(of) || of.startsWith(FORM_OF_PATH);
/** So many values of one circumstance can be named together, unless each request has another one. */
const MOST_VALUES = 3;
const MOST_ON_PURPOSE = 4;
const NEVER_LISTED: readonly CircumstanceKind[] = ['before', 'at the same time', 'time', 'count'];
/** Each animal has another one: two of them have nothing in common. */
const ID = 'id';
/** What came right before on the connection. */
const ON_CONNECTION = /^(?:last|credential|operation) on the connection$/;
/** Nobody counts so many of something on purpose: a size is told as a threshold. */
const SIZE = /length of|animals of the list/;
const LETTER = /letter .$/;
const LEAST_MULTIPLE = 3;
/** A few numbers are always between two others: so many broken ones make a range, or fewer where every number was sent on purpose. */
const LEAST_OFTEN = 8;
const LIMIT = 'limit';
/** Who created it: of two of three, the third is the point. */
const CREATOR = 'creator';
/** What is sent in turn is much alike. */
const TURN = 'turn';

/** How many animals there were says more than the moment, which comes with it. */
const ANIMALS: readonly string[] = ['created', 'later animals'];

const rankOf = ({ kind, of, rare }: Circumstance): number =>
  CIRCUMSTANCE_KINDS.indexOf(ANIMALS.includes(of) ? 'time' : kind) - (ANIMALS.includes(of) ? 0.5 : 0) - (rare === true ? 0.25 : 0);

type Basis = { readonly of: string; readonly one: Circumstance; readonly values: readonly (Circumstance | undefined)[] };

/** A condition on the value of one circumstance: nothing is known of a unit without a value, or it has none. */
function conditionOn(
  { of, one }: Pick<Basis, 'of' | 'one'>,
  says: string,
  holds: (value: Circumstance | undefined) => boolean,
  { chosen = 0, made = 0, purpose = chosen === 0 && isOnPurpose(of) }: Partial<Pick<Condition, 'chosen' | 'made' | 'purpose'>> = {},
): Condition {
  const mayBeUnknown = MAY_BE_UNKNOWN.includes(one.kind);
  return {
    ...{ of, kind: one.kind, says, rank: rankOf(one), chosen, made },
    ...{
      background: one.background,
      purpose,
      elusive: one.kind === 'before' || ON_CONNECTION.test(of),
    },
    holds: ({ circumstances }) => {
      const value = circumstances.get(of);
      return value === undefined && mayBeUnknown ? undefined : holds(value);
    },
  };
}

/** That it is the value that most of the broken ones have. */
function valueIn({ of, one, values }: Basis): readonly Condition[] {
  if (one.scale !== undefined && (NEVER_LISTED.includes(one.kind) || SIZE.test(of))) return [];
  const [most] = Map.groupBy(values, (value) => value?.says)
    .entries()
    .toArray()
    .toSorted(([, a], [, b]) => b.length - a.length)
    .filter(([says]) => says !== undefined);
  const [says, [value] = []] = most ?? [];
  if (says === undefined || value === undefined) return [];
  // A letter is one of many that a name may have.
  return [conditionOn({ of, one: value }, says, (other) => other?.says === says, { made: LETTER.test(of) ? 1 : 0 })];
}

const ARTICLES: readonly string[] = ['a', 'an', 'the'];

const LISTED = new Intl.ListFormat('en-US', { type: 'disjunction' });

/** Several texts as one: "with status=sold or status=pending". */
function choiceOf([first = '', ...others]: readonly string[]): string {
  const words = first.split(' ');
  const shared = words.findIndex((_word, index) => others.some((one) => !one.startsWith(`${words.slice(0, index + 1).join(' ')} `)));
  // What is quoted is not cut, and an article stays with its noun.
  const quoted = words.findIndex((word) => word.includes('`'));
  const end = Math.max(0, quoted === -1 ? shared : Math.min(shared, quoted));
  const start = words.slice(0, ARTICLES.includes(words[end - 1] ?? '') ? end - 1 : end).join(' ');
  return LISTED.format([first, ...others.map((one) => (start === '' ? one : one.slice(start.length + 1)))]);
}

/** That it is one of a few values that were sent on purpose, each of which is broken each time. */
function purposesIn({ of, one, values }: Basis, units: readonly Unit[]): readonly Condition[] {
  const says = new Set(values.map((value) => value?.says));
  if (!(ON_PURPOSE.includes(of) || of === ANY_FORM_OF_PATH) || says.size < 2 || says.size > MOST_ON_PURPOSE || says.has(undefined))
    return [];
  if (values.some((value) => value?.background !== undefined)) return [];
  if (units.some(({ broken, circumstances }) => !broken && says.has(circumstances.get(of)?.says))) return [];
  const texts = [...says].filter((text) => text !== undefined);
  return [conditionOn({ of, one }, choiceOf(texts), (value) => says.has(value?.says), { chosen: says.size, purpose: true })];
}

/** That it is one of a few values that are broken, where there are others. */
function fewValuesIn({ of, one, values }: Basis, units: readonly Unit[]): readonly Condition[] {
  if (NEVER_LISTED.includes(one.kind) || of === ID || one.scale !== undefined || [...ON_PURPOSE, CREATOR].some((name) => of.endsWith(name)))
    return [];
  const says = new Set(values.map((value) => value?.says));
  if (says.size < 2 || says.size > MOST_VALUES || says.has(undefined) || values.length < 2 * says.size) return [];
  const all = new Set(units.flatMap(({ circumstances }) => circumstances.get(of)?.says ?? []));
  if (all.size === says.size) return [];
  const texts = [...says].filter((text) => text !== undefined);
  return [
    conditionOn({ of, one }, choiceOf(texts), (value) => says.has(value?.says), {
      chosen: says.size - 1,
      made: says.size - 1,
    }),
  ];
}

/** That it is anything but a value that most good ones have. */
function otherwiseIn({ of, one, values }: Basis, units: readonly Unit[]): readonly Condition[] {
  if (one.otherwise === undefined) return [];
  const counts = new Map<string, number>();
  for (const { broken, circumstances } of units) {
    const value = broken ? undefined : circumstances.get(of);
    if (value?.otherwise !== undefined) counts.set(value.says, (counts.get(value.says) ?? 0) + 1);
  }
  const [usual] = [...counts].toSorted(([, a], [, b]) => b - a)[0] ?? [];
  if (usual === undefined || values.some((value) => value?.says === usual)) return [];
  const says = units.find(({ circumstances }) => circumstances.get(of)?.says === usual)?.circumstances.get(of)?.otherwise;
  return says === undefined ? [] : [conditionOn({ of, one }, says, (value) => value?.says !== usual, { chosen: 1 })];
}

function divisorOf(numbers: readonly number[]): number {
  const divide = (a: number, b: number): number => (b === 0 ? a : divide(b, a % b));
  return numbers.every(Number.isSafeInteger) ? Math.abs(numbers.reduce((a, b) => divide(a, b), 0)) : 1;
}

/** That a number is at least, at most, or between, or a multiple of something. */
function rangesIn({ of, one, values }: Basis, units: readonly Unit[]): readonly Condition[] {
  const numbers = values.flatMap((value) => (value?.scale === undefined ? [] : [value.scale.value]));
  const isWhole = numbers.length === values.length || MAY_BE_UNKNOWN.includes(one.kind);
  if (one.scale === undefined || numbers.length === 0 || !isWhole) return [];
  const { scale } = one;
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)];
  const on = (says: string, holds: (value: number) => boolean, made = 0): Condition =>
    conditionOn({ of, one }, says, (value) => value?.scale !== undefined && holds(value.scale.value), { chosen: 1 + made, made });
  const divisor = divisorOf(numbers);
  const all = new Set(units.flatMap(({ circumstances }) => circumstances.get(of)?.scale?.value ?? []));
  const isOften = one.kind !== 'time' && of !== TURN && (numbers.length >= LEAST_OFTEN || of === LIMIT);
  const others = divisorOf([...all].filter((value) => !numbers.includes(value)));
  const isAbove = [...all].some((value) => value < least);
  const isBelow = [...all].some((value) => value > most);
  const isBetween = isOften && isAbove && isBelow;
  return [
    ...(isAbove ? [on(scale.least(least), (value) => value >= least)] : []),
    ...(isBelow ? [on(scale.most(most), (value) => value <= most)] : []),
    ...(isBetween && least < most ? [on(scale.between(least, most), (value) => value >= least && value <= most, 1)] : []),
    ...(scale.multiple === undefined || divisor < LEAST_MULTIPLE || new Set(numbers).size < LEAST_MULTIPLE
      ? []
      : [on(scale.multiple(divisor), (value) => value % divisor === 0)]),
    ...(scale.noMultiple === undefined || others < LEAST_MULTIPLE || all.size - new Set(numbers).size < LEAST_MULTIPLE
      ? []
      : [on(scale.noMultiple(others), (value) => value % others !== 0)]),
  ];
}

/** All conditions on one circumstance that hold for what is broken. */
export function conditionsIn(units: readonly Unit[]): readonly Condition[] {
  const broken = units.filter((unit) => unit.broken);
  const names = new Map<string, Circumstance>();
  for (const { circumstances } of broken) for (const [of, one] of circumstances) if (!names.has(of)) names.set(of, one);
  return [...names].flatMap(([of, one]) => {
    const basis = { of, one, values: broken.map(({ circumstances }) => circumstances.get(of)) };
    return [
      ...valueIn(basis),
      ...rangesIn(basis, units),
      ...fewValuesIn(basis, units),
      ...purposesIn(basis, units),
      ...otherwiseIn(basis, units),
    ];
  });
}

/** That both hold. */
function both(one: Condition, other: Condition): Condition {
  return {
    ...{
      says: `${one.says} and ${other.says}`,
      of: one.of,
      kind: one.kind,
      rank: one.rank + other.rank,
      chosen: one.chosen + other.chosen,
      made: one.made + other.made,
    },
    ...{ purpose: false, background: undefined, elusive: one.elusive || other.elusive },
    holds: (unit) => {
      const [here, there] = [one.holds(unit), other.holds(unit)];
      if (here === false || there === false) return false;
      return here === undefined || there === undefined ? undefined : true;
    },
  };
}

// Which condition tells what is broken from what is not.

/** How many of so many are broken. */
export type Broken = { readonly broken: number; readonly of: number };

/** A condition, and how many cases are broken where it holds and where it does not. */
export type Fit = { readonly condition: Condition; readonly there: Broken; readonly elsewhere: Broken };

/** Nearly all broken cases are there, and few good ones. */
const LEAST_COVERED = 0.95;
const LEAST_PURE = 0.9;
/** What most broken cases are. */
const LEAST_OF_POPULATION = 0.85;
/** Where others are broken at all: how often, of how often what is named is. Most requests have company: what is broken alone, too, is not broken for that. */
const MOST_ELSEWHERE = 1 / 3;
const MOST_ALONE = 1 / 20;
/** How likely chance alone may make as good a condition, all that were tried taken together. */
const MOST_CHANCE = 0.01;
/** Of so many of the broken cases must be known whether a condition holds; of what came right before, of so many. */
const LEAST_KNOWN = 1 / 2;
const LEAST_MET = 3;
/** One broken case has something of its own in any case; in two circumstances several have. */
const LEAST_BROKEN = 2;
const LEAST_BROKEN_OF_PAIRS = 4;
/** What is sent at about the same time is much alike, so that a few cases tell nothing of the time. */
const SCATTERED: readonly string[] = ['time', 'count'];
const LEAST_SCATTERED = 3;
/** What an animal is: a few animals have several things in common by chance. */
const OF_ANIMAL = /^animal: /;
const LEAST_ALIKE = 4;
/** This run, nobody, and others, before or since. */
const CREATORS = 4;
/** Pairs share what single conditions have by chance, so that they are counted as more than they are. */
const PAIRS_ARE_GUESSES = 100;
/** Conditions that are combined in pairs: those that the broken cases have in common and most good ones lack. */
const MOST_PAIRED = 40;

const RACES: readonly string[] = [BESIDE, `for animals created ${BESIDE}`];
const LEAST_OF_RACES = 1 / 2;
const LEAST_ALONE = 8;

/** Lists grow with time: in long ones is whatever an animal of the run made wrong. */
const GROWING = /^animals of the list/;

/** How many are broken where the condition holds, and where it does not; of those of which nothing is known, neither. */
export function countOf(units: readonly Unit[], { holds }: Pick<Condition, 'holds'>): Omit<Fit, 'condition'> {
  const there = { broken: 0, of: 0 };
  const elsewhere = { broken: 0, of: 0 };
  for (const unit of units) {
    const holding = holds(unit);
    if (holding === undefined) continue;
    const counts = holding ? there : elsewhere;
    counts.of += 1;
    if (unit.broken) counts.broken += 1;
  }
  return { there, elsewhere };
}

const shareOf = ({ broken, of }: Broken): number => broken / Math.max(1, of);

/** Whether it is that others are under way, and nothing is broken without that: a race is lost now and then. */
const isRace = ({ condition, elsewhere }: Pick<Fit, 'condition' | 'elsewhere'>): boolean =>
  RACES.includes(condition.says) && elsewhere.broken === 0 && elsewhere.of >= LEAST_ALONE;

/** Whether it holds for nearly all that is broken, and for little else, and makes a difference: the others are broken much less often. */
function isTelling({ condition, there, elsewhere }: Fit, all: number): boolean {
  const broken = there.broken + elsewhere.broken;
  const most = condition.kind === 'at the same time' ? MOST_ALONE : MOST_ELSEWHERE;
  const differs = elsewhere.of > elsewhere.broken && shareOf(elsewhere) <= most * shareOf(there);
  const isKnown = broken >= (condition.elusive ? Math.min(LEAST_MET, all) : LEAST_KNOWN * all);
  const covered = condition.elusive ? LEAST_PURE : LEAST_COVERED;
  const pure = isRace({ condition, elsewhere })
    ? LEAST_OF_RACES
    : SCATTERED.includes(condition.kind) || GROWING.test(condition.of)
      ? LEAST_COVERED
      : LEAST_PURE;
  return differs && isKnown && there.broken >= covered * broken && shareOf(there) >= pure;
}

/** How likely it is that chance puts as many broken cases there, of one condition. What was made of some of them says nothing of these. */
function chanceOf({ condition, there, elsewhere }: Fit): number {
  return (there.of / (there.of + elsewhere.of)) ** Math.max(0, there.broken - condition.made);
}

/** Whether it was sent to make a difference, and makes all of it. */
const isOfPurpose = ({ condition, there, elsewhere }: Fit): boolean =>
  condition.purpose && there.of === there.broken && elsewhere.broken === 0;

const errorsOf = ({ there, elsewhere }: Fit): number => there.of - there.broken + elsewhere.broken;

function best(fits: readonly Fit[]): Fit | undefined {
  const [first] = fits.toSorted(
    (a, b) => errorsOf(a) - errorsOf(b) || a.condition.rank - b.condition.rank || a.condition.chosen - b.condition.chosen,
  );
  return first;
}

/** Whether it is what most bodies are: those that are not are special in many ways, so that nobody can tell which of them is the reason. */
const isUsualBody = ({ condition, there, elsewhere }: Fit): boolean =>
  condition.kind === 'body' && condition.of !== CREATOR && there.of > elsewhere.of;

function leastOf({ kind, of }: Condition): number {
  if (OF_ANIMAL.test(of)) return LEAST_ALIKE;
  return SCATTERED.includes(kind) ? LEAST_SCATTERED : LEAST_BROKEN;
}

/** The best of the conditions that tell, unless chance alone may have made it: among as many of its kind, or as many as were `tried`. */
function found(units: readonly Unit[], conditions: readonly Condition[], tried?: number): Fit | undefined {
  const all = units.filter(({ broken }) => broken).length;
  const ofKind = Map.groupBy(conditions, ({ kind }) => kind);
  const fit = best(
    conditions
      .map((condition) => ({ condition, ...countOf(units, condition) }))
      .filter((fit) => {
        // Who created an animal is asked of each clause about animals: it is no guess among all that may be said of a body.
        const ofOne = fit.condition.of === CREATOR ? CREATORS : undefined;
        const count = tried ?? ofOne ?? ofKind.get(fit.condition.kind)?.length ?? conditions.length;
        const isLikely = fit.there.broken >= leastOf(fit.condition) && chanceOf(fit) * count <= MOST_CHANCE;
        return isTelling(fit, all) && (isOfPurpose(fit) || isLikely);
      }),
  );
  return fit === undefined || isUsualBody(fit) ? undefined : fit;
}

const FORM = /^form of (?:name|categoryId|status)$/;

/** What else most broken cases may be. */
const POPULATIONS: readonly string[] = ['operation', 'status', 'limit given'];

/** What most broken cases are, among which a condition may tell: it is said besides. */
function populationsOf(units: readonly Unit[], single: readonly Condition[]): readonly Condition[] {
  return single.filter((condition) => {
    if (condition.chosen > 0 || (condition.background === undefined && !POPULATIONS.includes(condition.of))) return false;
    const { there, elsewhere } = countOf(units, condition);
    return there.broken >= LEAST_OF_POPULATION * (there.broken + elsewhere.broken);
  });
}

/** A condition that tells among cases of one kind; counted among all. */
function foundWithin(units: readonly Unit[], single: readonly Condition[], populations: readonly Condition[]): Fit | undefined {
  const fits = populations.flatMap((population): Fit[] => {
    const inside = units.filter((unit) => population.holds(unit) === true);
    const fit =
      inside.length === units.length
        ? undefined
        : found(
            inside,
            single.map((one) => ({ ...one, purpose: false })),
          );
    if (fit === undefined || (population.background === undefined && fit.there.broken < LEAST_BROKEN_OF_PAIRS)) return [];
    const condition = both(fit.condition, population);
    return [{ condition, ...countOf(units, condition) }];
  });
  return best(fits);
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
  return narrowing.flatMap(({ condition: one }, index) => narrowing.slice(index + 1).map(({ condition: other }) => both(one, other)));
}

/**
 * `about`: the circumstances that are asked about, by name. `isOfStatus`: what is wrong is the status, or that there is no response. `pairs`: which two may
 * tell together: of what an animal is seen in, none; where other clauses' cases count as well, forms of a body's members alone.
 */
export type Question = {
  readonly about?: RegExp;
  readonly isOfStatus: boolean;
  readonly pairs?: 'any' | 'forms' | 'none';
};

/** A status that was received is said only with what the document requires. */
const isTold = ({ background }: Condition): boolean => background !== 'received';

/**
 * The simplest condition that tells what is broken from what is not, unless chance alone may have made one.
 */
export function conditionOf(units: readonly Unit[], { about, isOfStatus, pairs = 'any' }: Question): Fit | undefined {
  const broken = units.filter((unit) => unit.broken);
  if (broken.length === 0 || broken.length === units.length) return undefined;
  const single = conditionsIn(units).filter(({ background }) => background !== 'status' || !isOfStatus);
  const populations = populationsOf(units, single);
  const special = single.filter(({ background, of }) => background === undefined && about?.test(of) !== false);
  const paired = special.filter(({ chosen, elusive, of }) => chosen === 0 && !elusive && (pairs === 'any' || FORM.test(of)));
  return (
    found(units, special) ??
    foundWithin(units, special, populations) ??
    (pairs === 'none' || broken.length < LEAST_BROKEN_OF_PAIRS
      ? undefined
      : found(units, pairsOf(units, paired), paired.length ** 2 * PAIRS_ARE_GUESSES))
  );
}

/** What all broken cases are and no good one is, of whatever operation: nothing else needs to be said then. */
export function wholeOf(units: readonly Unit[], question: Question): Fit | undefined {
  const fit = populationOf(units, question);
  return fit !== undefined && errorsOf(fit) === 0 ? fit : undefined;
}

/** What most of the broken cases are and most good ones are not, where nothing special tells. */
export function populationOf(units: readonly Unit[], { isOfStatus }: Question): Fit | undefined {
  const single = conditionsIn(units).filter((one) => isTold(one) && (one.background !== 'status' || !isOfStatus));
  return found(units, populationsOf(units, single));
}
