// The conditions that may tell broken cases from good ones, made of what the broken ones have in common.
import type { Event } from '../event.ts';
import { CIRCUMSTANCE_KINDS, type Circumstance, type CircumstanceKind, MAY_BE_UNKNOWN } from './circumstance.ts';
import { ANY_FORM_OF_PATH, FORM_OF_PATH } from './of-request.ts';

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
const ON_PURPOSE: readonly string[] = ['note', 'reason', 'credential', 'authorization'];
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
export const CREATOR = 'creator';
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
export function both(one: Condition, other: Condition): Condition {
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
