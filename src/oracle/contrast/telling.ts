// Which condition tells what is broken from what is not.
import { BESIDE } from './company.ts';
import { both, type Condition, CREATOR, conditionsIn, type Unit } from './conditions.ts';

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
const isOnPurpose = ({ condition, there, elsewhere }: Fit): boolean =>
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
        return isTelling(fit, all) && (isOnPurpose(fit) || isLikely);
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
