// What all broken cases have and no right one: the smallest predicate over what is known of them, if it is no coincidence.

/** What is known of a case, by name. */
export type Known = ReadonlyMap<string, string | number>;

export type Test =
  | { readonly kind: 'is'; readonly value: string | number }
  /** `other`: the nearest number of a right case. */
  | { readonly kind: 'least' | 'most'; readonly value: number; readonly other: number }
  | { readonly kind: 'divided'; readonly by: number; readonly rest: number };

export type Predicate = { readonly name: string; readonly test: Test };

type Counted = { readonly known: Known; readonly isBroken: boolean };

/** How likely it may be at most that broken cases drawn by lot have something in common by which one of all predicates tells them. */
const CHANCE = 0.01;
const DIVISORS = [2, 3, 5, 7];
/** Of requests that overlap, which came first is known for most: so large a part of the cases with a value is broken, and of the broken ones has it. */
const NEARLY = 0.9;

export function holds({ name, test }: Predicate, known: Known): boolean {
  const value = known.get(name);
  if (value === undefined) return false;
  if (test.kind === 'is') return value === test.value;
  if (typeof value !== 'number') return false;
  switch (test.kind) {
    case 'least':
      return value >= test.value;
    case 'most':
      return value <= test.value;
    case 'divided':
      return value % test.by === test.rest;
    default:
      return test satisfies never;
  }
}

/** The predicates of one name that hold of all broken cases, and how many there are of which that was possible. */
function predicatesOf(
  name: string,
  cases: readonly Counted[],
  countsUp: boolean,
): { readonly tried: number; readonly all: readonly Predicate[] } {
  const values = cases.map(({ known }) => known.get(name));
  const broken = cases.flatMap(({ isBroken }, index) => (isBroken ? [values[index]] : []));
  const right = cases.flatMap(({ isBroken }, index) => (isBroken ? [] : [values[index]]));
  const distinct = new Set(values.filter((value) => value !== undefined)).size;
  const [first] = broken;
  if (first === undefined || broken.some((value) => value === undefined)) return { tried: distinct, all: [] };
  // What no right case is known to have otherwise is no condition.
  const isOtherwise = right.some((value) => value !== undefined && value !== first);
  const same: readonly Predicate[] =
    isOtherwise && broken.every((value) => value === first) ? [{ name, test: { kind: 'is', value: first } }] : [];
  const numbers = broken.filter((value) => typeof value === 'number');
  if (numbers.length < broken.length) return { tried: distinct, all: same };
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)];
  const others = right.filter((value) => typeof value === 'number');
  const below = others.filter((value) => value < least);
  const above = others.filter((value) => value > most);
  const bounds: readonly Predicate[] = [
    ...(below.length === 0 ? [] : [{ name, test: { kind: 'least' as const, value: least, other: Math.max(...below) } }]),
    ...(above.length === 0 ? [] : [{ name, test: { kind: 'most' as const, value: most, other: Math.min(...above) } }]),
  ];
  const divided = DIVISORS.flatMap((by): Predicate[] => {
    const rest = least % by;
    return countsUp && numbers.every((value) => value % by === rest) ? [{ name, test: { kind: 'divided', by, rest } }] : [];
  });
  const dividing = countsUp ? DIVISORS.reduce((sum, by) => sum + by, 0) : 0;
  return { tried: 3 * distinct + dividing, all: [...same, ...bounds, ...divided] };
}

/** How likely a set of so many of all cases is one of those that so many predicates describe. */
function chanceOf(tried: number, broken: number, all: number): number {
  let chance = tried;
  for (let index = 0; index < broken; index += 1) chance *= (broken - index) / (all - index);
  return chance;
}

/** How predicates may be combined: what is not said is not meant, and what comes in an order coincides with everything else that does. */
export type Telling = {
  /** In the order in which they are preferred. */
  readonly names: readonly string[];
  /** Those whose values have no meaning but their order, as a remainder. */
  readonly countUp: ReadonlySet<string>;
  readonly isSaid: (predicate: Predicate) => boolean;
  /** Those that come in an order: in pairs they stand with kinds of requests only. */
  readonly inOrder: ReadonlySet<string>;
  readonly kinds: ReadonlySet<string>;
  /** Those that are about what came before. */
  readonly before: ReadonlySet<string>;
  /** Those in an order of which a range may be told. */
  readonly states: ReadonlySet<string>;
  /** Those that only say how far the run is: where right cases have them too, they say nothing. */
  readonly course: ReadonlySet<string>;
};

/** How likely so many of the broken cases are by chance among those that one of so many predicates holds of. */
function chanceAmong(
  tried: number,
  { inside, within, broken, all }: Readonly<Record<'inside' | 'within' | 'broken' | 'all', number>>,
): number {
  let chance = tried;
  for (let index = 0; index < within; index += 1) chance *= ((inside - index) / (all - index)) * ((broken - index) / (index + 1));
  return chance;
}

/** The value of what came before that nearly all broken cases have, and nearly no right one. */
function nearest(cases: readonly Counted[], names: readonly string[], tried: number): Predicate | undefined {
  const broken = cases.filter(({ isBroken }) => isBroken);
  return names
    .flatMap((name) =>
      [...new Set(broken.flatMap(({ known }) => known.get(name) ?? []))].map((value): Predicate => ({ name, test: { kind: 'is', value } })),
    )
    .find((one) => {
      const inside = cases.filter(({ known }) => holds(one, known));
      const within = inside.filter(({ isBroken }) => isBroken).length;
      const counts = { inside: inside.length, within, broken: broken.length, all: cases.length };
      return within >= NEARLY * Math.max(inside.length, broken.length) && chanceAmong(tried, counts) <= CHANCE;
    });
}

/**
 * One predicate, or else two together, that hold of all broken cases and of no right one; or else one about what came before, that does of nearly all.
 * Empty where none does, or where so many were tried that one would by chance.
 */
export function tell(cases: readonly Counted[], { names, countUp, isSaid, inOrder, kinds, before, states }: Telling): readonly Predicate[] {
  const right = cases.filter(({ isBroken }) => !isBroken).map(({ known }) => known);
  const broken = cases.length - right.length;
  if (broken === 0 || right.length === 0) return [];
  const found = names.map((name) => predicatesOf(name, cases, countUp.has(name)));
  const tried = found.reduce((sum, one) => sum + one.tried, 0);
  const all = found.flatMap((one) => one.all).filter(isSaid);
  if (chanceOf(tried, broken, cases.length) > CHANCE) return [];
  const exceptions = new Map(all.map((one) => [one, right.filter((known) => holds(one, known))]));
  const single = all.find((one) => exceptions.get(one)?.length === 0);
  if (single !== undefined) return [single];
  const isOnly = (one: Predicate, second: Predicate): boolean => exceptions.get(one)?.every((known) => !holds(second, known)) === true;
  const ranges = found.reduce((sum, one) => sum + one.tried ** 2 / 2, 0);
  if (chanceOf(ranges, broken, cases.length) <= CHANCE) {
    for (const [index, one] of all.entries()) {
      const other = all.slice(index + 1).find((second) => second.name === one.name && states.has(one.name) && isOnly(one, second));
      if (other !== undefined) return [one, other];
    }
  }
  const pairs = (tried * tried) / 2;
  if (chanceOf(pairs, broken, cases.length) > CHANCE) return [];
  for (const [index, one] of all.entries()) {
    const mayPair = (second: Predicate): boolean =>
      (!inOrder.has(one.name) || kinds.has(second.name)) && (!inOrder.has(second.name) || kinds.has(one.name));
    const other = all.slice(index + 1).find((second) => mayPair(second) && isOnly(one, second));
    if (other !== undefined) return [one, other];
  }
  const near = nearest(
    cases,
    names.filter((name) => before.has(name)),
    tried,
  );
  return near !== undefined && isSaid(near) ? [near] : [];
}

/** So many predicates are said at most, besides the kind of request. */
const MOST_SAID = 2;
/** A condition that more than half of the cases have excludes little, and one under which more than seven of eight are right explains little. */
const [MOST_WITH_IT, LEAST_BROKEN] = [0.5, 0.125];

/**
 * What all broken cases have, and so few right ones that it is no coincidence, though some right ones have it: the kind of request, and within it the
 * rarest predicate, then the rarest within that. The cases come in the order of sending. Empty where there is none.
 */
export function tellNeeded(cases: readonly Counted[], { names, countUp, isSaid, inOrder, kinds, course }: Telling): readonly Predicate[] {
  const broken = cases.filter(({ isBroken }) => isBroken).length;
  if (broken === 0) return [];
  const found = names.map((name) => ({ name, ...predicatesOf(name, cases, countUp.has(name)) }));
  // Each name has an equal part of the chance: few values are no worse for standing next to many.
  const known = found.filter(({ tried }) => tried > 0).length;
  const triedOf = new Map(found.map(({ name, tried }) => [name, tried * known]));
  const having = (some: readonly Counted[], one: Predicate): readonly Counted[] => some.filter((each) => holds(one, each.known));
  const isTelling = (one: Predicate, inside: number, all: number): boolean =>
    chanceAmong(triedOf.get(one.name) ?? 0, { inside, within: broken, broken, all }) <= CHANCE;
  const all = found.flatMap((one) => one.all).filter((one) => isSaid(one) && !course.has(one.name));
  const ofKind = all.filter(({ name }) => kinds.has(name));
  const said: Predicate[] = [];
  let within = ofKind.reduce(having, cases);
  while (said.length < MOST_SAID) {
    // What is so for some time coincides with all else that is; what has an order of its own may be that time.
    const span = within.slice(
      within.findIndex(({ isBroken }) => isBroken),
      within.findLastIndex(({ isBroken }) => isBroken) + 1,
    );
    const [rarest] = all
      .filter(
        ({ name }) => !kinds.has(name) && said.every((other) => other.name !== name && !(inOrder.has(name) && inOrder.has(other.name))),
      )
      .map((one) => {
        const among = inOrder.has(one.name) ? within : span;
        const inside = having(among, one).length;
        return {
          one,
          isOrder: Number(inOrder.has(one.name)),
          share: inside / among.length,
          isTelling: isTelling(one, inside, among.length),
        };
      })
      .filter((one) => one.isTelling && one.share <= MOST_WITH_IT)
      .toSorted((one, other) => one.isOrder - other.isOrder || one.share - other.share);
    if (rarest === undefined) break;
    said.push(rarest.one);
    within = having(within, rarest.one);
  }
  if (said.length === 0 || broken < LEAST_BROKEN * within.length) return [];
  // The kind goes without saying where the others have it.
  const meant = said.reduce(having, cases);
  const [kind] = ofKind
    .map((one) => ({ one, inside: having(cases, one).length, isMore: having(meant, one).length < meant.length }))
    .filter(({ one, inside, isMore }) => isMore && isTelling(one, inside, cases.length))
    .toSorted((one, other) => one.inside - other.inside);
  return kind === undefined ? said : [kind.one, ...said];
}
