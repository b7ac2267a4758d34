// From a row that fails to the smallest one that does, and the nearest one that does not: pure, whoever sends the rows and judges them.

import type { Header, ValueName, Vector } from '../session/vector.ts';
import { type Group, isGroup, type Row } from './row.ts';
import type { Predicate } from './tell.ts';

/**
 * Of two tries: both wrong, both right, or one of each. `mute`: the clause says nothing about them. `unasked`: there was no budget, or it must not be sent.
 */
export type Outcome = 'fails' | 'right' | 'mixed' | 'mute' | 'unasked';

/** What a search asks in one round, and what it is told. */
export type Search<Result> = Generator<readonly Row[], Result, readonly Outcome[]>;

/** Of a number, the values that fail, as far as neighbors and ends tell. */
export type Range =
  | { readonly kind: 'least' | 'most'; readonly value: number; readonly other: number }
  | { readonly kind: 'odd' | 'even' | 'any' | 'exactly'; readonly value: number };

export type Narrowed =
  | {
      readonly kind: 'fails';
      readonly failing: Row;
      /** The nearest row that is right: the failing one without one of its values. */
      readonly right: Row | undefined;
      readonly ranges: Readonly<Record<string, Range>>;
      /** What is usual and a part of the condition: with anything else, the row is right. */
      readonly usual: readonly string[];
      /** Dimensions of which any value of the same kind fails. */
      readonly kinds: readonly string[];
    }
  /** It fails in some company, and not alone. */
  | { readonly kind: 'company'; readonly failing: Group; readonly right: Row; readonly company: string }
  /** It does not fail each time, or not any more. */
  | { readonly kind: 'comes and goes'; readonly asked: Row; readonly outcome: 'right' | 'mixed' | 'mute' }
  | { readonly kind: 'unasked' };

/** The row with others before it or at the same time, and what these are, the most telling first. */
export type Company = { readonly group: Group; readonly is: readonly string[] };

/** What the search may ask, which only the tables know. */
export type TableKnowledge = {
  /** Dimensions whose values rows are filled up with: they seldom matter. */
  readonly fillers: readonly string[];
  /** The row with other values than usual, one at a time, none of which matters to a conforming service; by dimension. */
  readonly others: (vector: Vector) => readonly (readonly [dimension: string, vector: Vector])[];
  /** The values of the same kind: where all of them fail, the kind is the condition. */
  readonly siblings: (dimension: string, named: ValueName, vector: Vector) => readonly ValueName[];
  /** What may be in whose company a row fails, each with its words. */
  readonly company: (vector: Vector) => readonly Company[];
  /** What names have in common with one of which all of the same kind fail. */
  readonly patternOf: (dimension: string, named: ValueName) => RegExp | undefined;
  /** The values of a pack, or parts of one value, that stand for it between them. */
  readonly parts: (dimension: string, named: ValueName) => readonly string[];
  readonly joinParts: (dimension: string, parts: readonly string[]) => ValueName;
  /** The number in a value, and the value of a number: limits, lengths of names. */
  readonly numberIn: (dimension: string, named: ValueName) => number | undefined;
  readonly numbered: (dimension: string, number: number) => ValueName | undefined;
  readonly bounds: (dimension: string) => readonly [least: number, most: number];
  /** The headers of a row that are not usual; those that are left out with an empty value. */
  readonly headersOf: (vector: Vector) => readonly Header[];
  readonly usualHeader: (name: string) => string;
  /** From earlier responses: the largest number that is right below the smallest one that fails. */
  readonly known: (dimension: string) => readonly [right: number, wrong: number] | undefined;
};

/** How rows are worded: the tables know. */
export type ConditionWording = {
  /** `idle`: for how many milliseconds nothing was sent before the row failed, if that was unusually long. */
  readonly knowledge: (known: TableKnowledge['known'], idle?: number) => TableKnowledge;
  readonly valueText: (vector: Vector, dimension: string, named: ValueName, range?: Range) => string;
  readonly kindText: (vector: Vector, dimension: string) => string;
  readonly usualText: (what: string) => string;
  /** Undefined where there is nothing to say. */
  readonly predicateText: (predicate: Predicate) => string | undefined;
  /** About every how many-th response to an operation, of all or of each connection. */
  readonly everyText: (operation: string, every: number, isOnConnection: boolean) => string;
  /** What is known of cases, the most telling first. */
  readonly names: readonly string[];
};

export const valueIn = (vector: Vector, dimension: string): ValueName | undefined =>
  Object.entries(vector).find(([one]) => one === dimension)?.[1];
export const dimensionsOf = (vector: Vector): readonly string[] => Object.keys(vector).filter((one) => one !== 'op' && one !== 'raw');
export const without = (vector: Vector, dimension: string): Vector =>
  Object.fromEntries(Object.entries(vector).filter(([one]) => one !== dimension)) as Vector;
export const withValue = (vector: Vector, dimension: string, value: ValueName): Vector => ({ ...vector, [dimension]: value }) as Vector;
const withOnly = (vector: Vector, kept: readonly string[]): Vector =>
  Object.fromEntries(Object.entries(vector).filter(([one]) => one === 'op' || kept.includes(one))) as Vector;

function* askOne(row: Row): Search<Outcome> {
  const [outcome = 'unasked'] = yield [row];
  return outcome;
}

/** The row without each dimension that it fails without, and the rows that are right. */
function* withoutDimensions(start: Vector): Search<{ readonly vector: Vector; readonly right: readonly Vector[] }> {
  const dimensions = dimensionsOf(start);
  if (dimensions.length === 0) return { vector: start, right: [] };
  const singles = dimensions.map((dimension) => without(start, dimension));
  const outcomes = yield singles;
  const needed = dimensions.filter((_dimension, index) => outcomes[index] !== 'fails');
  const together = withOnly(start, needed);
  const isOne = needed.length >= dimensions.length - 1;
  if (isOne || (yield* askOne(together)) === 'fails')
    return { vector: together, right: singles.filter((_single, index) => outcomes[index] === 'right').map((one) => withOnly(one, needed)) };
  // Any of them can be left out, but not all.
  let vector = start;
  const right: Vector[] = [];
  for (const dimension of dimensions.filter((one) => !needed.includes(one))) {
    const less = without(vector, dimension);
    const outcome = yield* askOne(less);
    if (outcome === 'fails') vector = less;
    else if (outcome === 'right') right.push(less);
  }
  return { vector, right };
}

/** The first row that fails: asked at once where that leaves no animals. */
function* firstFailing(rows: readonly Vector[]): Search<Vector | undefined> {
  if (rows.some(({ op }) => op !== 'create')) {
    const outcomes = yield rows;
    return rows.find((_row, index) => outcomes[index] === 'fails');
  }
  for (const row of rows) if ((yield* askOne(row)) === 'fails') return row;
  return undefined;
}

/** A pack, or a value of several parts, in halves until one is left, or all that is left is needed. */
function* halved(start: Vector, dimension: string, knowledge: TableKnowledge): Search<Vector> {
  let vector = start;
  for (;;) {
    const named = valueIn(vector, dimension);
    const parts = named === undefined ? [] : knowledge.parts(dimension, named);
    if (parts.length < 2) return vector;
    const middle = parts.length >> 1;
    const halves = [parts.slice(0, middle), parts.slice(middle)].map((half) =>
      withValue(vector, dimension, knowledge.joinParts(dimension, half)),
    );
    const next = yield* firstFailing(halves);
    if (next === undefined) return vector;
    vector = next;
  }
}

const POINTS = 3;

/** Which numbers fail like that one: asked at its neighbors and at the ends, then between the last that fails and the first that does not. */
function* rangeOf(vector: Vector, dimension: string, knowledge: TableKnowledge): Search<Range | undefined> {
  const named = valueIn(vector, dimension);
  const value = named === undefined ? undefined : knowledge.numberIn(dimension, named);
  if (value === undefined) return undefined;
  const [least, most] = knowledge.bounds(dimension);
  function* ask(numbers: readonly number[]): Search<ReadonlyMap<number, Outcome>> {
    const asked = numbers.flatMap((number) => {
      const other = number < least || number > most || number === value ? undefined : knowledge.numbered(dimension, number);
      return other === undefined ? [] : [{ number, row: withValue(vector, dimension, other) }];
    });
    if (asked.length === 0) return new Map();
    const outcomes = yield asked.map(({ row }) => row);
    return new Map(asked.map(({ number }, index) => [number, outcomes[index] ?? 'unasked']));
  }
  const near = yield* ask([...new Set([least, value - 2, value - 1, value + 1, value + 2, most])]);
  const fails = (number: number): boolean => number === value || near.get(number) === 'fails';
  const isRight = (number: number): boolean => near.get(number) === 'right';
  if (near.size === 0 || [...near.values()].every((outcome) => outcome === 'unasked')) return { kind: 'exactly', value };
  const beside = [value - 1, value + 1].filter((number) => near.has(number));
  if (beside.every(isRight)) {
    const second = [value - 2, value + 2].filter((number) => near.has(number));
    const isParity = second.length > 0 && second.every(fails);
    return { kind: isParity ? (value % 2 === 0 ? 'even' : 'odd') : 'exactly', value };
  }
  if (fails(least) && fails(most)) return { kind: 'any', value };
  if (!(fails(least) && isRight(most)) && !(fails(most) && isRight(least))) return { kind: 'exactly', value };
  return yield* between({ wrong: value, right: fails(most) ? least : most, points: POINTS }, ask);
}

type Between = { readonly wrong: number; readonly right: number; readonly points: number };
type AskNumbers = (numbers: readonly number[]) => Search<ReadonlyMap<number, Outcome>>;

/** The last number that fails, from the failing end to the right one, and the first that does not; how near to each other they could be found. */
function* between({ wrong: from, right: to, points: count }: Between, ask: AskNumbers): Search<Range> {
  let [wrong, right] = [from, to];
  while (Math.abs(wrong - right) > 1) {
    const step = (right - wrong) / (count + 1);
    const points = Array.from({ length: count }, (_unused, index) => Math.round(wrong + step * (index + 1)));
    const told = yield* ask([...new Set(points)].filter((point) => point !== wrong && point !== right));
    const last = points.findLast((point) => told.get(point) === 'fails') ?? wrong;
    const first = points.find((point) => told.get(point) === 'right' && Math.abs(point - from) > Math.abs(last - from)) ?? right;
    if (last === wrong && first === right) break;
    [wrong, right] = [last, first];
  }
  return { kind: from > to ? 'least' : 'most', value: wrong, other: right };
}

/** Whether the number alone is the reason, as earlier responses suggest, in whatever value it is. */
function* knownRange(
  vector: Vector,
  dimension: string,
  knowledge: TableKnowledge,
): Search<{ readonly vector: Vector; readonly range: Range } | undefined> {
  const known = valueIn(vector, dimension) === undefined ? undefined : knowledge.known(dimension);
  const alone = known === undefined ? undefined : knowledge.numbered(dimension, known[1]);
  if (known === undefined || alone === undefined) return undefined;
  const row = withValue(vector, dimension, alone);
  if ((yield* askOne(row)) !== 'fails') return undefined;
  function* ask(numbers: readonly number[]): Search<ReadonlyMap<number, Outcome>> {
    const outcomes = yield numbers.map((number) => withValue(vector, dimension, knowledge.numbered(dimension, number) ?? alone ?? 0));
    return new Map(numbers.map((number, index) => [number, outcomes[index] ?? 'unasked']));
  }
  return { vector: row, range: yield* between({ wrong: known[1], right: known[0], points: 1 }, ask) };
}

function* dimensionsOfFailingKinds(vector: Vector, knowledge: TableKnowledge): Search<readonly string[]> {
  const asked = dimensionsOf(vector).flatMap((dimension) =>
    knowledge
      .siblings(dimension, valueIn(vector, dimension) ?? '', vector)
      .map((value) => ({ dimension, row: withValue(vector, dimension, value) })),
  );
  if (asked.length === 0) return [];
  const outcomes = yield asked.map(({ row }) => row);
  const told = asked.map(({ dimension }, index) => ({ dimension, fails: outcomes[index] === 'fails' }));
  return [...Map.groupBy(told, ({ dimension }) => dimension)].flatMap(([dimension, all]) =>
    all.every(({ fails }) => fails) ? [dimension] : [],
  );
}

/** Whether a usual value is a part of the condition. */
function* usualOf(
  vector: Vector,
  knowledge: TableKnowledge,
): Search<{ readonly usual: readonly string[]; readonly right: readonly Vector[] }> {
  // An animal is not spent on what is not missing.
  const others = vector.op === 'create' && dimensionsOf(vector).length > 0 ? [] : knowledge.others(vector);
  if (others.length === 0) return { usual: [], right: [] };
  const outcomes = yield others.map(([, other]) => other);
  const right = others.filter((_other, index) => outcomes[index] === 'right');
  // A condition that all other values of a dimension end.
  const usual = [...Map.groupBy(others, ([dimension]) => dimension)].flatMap(([dimension, all]) =>
    all.every((one) => right.includes(one)) ? [dimension] : [],
  );
  return { usual, right: right.filter(([dimension]) => usual.includes(dimension)).map(([, other]) => other) };
}

/** What all company has in which the row fails, and none in which it does not. */
function* companyOf(start: Vector, outcome: 'right' | 'mixed' | 'mute', knowledge: TableKnowledge): Search<Narrowed> {
  const all = knowledge.company(start);
  const outcomes = yield all.map(({ group }) => group);
  const failing = all.filter((_one, index) => outcomes[index] === 'fails');
  const right = all.filter((_one, index) => outcomes[index] === 'right');
  const [first] = failing;
  const company = first?.is.find((one) => failing.every(({ is }) => is.includes(one)) && !right.some(({ is }) => is.includes(one)));
  // What fails in any company may come and go with the number of requests.
  const other = right[0]?.group;
  if (first === undefined || company === undefined || other === undefined) return { kind: 'comes and goes', asked: start, outcome };
  // What comes and goes looks like company by chance, once in a while.
  const [again, otherAgain] = yield [first.group, other];
  if (again !== 'fails' || otherAgain !== 'right') return { kind: 'comes and goes', asked: start, outcome };
  return { kind: 'company', failing: first.group, right: other, company };
}

function* narrowedVector(start: Vector, knowledge: TableKnowledge): Search<Narrowed> {
  // Most of what a row has is company.
  const plain = withOnly(
    start,
    dimensionsOf(start).filter((dimension) => !knowledge.fillers.includes(dimension)),
  );
  const [first = 'unasked', alone] = yield [start, plain];
  if (first === 'unasked') return { kind: 'unasked' };
  if (first !== 'fails') return yield* companyOf(start, first, knowledge);
  const least = yield* withoutDimensions(alone === 'fails' ? plain : start);
  let { vector } = least;
  const ranges: Record<string, Range> = {};
  for (const dimension of dimensionsOf(vector)) {
    const known = yield* knownRange(vector, dimension, knowledge);
    vector = known?.vector ?? (yield* halved(vector, dimension, knowledge));
    const range = known?.range ?? (yield* rangeOf(vector, dimension, knowledge));
    if (range !== undefined) ranges[dimension] = range;
  }
  const kinds = yield* dimensionsOfFailingKinds(vector, knowledge);
  const { usual, right } = yield* usualOf(vector, knowledge);
  const [bound] = Object.entries(ranges).flatMap(([dimension, range]) => {
    const other = 'other' in range ? knowledge.numbered(dimension, range.other) : undefined;
    return other === undefined ? [] : [withValue(vector, dimension, other)];
  });
  return { kind: 'fails', failing: vector, right: bound ?? right[0] ?? least.right[0], ranges, usual, kinds };
}

/** From a group that failed: members are left out in halves, then one by one; its control is the same rows one after another. */
function* narrowedGroup(start: Group): Search<Narrowed> {
  const outcome = yield* askOne(start);
  if (outcome === 'unasked') return { kind: 'unasked' };
  if (outcome !== 'fails') return { kind: 'comes and goes', asked: start, outcome };
  let group = start;
  for (let size = group.rows.length >> 1; size >= 1 && group.rows.length > 1; size >>= 1) {
    for (let at = 0; at < group.rows.length && group.rows.length > 1; ) {
      const rows = group.rows.filter((_row, index) => index < at || index >= at + size);
      const less: Group = { ...group, rows };
      if (rows.length > 0 && (yield* askOne(less)) === 'fails') group = less;
      else at += size;
    }
  }
  const control: Group = { how: 'in turn', rows: group.rows };
  const isRight = group.how === 'together' && group.rows.length > 1 && (yield* askOne(control)) === 'right';
  return { kind: 'fails', failing: group, right: isRight ? control : undefined, ranges: {}, usual: [], kinds: [] };
}

/** The smallest row that fails, from one that failed in a run. */
export const narrow = (start: Row, knowledge: TableKnowledge): Search<Narrowed> =>
  isGroup(start) ? narrowedGroup(start) : narrowedVector(start, knowledge);
