import type { Layer } from '../../clause/clause.ts';
import { affixesOf } from '../../session/names.ts';
import type { BlamedCase, CasesByClause } from '../blame.ts';
import type { Event, World } from '../world.ts';
import type { Circumstance, CircumstanceKind } from './circumstance.ts';
import { BESIDE, type Company, MORE_OTHERS } from './company.ts';
import {
  type BrokenCount,
  type Condition,
  CREATOR,
  conditionOf,
  type Fit,
  ID,
  isDoubtfulFit,
  ON_CONNECTION,
  partOf,
  populationOf,
  type Question,
  sayingOf,
  type Unit,
  wholeOf,
} from './conditions.ts';
import { ERROR } from './of-request.ts';
import { everyNthIn } from './periods.ts';
import {
  allResponses,
  animalsIn,
  contextOf,
  creationsOf,
  isTimelineCase,
  judgedIn,
  looksIn,
  ofBrokenOperations,
  originsIn,
  responsesIn,
  storedAnimalsIn,
  tellingListsIn,
} from './units.ts';

// What the broken cases of a clause share and the good ones lack.

export type Contrast = {
  /** Completes "Only …"; undefined where every case is broken, or nearly every one. */
  readonly when: string | undefined;
  readonly there: BrokenCount;
  readonly elsewhere: BrokenCount;
  readonly unit: 'response' | 'animal';
  readonly broken: Event;
  readonly twin: Event | undefined;
  /** Set if the broken case needs it: the request right before, or how many requests were in flight, with its own. */
  readonly before?: Event;
  readonly atOnce?: number;
  /** Follow-up requests show it, and the counts are those of follow-up requests. */
  readonly asked?: true;
  /** It is about a time, a count, or a part of the cases: follow-up requests may show more. */
  readonly doubtful?: true;
  /** It is about whole names that the suite sends, or about two properties of a name: creations with parts of a name may show more. */
  readonly ofWholeName?: true;
};

const NOTE = 'note';
const DOUBTFUL: readonly CircumstanceKind[] = ['time', 'count'];

const MOST_UNITS = 6_000;

function differencesOf(one: Unit, other: Unit): number {
  let count = 0;
  const isChosen = ({ kind }: Circumstance): boolean => kind !== 'time' && kind !== 'count';
  for (const [of, circumstance] of one.circumstances)
    if (isChosen(circumstance) && other.circumstances.get(of)?.says !== circumstance.says) count += 1;
  for (const [of, circumstance] of other.circumstances) if (isChosen(circumstance) && !one.circumstances.has(of)) count += 1;
  return count;
}

function distanceOf(one: Unit, other: Unit): number {
  let sum = 0;
  for (const [of, { kind, scale }] of one.circumstances) {
    const value = other.circumstances.get(of)?.scale?.value;
    if (kind === 'parameters' && scale !== undefined && value !== undefined) sum += Math.abs(scale.value - value);
  }
  return sum;
}

function sentBy({ exchange: { request } }: Event): string {
  const headers = request.headers.filter(([name]) => name.toLowerCase() !== 'traceparent');
  return JSON.stringify([request.method, request.path, request.query, headers, request.body]);
}

/** The good unit that is nearest to a broken one, and differs from it in the condition: neither the same request nor one that breaks another clause. */
function twinOf(
  units: readonly Unit[],
  { condition }: Fit,
  { to, isBroken }: { readonly to: Unit; readonly isBroken: (event: Event) => boolean },
): Event | undefined {
  const { operation } = to.event.intent;
  const own = sentBy(to.event);
  const isOther = ({ event }: Unit): boolean => event.intent.operation === operation && !isBroken(event) && sentBy(event) !== own;
  const good = units.filter((unit) => !unit.broken && condition.holds(unit) === false && isOther(unit));
  const near = good.map((unit) => ({ unit, away: differencesOf(to, unit), far: distanceOf(to, unit) }));
  return near.toSorted((a, b) => a.away - b.away || a.far - b.far)[0]?.unit.event;
}

const LEAST_ALWAYS = 2;
/** Where those at other paths are right, two may be broken by chance. */
const LEAST_OF_PATHS = 8;
/** A few animals are all wrong by chance where one in a few is. */
const LEAST_ANIMALS = 8;
/** What a creation is rejected for; the rest of it is incidental. */
const OF_REJECTION = /^(?:reason|note|object|form of .*|type of .*|unknown members|other members|JSON|framing)$/;
const OPERATION = /^operation$/;
/** What differs between requests for the same list: which of them are in time to show an animal says nothing about the time. */
const OF_HEADERS = /^header /;
/** What is wrong with a response before anything in it is read. */
const STATUS: readonly Layer[] = ['transport', 'failure', 'credential', 'status'];

/** What comes before a creation is the creation before. */
const LAST_CREATION = /of the last creation$|^length of the last name$/;

/** What else is sent when the condition holds: whoever repeats the request has to send that, too. */
function neededBy(condition: Condition, { number, response }: Event, company: Company): Pick<Contrast, 'before' | 'atOnce'> {
  const parts = condition.pair ?? [condition];
  const others = company.underWay.get(number) ?? 0;
  if (others > 0 && parts.some(({ says }) => says === BESIDE || MORE_OTHERS.test(says))) return { atOnce: others + 1 };
  const isSecond = response?.connection?.turn === 2;
  const sources = parts.map(({ kind, of }) => {
    if (LAST_CREATION.test(of)) return company.lastCreation;
    if (kind === 'before') return company.before;
    // Of a later one, the requests before the last one count, too.
    return kind === 'connection' && (ON_CONNECTION.test(of) || isSecond) ? company.onConnection : undefined;
  });
  const before = sources.find((source) => source !== undefined)?.get(number);
  return before === undefined ? {} : { before };
}

type Known = {
  readonly isBroken: (event: Event) => boolean;
  /** Whether it creates an animal with an unusual name that has more than the letters of the run. */
  readonly hasParts: (event: Event) => boolean;
  readonly company: Company;
};

function contrastOf(
  units: readonly Unit[],
  unit: Contrast['unit'],
  { fit, isBroken, hasParts, company }: { readonly fit: Fit | undefined } & Known,
): Contrast | undefined {
  const broken = units.find((one) => one.broken && fit?.condition.holds(one) === true);
  if (fit === undefined || broken === undefined) return undefined;
  const { condition, there, elsewhere } = fit;
  const isDoubtful = DOUBTFUL.includes(condition.kind) || [ID, CREATOR].includes(condition.of) || isDoubtfulFit(fit);
  const told = {
    when: sayingOf(condition, units),
    there,
    elsewhere,
    unit,
    broken: broken.event,
    twin: twinOf(units, fit, { to: broken, isBroken }),
    // Of an animal, the case at hand is one of the responses that show it.
    ...(unit === 'response' ? neededBy(condition, broken.event, company) : {}),
  };
  const isOfWholeName = (condition.of === NOTE || condition.pair !== undefined) && hasParts(broken.event);
  return { ...told, ...(isDoubtful ? { doubtful: true } : {}), ...(isOfWholeName ? { ofWholeName: true } : {}) };
}

function alwaysIn(all: readonly Unit[]): Contrast | undefined {
  const units = ofBrokenOperations(all);
  const [first, ...others] = units;
  if (first === undefined || units.length < LEAST_ALWAYS || units.some(({ broken }) => !broken)) return undefined;
  const operation = first.circumstances.get('operation')?.says;
  const isOne = others.every(({ event }) => event.intent.operation === first.event.intent.operation);
  const when = units.length === all.length || !isOne ? undefined : operation;
  const there = { broken: units.length, of: units.length };
  return { when, there, elsewhere: { broken: 0, of: all.length - units.length }, unit: 'response', broken: first.event, twin: undefined };
}

const MOST_RIGHT = 0.02;
const LEAST_NEARLY = 20;

const atPathsOfDocument = (units: readonly Unit[]): readonly Unit[] => units.filter(({ event }) => event.intent.undocumented !== true);

/** That every response at a path of the document is broken, or nearly every one: the few others, or other paths, say nothing. */
function nearlyAlwaysIn(all: readonly Unit[]): Contrast | undefined {
  const units = atPathsOfDocument(all);
  const broken = units.filter((unit) => unit.broken);
  const [first] = broken;
  const right = units.length - broken.length;
  const mayBeRight = units.length < LEAST_NEARLY ? 0 : Math.max(1, MOST_RIGHT * units.length);
  if (first === undefined || units.length < LEAST_OF_PATHS || right > mayBeRight) return undefined;
  const there = { broken: broken.length, of: units.length };
  return {
    ...{ when: undefined, there, elsewhere: { broken: 0, of: 0 }, unit: 'response', broken: first.event, twin: undefined },
    doubtful: true,
  };
}

function alwaysOf(animals: readonly Unit[]): Contrast | undefined {
  const [first] = animals;
  if (first === undefined || animals.length < LEAST_ANIMALS || animals.some(({ broken }) => !broken)) return undefined;
  const there = { broken: animals.length, of: animals.length };
  return { when: undefined, there, elsewhere: { broken: 0, of: 0 }, unit: 'animal', broken: first.event, twin: undefined };
}

function isOfValue(one: BlamedCase): boolean {
  return isTimelineCase(one) ? one.aspect === 'value' : /^\/(?:name|categoryId|status)$/.test(one.breach?.pointer ?? '');
}

function isOfAnimals(cases: readonly BlamedCase[]): boolean {
  return cases.every(({ breach, animal }) => breach === undefined || animal !== undefined);
}

const isRefused = ({ event }: Unit): boolean => event.intent.credential === 'refused';

/** Where nothing is broken without the API key, the responses to it: of other requests, a service looks at nothing else. */
function unlessRefused(units: readonly Unit[]): readonly Unit[] {
  return units.some((unit) => unit.broken && isRefused(unit)) ? [] : units.filter((unit) => !isRefused(unit));
}

const doubtfully = (contrast: Contrast | undefined): Contrast | undefined => contrast && { ...contrast, doubtful: true };

export type Contrasts = {
  readonly contrastOf: (cases: readonly BlamedCase[]) => Contrast | undefined;
  /** The responses of the operations that are broken, or the creations of the animals that are. */
  readonly responsesOf: (cases: readonly BlamedCase[]) => readonly Unit[];
  /** Whether what is wrong are animals, whatever response shows it. */
  readonly areAnimals: (cases: readonly BlamedCase[]) => boolean;
  /** Whether these are wrong in the store: then responses are those of their creations. */
  readonly areStored: (cases: readonly BlamedCase[]) => boolean;
};

/**
 * When a clause is broken: the simplest condition that holds for nearly all of its broken cases and for few good ones. Undefined where none does,
 * or where chance may have made it: nothing said is better than a guess. The cases are those of the clause that no other clause explains, `all` those
 * of the run.
 */
export function contrastsIn(world: World, all: CasesByClause): Contrasts {
  const context = contextOf(world);
  const judged = judgedIn(all);
  const isBroken = (event: Event): boolean => judged.get(event) === true;
  const hasParts = ({ intent: { body, sent } }: Event): boolean => {
    const affixes = body !== 'unusual' || sent === undefined ? undefined : affixesOf(sent.name, world.known.runTag);
    return affixes !== undefined && affixes.plain !== sent?.name;
  };
  const known: Known = { isBroken, hasParts, company: context.company };
  const isError = (event: Event): boolean => context.ofEvent(event).get('rejection')?.says === ERROR;
  const stored = storedAnimalsIn(all, world, context);
  const wrong = new Set(stored.flatMap(({ animal, broken }) => (broken && animal !== undefined ? [animal] : [])));
  const areStored = (broken: readonly BlamedCase[]): boolean =>
    broken.length > 0 &&
    broken.every((one) => {
      const animals = one.breach?.animals ?? (one.animal !== undefined && isOfValue(one) ? [one.animal] : []);
      return animals.length > 0 && animals.every((id) => wrong.has(id));
    });
  const nthOf = (animals: readonly Unit[]): Contrast | undefined => {
    const nth = everyNthIn(creationsOf(animals, context), world, isError);
    return nth && { ...nth, unit: 'animal' };
  };
  const areStoredIn = (cases: readonly BlamedCase[]): boolean => areStored(cases.filter(({ breach }) => breach !== undefined));
  const responsesOf: Contrasts['responsesOf'] = (cases) => {
    if (areStoredIn(cases)) return creationsOf(stored, context);
    return ofBrokenOperations(isOfAnimals(cases) ? looksIn(cases, world, context) : responsesIn(cases, context));
  };
  const contrastOfCases: Contrasts['contrastOf'] = (cases) => {
    const broken = cases.filter(({ breach }) => breach !== undefined);
    if (broken.length === 0) return undefined;
    const responses = responsesIn(cases, context);
    const always = alwaysIn(responses);
    const operations = new Set(broken.map(({ event }) => event.intent.operation));
    // One case is little: whatever else is broken in the operation must not contradict it.
    const isWhole = (condition: Condition): boolean =>
      [...judged].every(
        ([event, isBroken]) =>
          !isBroken ||
          !operations.has(event.intent.operation) ||
          condition.holds({ event, broken: true, circumstances: context.ofEvent(event) }) !== false,
      );
    // A read that does not find an animal is a 404.
    const isOfStatus = broken.some((one) => STATUS.includes(one.rule.layer) || (isTimelineCase(one) && one.aspect === 'existence'));
    const question = { isOfStatus };
    const isLasting = broken.every(isTimelineCase);
    const among = (units: readonly Unit[], more: Omit<Question, 'isOfStatus'> = {}): Contrast | undefined => {
      const fit = units.length > MOST_UNITS ? undefined : conditionOf(units, { ...question, isLasting, ...more });
      return fit?.there.broken === 1 && !isWhole(fit.condition) ? undefined : contrastOf(units, 'response', { fit, ...known });
    };
    const partIn = (units: readonly Unit[]): Fit | undefined => (units.length > MOST_UNITS ? undefined : partOf(units, question));
    const origins = originsIn(broken, world, context);
    if (origins !== undefined) return alwaysIn(origins) ?? among(origins, { about: OF_REJECTION, isLasting: false });
    if (areStored(broken)) {
      const ofStored = contrastOf(stored, 'animal', { fit: conditionOf(stored, question), ...known }) ?? nthOf(stored);
      if (ofStored !== undefined) return ofStored;
    }
    if (isOfAnimals(cases)) {
      // Which response shows first that an animal is wrong is chance.
      const animals = animalsIn(cases, context);
      const ofAnimals = contrastOf(animals, 'animal', { fit: conditionOf(animals, question), ...known });
      return (
        ofAnimals ??
        (always?.when === undefined ? always : undefined) ??
        among(tellingListsIn(cases, world, context), { pairs: 'none', about: OF_HEADERS }) ??
        among(ofBrokenOperations(looksIn(cases, world, context)), { pairs: 'none', isLasting: true }) ??
        alwaysOf(animals)
      );
    }
    if (always !== undefined) return always;
    const own = ofBrokenOperations(responses);
    const documented = atPathsOfDocument(own);
    const everything = allResponses(cases, judged, context);
    return (
      among(own, { isSimple: true }) ??
      among(unlessRefused(own), { isSimple: true }) ??
      among(own) ??
      contrastOf(everything, 'response', { fit: wholeOf(everything, question), ...known }) ??
      // Invalid bodies have more in common than the error in them, so any two circumstances would separate them from all valid ones.
      among(ofBrokenOperations(everything), { pairs: 'forms' }) ??
      among(responses, { about: OPERATION }) ??
      everyNthIn(own, world, isError) ??
      doubtfully(contrastOf(own, 'response', { fit: partIn(own) ?? partIn(unlessRefused(own)), ...known })) ??
      doubtfully(contrastOf(own, 'response', { fit: populationOf(own, { ...question, isLasting }), ...known })) ??
      // Of a list nobody knows which of its animals is the reason.
      doubtfully(among(own.filter(({ event }) => event.intent.operation !== 'listPets'))) ??
      (documented.length < own.length ? among(documented, { isSimple: true }) : undefined) ??
      nearlyAlwaysIn(own)
    );
  };
  return { contrastOf: contrastOfCases, responsesOf, areAnimals: isOfAnimals, areStored: areStoredIn };
}
