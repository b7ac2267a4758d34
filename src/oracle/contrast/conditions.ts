// The conditions that may separate broken cases from good ones, and the choice of the one that does.

import { isCrash } from '../../session/read-exchange.ts';
import type { Event } from '../world.ts';
import { CIRCUMSTANCE_KINDS, type Circumstance, type CircumstanceKind, MAY_BE_UNKNOWN } from './circumstance.ts';
import { BESIDE } from './company.ts';
import { ANY_FORM_OF_PATH, FORM_OF_PATH } from './of-request.ts';

/** A response or an animal (however often it was seen) that is broken or not. */
export type Unit = {
  readonly event: Event;
  readonly broken: boolean;
  readonly circumstances: ReadonlyMap<string, Circumstance>;
  readonly animal?: bigint;
};

export type Condition = {
  readonly says: string;
  /** The circumstance that it is about, and its kind; of two conditions together, those of the first. */
  readonly of: string;
  readonly kind: CircumstanceKind;
  readonly rank: number;
  /** The number of values that were chosen because they are broken: 1 for a threshold. */
  readonly chosen: number;
  /** The number of broken cases that it fits by construction, because it was made from them. */
  readonly made: number;
  /** Whether it describes what was varied on purpose: if only those requests are broken, that is the reason. */
  readonly purpose: boolean;
  readonly background: Circumstance['background'];
  /** Whether it is about the request right before, which is known for few requests, because others were in flight. */
  readonly elusive: boolean;
  readonly pair?: readonly [Condition, Condition];
  /** Undefined if the value of the unit is not known. */
  readonly holds: (unit: Unit) => boolean | undefined;
};

/** Circumstances that are varied to see whether they make a difference. */
const ON_PURPOSE: readonly string[] = ['note', 'reason', 'credential'];
/** Leaving it out is on purpose, having it is not. */
const WITHOUT_KEY = 'without an Authorization header';
const isOnPurpose = (of: string): boolean => ON_PURPOSE.includes(of) || of.startsWith(FORM_OF_PATH);
/** The maximum number of values of a circumstance that are named together; none if each request has another value. */
const MOST_VALUES = 3;
const MOST_ON_PURPOSE = 4;
const NEVER_LISTED: readonly CircumstanceKind[] = ['before', 'at the same time', 'time', 'count'];
/** Different for each animal, so that two values have nothing in common. */
export const ID = 'id';
export const ON_CONNECTION = /^(?:last|credential|operation) on the connection$/;
/** Sizes: a defect depends on a threshold, not on one exact size. */
const SIZE = /length of|bytes of|animals of the list/;
const LETTER = /letter .$/;
const LEAST_MULTIPLE = 3;
/** The minimum number of broken values for a range, because a few numbers always lie between two others; fewer if each number was sent on purpose. */
const LEAST_OFTEN = 8;
const LIMIT = 'limit';
/** A span of time is evidence of an outage only: what depends on the store is broken for a while, too, until the run has created enough. */
const SINCE_START = 'since the start';
const LEAST_OF_OUTAGE = 30;
export const OF_THIS_RUN = 'for animals that this run created';
/** Who created the animal. There are so few creators that a list of several is no finding. */
export const CREATOR = 'creator';
/** What is sent in turn is much alike. */
const TURN = 'turn';

const LATER_ANIMALS = 'later animals';
/** The number of animals says more than the time, with which it grows. */
const ANIMALS: readonly string[] = ['created', LATER_ANIMALS];

const rankOf = ({ kind, of, rare }: Circumstance): number =>
  CIRCUMSTANCE_KINDS.indexOf(ANIMALS.includes(of) ? 'time' : kind) - (ANIMALS.includes(of) ? 0.5 : 0) - (rare === true ? 0.25 : 0);

type Basis = { readonly of: string; readonly one: Circumstance; readonly values: readonly (Circumstance | undefined)[] };

/** A condition on the value of one circumstance. A unit without a value has none, or, for some kinds, an unknown one. */
function conditionOn(
  { of, one }: Pick<Basis, 'of' | 'one'>,
  says: string,
  holds: (value: Circumstance | undefined) => boolean,
  {
    chosen = 0,
    made = 0,
    purpose = chosen === 0 && (isOnPurpose(of) || says === WITHOUT_KEY),
  }: Partial<Pick<Condition, 'chosen' | 'made' | 'purpose'>> = {},
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
  const items = [first, ...others.map((one) => (start === '' ? one : one.slice(start.length + 1)))];
  // Commas within an item would hide where the next one begins.
  return items.some((item) => item.includes(',')) ? `${items.slice(0, -1).join('; ')}; or ${items.at(-1)}` : LISTED.format(items);
}

/** Conditions for a few values that were sent on purpose, each of which is always broken. */
function purposesIn({ of, one, values }: Basis, units: readonly Unit[]): readonly Condition[] {
  const says = new Set(values.map((value) => value?.says));
  if (!(ON_PURPOSE.includes(of) || of === ANY_FORM_OF_PATH) || says.size < 2 || says.size > MOST_ON_PURPOSE || says.has(undefined))
    return [];
  if (values.some((value) => value?.background !== undefined)) return [];
  if (units.some(({ broken, circumstances }) => !broken && says.has(circumstances.get(of)?.says))) return [];
  const texts = [...says].filter((text) => text !== undefined);
  return [conditionOn({ of, one }, choiceOf(texts), (value) => says.has(value?.says), { chosen: says.size, purpose: true })];
}

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

/** Conditions for any value other than the one of most good units. */
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
  const isOutage =
    of === SINCE_START &&
    numbers.length >= LEAST_OF_OUTAGE &&
    units.every(({ broken, event: { status } }) => !broken || (status !== undefined && isCrash(status)));
  const isOften = isOutage || (one.kind !== 'time' && of !== TURN && (numbers.length >= LEAST_OFTEN || of === LIMIT));
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

function lackedIn(units: readonly Unit[], names: ReadonlyMap<string, Circumstance>): readonly (readonly [of: string, one: Circumstance])[] {
  const lacked = new Map<string, { readonly one: Circumstance; count: number }>();
  for (const { circumstances } of units) {
    for (const [of, one] of circumstances) {
      if (one.otherwise === undefined || names.has(of)) continue;
      const known = lacked.get(of) ?? { one, count: 0 };
      known.count += 1;
      lacked.set(of, known);
    }
  }
  const good = units.filter(({ broken }) => !broken).length;
  return [...lacked].filter(([, { count }]) => count > good / 2).map(([of, { one }]) => [of, one] as const);
}

/** All conditions on one circumstance that hold for broken units: what they have, or what they lack and most good ones have. */
export function conditionsIn(units: readonly Unit[]): readonly Condition[] {
  const broken = units.filter((unit) => unit.broken);
  const names = new Map<string, Circumstance>();
  for (const { circumstances } of broken) for (const [of, one] of circumstances) if (!names.has(of)) names.set(of, one);
  for (const [of, one] of lackedIn(units, names)) names.set(of, one);
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
    ...{ purpose: false, background: undefined, elusive: one.elusive || other.elusive, pair: [one, other] },
    holds: (unit) => {
      const [here, there] = [one.holds(unit), other.holds(unit)];
      if (here === false || there === false) return false;
      return here === undefined || there === undefined ? undefined : true;
    },
  };
}

const BOTH = new Intl.ListFormat('en-US', { type: 'conjunction' });
const SAID_HEADERS = 3;
export const WITH_HEADER = 'with the header ';

/** `with the headers forwarded, x-forwarded-host, and 5 others`. */
export function together(says: readonly string[]): string {
  const [only = ''] = says;
  if (says.length === 1) return only;
  const names = says.map((one) => one.slice(WITH_HEADER.length));
  const hidden = names.length - SAID_HEADERS;
  return `with the headers ${BOTH.format(hidden > 1 ? [...names.slice(0, SAID_HEADERS), `${hidden} others`] : names)}`;
}

/** What the condition says: headers that are never sent one without the other are named together. */
export function sayingOf({ says, holds }: Condition, units: readonly Unit[]): string {
  if (!says.startsWith(WITH_HEADER)) return says;
  const first = units.find((unit) => holds(unit) === true);
  const all = [...(first?.circumstances ?? [])].filter(([of, one]) => of.startsWith('header ') && one.says.startsWith(WITH_HEADER));
  const same = all.filter(([of, one]) => units.every((unit) => (unit.circumstances.get(of)?.says === one.says) === (holds(unit) === true)));
  return same.length === 0 ? says : together(same.map(([, one]) => one.says));
}

export type BrokenCount = { readonly broken: number; readonly of: number };

/** A condition, and how many cases are broken where it holds and where it does not. */
export type Fit = { readonly condition: Condition; readonly there: BrokenCount; readonly elsewhere: BrokenCount };

/** The minimum share of the broken cases for which a condition holds, and the minimum share of broken cases among those for which it holds. */
const LEAST_COVERED = 0.95;
const LEAST_PURE = 0.9;
const LEAST_OF_POPULATION = 0.85;
/** How often the others may be broken where a population is not broken without exception. */
const MOST_OUTSIDE = 1 / 100;
/** How often the other cases may be broken, as a fraction of how often the named ones are; less for company, which most requests have. */
const MOST_ELSEWHERE = 1 / 3;
const MOST_IN_OTHER_COMPANY = 1 / 50;
/** The maximum probability that chance alone makes an equally good condition, over all that were tried. */
const MOST_CHANCE = 0.01;
/** The minimum share of the broken cases for which it must be known whether a condition holds; the minimum number for conditions about the request right before. */
const LEAST_KNOWN = 1 / 2;
const LEAST_MET = 3;
/** The minimum number of broken cases: a single one always has something of its own; for pairs of conditions, several have. */
const LEAST_BROKEN = 2;
const LEAST_BROKEN_OF_PAIRS = 4;
/** Requests that are sent at about the same time are similar, so that a few cases prove nothing about the time. */
const SCATTERED: readonly string[] = ['time', 'count'];
const LEAST_SCATTERED = 3;
/** Animals of neighboring ids were created one after the other: a few of them have many things in common. */
const LEAST_OF_IDS = 4;
/** Properties of animals: a few animals have several in common by chance. */
const OF_ANIMAL = /^animal: /;
const LEAST_ALIKE = 4;
/** The number of possible creators: this run, nobody, and others, before or since. */
const CREATORS = 4;
/** The factor by which the number of pairs is multiplied: they overlap, so chance finds a good one more easily than their number says. */
const PAIRS_ARE_GUESSES = 100;
/** Conditions that are combined in pairs: those that the broken cases have in common and most good ones lack. */
const MOST_PAIRED = 40;

const COMPANY: readonly CircumstanceKind[] = ['before', 'at the same time'];
const RACES: readonly string[] = [BESIDE, `for animals created ${BESIDE}`];
const LEAST_OF_RACES = 1 / 2;
const LEAST_ALONE = 8;

/** Lists grow with time: a long one contains any animal of the run that makes lists wrong. */
const GROWING = /^animals of the list/;

/** Units for which it is not known whether the condition holds are not counted. */
export function countOf(units: readonly Unit[], { holds, pair }: Pick<Condition, 'holds' | 'pair'>): Omit<Fit, 'condition'> {
  const there = { broken: 0, of: 0 };
  const elsewhere = { broken: 0, of: 0 };
  const [one, other] = (pair ?? [{ holds }]).map((part) => answersOf(units, part));
  const broken = brokenAmong(units);
  for (let index = 0; index < units.length; index += 1) {
    const here = one?.[index];
    const beside = other === undefined ? TRUE : other[index];
    const isFalse = here === FALSE || beside === FALSE;
    if (!isFalse && (here === UNKNOWN || beside === UNKNOWN)) continue;
    const counts = isFalse ? elsewhere : there;
    counts.of += 1;
    counts.broken += broken[index] ?? 0;
  }
  return { there, elsewhere };
}

const [FALSE, TRUE, UNKNOWN] = [0, 1, 2] as const;

const answers = new WeakMap<readonly Unit[], WeakMap<Condition['holds'], Uint8Array>>();

/** Whether the condition holds for each of the units: asked once, because each condition is in as many pairs as there are others. */
function answersOf(units: readonly Unit[], { holds }: Pick<Condition, 'holds'>): Uint8Array {
  const known = answers.get(units) ?? new WeakMap<Condition['holds'], Uint8Array>();
  answers.set(units, known);
  const before = known.get(holds);
  if (before !== undefined) return before;
  const made = new Uint8Array(units.length);
  const within = partsOf.get(units);
  if (within !== undefined) {
    const whole = answersOf(within.units, { holds });
    for (let index = 0; index < made.length; index += 1) made[index] = whole[within.places[index] ?? 0] ?? UNKNOWN;
  } else {
    for (const [index, unit] of units.entries()) {
      const holding = holds(unit);
      made[index] = holding === undefined ? UNKNOWN : holding ? TRUE : FALSE;
    }
  }
  known.set(holds, made);
  return made;
}

const partsOf = new WeakMap<readonly Unit[], { readonly units: readonly Unit[]; readonly places: Uint32Array }>();

/** The units for which the condition holds. What others ask of them is known once it was asked of all. */
function within(units: readonly Unit[], condition: Condition): readonly Unit[] {
  const places: number[] = [];
  answersOf(units, condition).forEach((answer, place) => {
    if (answer === TRUE) places.push(place);
  });
  const inside = places.flatMap((place) => units[place] ?? []);
  partsOf.set(inside, { units, places: Uint32Array.from(places) });
  return inside;
}

const brokenBy = new WeakMap<readonly Unit[], Uint8Array>();

function brokenAmong(units: readonly Unit[]): Uint8Array {
  const known = brokenBy.get(units) ?? Uint8Array.from(units, ({ broken }) => (broken ? 1 : 0));
  brokenBy.set(units, known);
  return known;
}

const shareOf = ({ broken, of }: BrokenCount): number => broken / Math.max(1, of);

/** Whether the condition is that others are in flight, and nothing is broken without them: a race is not lost every time. */
const isRace = ({ condition, elsewhere }: Pick<Fit, 'condition' | 'elsewhere'>): boolean =>
  RACES.includes(condition.says) && elsewhere.broken === 0 && elsewhere.of >= LEAST_ALONE;

/** `header user-agent: curl` is about the same header as `header user-agent`. */
export const FACET = /: .*$/;
const isOfUsualHeader = ({ condition, there, elsewhere }: Fit): boolean =>
  condition.kind === 'headers' && condition.pair === undefined && there.of > elsewhere.of;

/** Whether it holds for nearly all broken units (the share `least`) and few good ones, and the others are broken much less often. */
function isTelling(fit: Fit, all: number, least: number): boolean {
  const { condition, there, elsewhere } = fit;
  const broken = there.broken + elsewhere.broken;
  // Of a header that most requests have, one exception says that it is another one.
  const most = isOfUsualHeader(fit) ? 0 : COMPANY.includes(condition.kind) ? MOST_IN_OTHER_COMPANY : MOST_ELSEWHERE;
  const differs = elsewhere.of > elsewhere.broken && shareOf(elsewhere) <= most * shareOf(there);
  const isKnown = broken >= (condition.elusive ? Math.min(LEAST_MET, all) : LEAST_KNOWN * all);
  const covered = condition.elusive ? Math.min(LEAST_PURE, least) : least;
  const pure = isRace({ condition, elsewhere })
    ? LEAST_OF_RACES
    : SCATTERED.includes(condition.kind) || GROWING.test(condition.of) || condition.of === ID
      ? LEAST_COVERED
      : LEAST_PURE;
  return differs && isKnown && there.broken >= covered * broken && shareOf(there) >= pure;
}

const OF_ITS_ANIMAL = /^(?:animal|creation): |^(?:id|creator)$/;

const isOfOne = ({ of, chosen, pair }: Condition): boolean => of === ID && chosen === 0 && pair === undefined;

/** Each animal once, however often it was read: broken if one of its cases is. */
function countOfAnimals(units: readonly Unit[], condition: Condition): Omit<Fit, 'condition'> {
  const byAnimal = Map.groupBy(units, ({ animal, event }) => animal ?? event.intent.petId ?? `request ${event.number}`);
  const animals = [...byAnimal.values()].flatMap((all) => all.find(({ broken }) => broken) ?? all[0] ?? []);
  return countOf(animals, condition);
}

/** The counts that are evidence: of what is true of animals, animals count, and not the responses that show them. */
function evidenceOf(units: readonly Unit[], fit: Fit): Fit {
  const { condition } = fit;
  const isOfAnimals = !isOfOne(condition) && (condition.pair ?? [condition]).some(({ of }) => OF_ITS_ANIMAL.test(of));
  return isOfAnimals ? { condition, ...countOfAnimals(units, condition) } : fit;
}

/** The probability that as many broken cases meet one condition by chance. Cases from which the condition was made do not count. */
function chanceOf({ condition, there, elsewhere }: Fit): number {
  return (there.of / (there.of + elsewhere.of)) ** Math.max(0, there.broken - condition.made);
}

/** The minimum number of right responses without a header: one or two have something else in common. */
const LEAST_WITHOUT = 3;
/**
 * The probability that chance alone leaves exactly the units without a usual header good: so many of all. Where the right ones lack something else as
 * well, which of the two is the reason is not known.
 */
function chanceOfGood(fit: Fit, fits: readonly Fit[]): number {
  const { there, elsewhere } = fit;
  const isExact = (one: Fit): boolean => one.there.of === one.there.broken && one.elsewhere.broken === 0;
  const headerOf = ({ condition: { of } }: Fit): string => of.replace(FACET, '');
  const rivals = fits.filter((one) => isExact(one) && one.elsewhere.of === elsewhere.of && headerOf(one) !== headerOf(fit));
  if (!isOfUsualHeader(fit) || elsewhere.of < LEAST_WITHOUT || !isExact(fit) || rivals.length > 0) return 1;
  const all = there.of + elsewhere.of;
  return Array.from({ length: elsewhere.of }, (_unused, index) => (index + 1) / (all - index)).reduce((a, b) => a * b, 1);
}

const isOfPurpose = ({ condition, there, elsewhere }: Fit): boolean =>
  condition.purpose && there.of === there.broken && elsewhere.broken === 0;

const errorsOf = ({ there, elsewhere }: Fit): number => there.of - there.broken + elsewhere.broken;

function best(fits: readonly Fit[]): Fit | undefined {
  const [first] = fits.toSorted(
    (a, b) => errorsOf(a) - errorsOf(b) || a.condition.rank - b.condition.rank || a.condition.chosen - b.condition.chosen,
  );
  return first;
}

/** A status is left out, or of another type, on purpose. */
const OF_STATUS = /^(?:form|type) of status$|^status given$/;

/**
 * Whether most bodies meet it: the others are special in many ways, any of which may be the reason. Not so where several, all of them right, have
 * another status or none.
 */
function isUsualBody({ condition, there, elsewhere }: Fit): boolean {
  if (condition.kind !== 'body' || condition.of === CREATOR || there.of <= elsewhere.of) return false;
  return !(OF_STATUS.test(condition.of) && elsewhere.broken === 0 && elsewhere.of >= LEAST_ALONE);
}

function leastOf({ kind, of, says, chosen }: Condition): number {
  if (of === ID && chosen > 0) return LEAST_OF_IDS;
  // Most clauses are about animals of this run alone.
  if (of === CREATOR && says === OF_THIS_RUN) return LEAST_ALONE;
  if (OF_ANIMAL.test(of)) return LEAST_ALIKE;
  return SCATTERED.includes(kind) ? LEAST_SCATTERED : LEAST_BROKEN;
}

/**
 * The best separating condition, unless chance alone may have made it: among the number of its kind, or of all that were `tried`. `covered`: the
 * minimum share of the broken cases for which it holds.
 */
function found(
  units: readonly Unit[],
  conditions: readonly Condition[],
  { tried, covered = LEAST_COVERED }: { readonly tried?: number; readonly covered?: number } = {},
): Fit | undefined {
  const all = units.filter(({ broken }) => broken).length;
  const ofKind = Map.groupBy(conditions, ({ kind }) => kind);
  const fits = conditions.map((condition) => ({ condition, ...countOf(units, condition) }));
  const fit = best(
    fits.filter((fit) => {
      // Who created an animal is asked of each clause about animals: it is no guess among all that may be true of a body.
      const ofOne = fit.condition.of === CREATOR ? CREATORS : undefined;
      const count = tried ?? ofOne ?? ofKind.get(fit.condition.kind)?.length ?? conditions.length;
      if (!isTelling(fit, all, covered)) return false;
      if (isOfPurpose(fit)) return true;
      const evidence = evidenceOf(units, fit);
      const chance = Math.min(chanceOf(evidence), chanceOfGood(evidence, fits));
      return evidence.there.broken >= leastOf(fit.condition) && chance * count <= MOST_CHANCE;
    }),
  );
  return fit === undefined || isUsualBody(fit) ? undefined : fit;
}

const FORM = /^form of (?:name|categoryId|status)$/;

/** Circumstances without a background that may describe a population, too. */
const POPULATIONS: readonly string[] = ['operation', 'status', 'limit given'];

/** Populations: conditions for most broken cases, within which another condition may separate. Reports name both. */
function populationsOf(units: readonly Unit[], single: readonly Condition[]): readonly Condition[] {
  return single.filter((condition) => {
    if (condition.chosen > 0 || (condition.background === undefined && !POPULATIONS.includes(condition.of))) return false;
    const { there, elsewhere } = countOf(units, condition);
    return there.broken >= LEAST_OF_POPULATION * (there.broken + elsewhere.broken);
  });
}

/** A condition that separates within a population; its counts are those of all units. */
function foundWithin(units: readonly Unit[], single: readonly Condition[], populations: readonly Condition[]): Fit | undefined {
  const fits = populations.flatMap((population): Fit[] => {
    const inside = within(units, population);
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
  // A condition that excludes none of the good units adds nothing.
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
 * `about`: the names of the circumstances to try. `isOfStatus`: the status is wrong, or there is no response. `pairs`: which conditions may be combined:
 * none for animals, and only forms of a body's members if the cases of other clauses count as well.
 */
export type Question = {
  readonly about?: RegExp;
  readonly isOfStatus: boolean;
  readonly pairs?: 'any' | 'forms' | 'none';
  /** Whether what is broken lasts: a store that was damaged once is wrong from then on, whatever damaged it. */
  readonly isLasting?: boolean;
  readonly isSimple?: boolean;
};

/** A received status is named only together with what the document requires. */
const isTold = ({ background }: Condition): boolean => background !== 'received';

/**
 * Whether it holds for most units, and few of the others came once the first was broken: what lasts is seen again and again, so that those of before may
 * be all that lack what is usual.
 */
function isUsual({ condition, there, elsewhere }: Fit, units: readonly Unit[]): boolean {
  const begin = Math.min(...units.filter(({ broken }) => broken).map(({ event }) => event.number));
  const { elsewhere: later } = countOf(
    units.filter(({ event }) => event.number > begin),
    condition,
  );
  return there.of > elsewhere.of && (later.broken > 0 || later.of < LEAST_ALONE);
}

/** Whether it holds from some moment on: of what lasts, that says when it was seen first. */
const isOfMoment = ({ kind, of }: Condition): boolean => SCATTERED.includes(kind) || GROWING.test(of) || ANIMALS.includes(of) || of === ID;

/**
 * Whether requests that are sent for it may show another reason: it is a header that most requests have, so that few are without it, or a race that is
 * often won.
 */
export function isDoubtfulFit({ condition, there, elsewhere }: Fit): boolean {
  const isOfHeader = (condition.pair ?? [condition]).some(({ kind }) => kind === 'headers');
  return (isOfHeader && there.of > elsewhere.of) || (isRace({ condition, elsewhere }) && shareOf(there) < LEAST_PURE);
}

/** The simplest condition that separates broken units from good ones, unless chance alone may have made it. */
export function conditionOf(
  units: readonly Unit[],
  { about, isOfStatus, pairs = 'any', isSimple = false, isLasting = false }: Question,
): Fit | undefined {
  const broken = units.filter((unit) => unit.broken);
  if (broken.length === 0 || broken.length === units.length) return undefined;
  const single = conditionsIn(units).filter((one) => (one.background !== 'status' || !isOfStatus) && !(isLasting && isOfMoment(one)));
  const special = single.filter(({ background, of }) => background === undefined && about?.test(of) !== false);
  const unlessUsual = (fit: Fit | undefined): Fit | undefined => (isLasting && fit && isUsual(fit, units) ? undefined : fit);
  const simple = unlessUsual(found(units, special));
  if (simple !== undefined || isSimple) return simple;
  const paired = special.filter(({ chosen, elusive, of }) => chosen === 0 && !elusive && (pairs === 'any' || FORM.test(of)));
  return (
    // A wrong animal is in long lists of any population, which a wrong status is not.
    unlessUsual(
      foundWithin(
        units,
        special.filter(({ of }) => isOfStatus || !GROWING.test(of)),
        populationsOf(units, single),
      ),
    ) ??
    (pairs === 'none' || broken.length < LEAST_BROKEN_OF_PAIRS
      ? undefined
      : unlessUsual(found(units, pairsOf(units, paired), { tried: paired.length ** 2 * PAIRS_ARE_GUESSES })))
  );
}

/** Of what does not separate all: the maximum probability that chance alone makes it, and the shares that a reader can still trust. */
const MOST_CHANCE_OF_PART = 1e-6;
const LEAST_OF_PART = 0.85;
const LEAST_OF_NECESSARY = 3 / 4;
/** Which animal is the newest is not known for sure while others are created. */
const LEAST_OF_NEWEST = 1 / 2;
const TELLING_COUNTS: readonly string[] = [LATER_ANIMALS, 'reading'];

/**
 * The condition of most broken cases, which are nearly all there are of it, or one without which nothing is broken and most is with it, if no condition
 * separates all: what else is needed is not known.
 */
export function partOf(units: readonly Unit[], { isOfStatus }: Pick<Question, 'isOfStatus'>): Fit | undefined {
  const all = units.filter(({ broken }) => broken).length;
  const isTold = ({ background, kind, of, elusive }: Condition): boolean =>
    (background === undefined || (background === 'status' && !isOfStatus)) &&
    !elusive &&
    !GROWING.test(of) &&
    of !== ID &&
    (!SCATTERED.includes(kind) || TELLING_COUNTS.includes(of));
  const conditions = conditionsIn(units).filter(isTold);
  const fits = conditions
    .map((condition): Fit => ({ condition, ...countOf(units, condition) }))
    .filter((fit) => {
      const { there, elsewhere } = fit;
      const isPart = there.broken >= LEAST_OF_PART * all && shareOf(there) >= LEAST_COVERED && shareOf(elsewhere) <= MOST_OUTSIDE;
      const least = fit.condition.of === LATER_ANIMALS ? LEAST_OF_NEWEST : LEAST_OF_NECESSARY;
      const isNecessary = there.broken === all && shareOf(there) >= least && elsewhere.of >= LEAST_ALONE;
      const isMinority = there.of <= elsewhere.of;
      return isMinority && (isPart || isNecessary) && chanceOf(evidenceOf(units, fit)) * conditions.length <= MOST_CHANCE_OF_PART;
    });
  return best(fits);
}

/** The population of exactly the broken cases, of any operation: it needs no further condition. */
export function wholeOf(units: readonly Unit[], question: Question): Fit | undefined {
  const fit = populationOf(units, question);
  return fit !== undefined && errorsOf(fit) === 0 ? fit : undefined;
}

/** The population of most broken cases and few good ones, if no special condition separates them. */
export function populationOf(units: readonly Unit[], { isOfStatus, isLasting = false }: Question): Fit | undefined {
  const single = conditionsIn(units).filter((one) => isTold(one) && (one.background !== 'status' || !isOfStatus));
  const fit = found(units, populationsOf(units, single), { covered: LEAST_OF_POPULATION });
  if (fit === undefined || (isLasting && isUsual(fit, units))) return undefined;
  // Where several are broken elsewhere, all are broken there.
  return fit.there.of === fit.there.broken || shareOf(fit.elsewhere) <= MOST_OUTSIDE ? fit : undefined;
}
