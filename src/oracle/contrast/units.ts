// What may be broken in a run, each with what is special about it: responses, animals, and responses in which animals are seen.
import type { BlamedCase, CasesByClause } from '../blame.ts';
import type { Event } from '../event.ts';
import type { TimelineCase } from '../shapes.ts';
import { viewOf } from '../view.ts';
import type { World } from '../world.ts';
import type { Circumstance } from './circumstance.ts';
import { animalCircumstances, eventCircumstances, readCircumstances } from './circumstances.ts';
import { companyOf, DEFAULT_LIMIT } from './company.ts';
import type { Unit } from './conditions.ts';
import { FORM_OF_PATH } from './of-request.ts';

/** What came before the creation of an animal is no circumstance of its reads. */
const BEFORE_CREATION = /^creation: .*(?:before|connection)$/;

const byPlace = (all: readonly Circumstance[]): ReadonlyMap<string, Circumstance> => new Map(all.map((one) => [one.of, one]));

/** What is special about each response and animal of a run, found out once. */
export type Context = {
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

/** When the first list was there that showed all animals: what is seen for the first time later was not there before. */
function firstWholeList({ events }: World): number {
  const whole = events.filter(({ intent: { limit, status }, pets }) => {
    const most = limit === 'absent' ? DEFAULT_LIMIT : limit === 'open' ? 0 : limit;
    return status === 'absent' && pets !== undefined && pets.length < most;
  });
  return Math.min(...whole.map(({ done }) => done));
}

export function contextOf(world: World): Context {
  const company = companyOf(world);
  const births = new Map<bigint, Event>();
  for (const event of world.events) if (event.intent.operation === 'createPet' && event.pet !== undefined) births.set(event.pet.id, event);
  const { animals } = viewOf(world);
  const listed = firstWholeList(world);
  const factsOf = (id: bigint) => {
    const [first] = animals.get(id)?.looks ?? [];
    return { id, birth: births.get(id), seen: first?.shown.get(id), exists: animals.has(id), isLater: (first?.event.sent ?? 0) > listed };
  };
  const ofAnimal = oncePer((id: bigint) => byPlace(animalCircumstances(factsOf(id), company)));
  return {
    ofAnimal,
    ofEvent: oncePer((event: Event) => {
      const { petId } = event.intent;
      const own = byPlace(eventCircumstances(event, company, world));
      // Of a read, the animal tells as well.
      return petId === undefined
        ? own
        : new Map([
            ...own,
            ...ofAnimal(petId)
              .entries()
              .filter(([of]) => !BEFORE_CREATION.test(of)),
            ...byPlace(readCircumstances(event, factsOf(petId), company)),
          ]);
    }),
  };
}

/** Animals: each once, and broken if one of its cases is. */
export function animalsIn(cases: readonly BlamedCase[], { ofAnimal }: Context): readonly Unit[] {
  const byAnimal = Map.groupBy(cases, ({ animal }) => animal);
  return [...byAnimal].flatMap(([id, all]): Unit[] => {
    const shown = all.find(({ breach }) => breach !== undefined) ?? all[0];
    if (id === undefined || shown === undefined) return [];
    return [{ event: shown.event, broken: shown.breach !== undefined, circumstances: ofAnimal(id) }];
  });
}

/** A path that leads nowhere, or to an id that is none. */
const NOWHERE = [400, 404];

/** Whether a request without the API key tried a path in an odd form that leads nowhere: there is nothing that a key would open. */
function isNowhere({ event: { intent, status = 0 }, broken, circumstances }: Unit): boolean {
  const isOdd = circumstances.keys().some((of) => of.startsWith(FORM_OF_PATH));
  return !broken && intent.credential !== 'valid' && NOWHERE.includes(status) && isOdd;
}

/** Responses: each once, and broken if one of its cases is. */
export function responsesIn(cases: readonly BlamedCase[], { ofEvent }: Context): readonly Unit[] {
  const byEvent = Map.groupBy(cases, ({ event }) => event);
  const units = [...byEvent].map(([event, all]): Unit => {
    return { event, broken: all.some(({ breach }) => breach !== undefined), circumstances: ofEvent(event) };
  });
  return units.filter((unit) => !isNowhere(unit));
}

/** Rejected creations: broken are those that other responses show to have done something. Undefined where each case shows itself what is wrong. */
export function originsIn(cases: readonly BlamedCase[], { events, known }: World, { ofEvent }: Context): readonly Unit[] | undefined {
  const origins = new Set(cases.flatMap(({ breach }) => breach?.origin?.number ?? []));
  if (origins.size === 0) return undefined;
  // Of the others, those whose animal would be known again by its name; what is sent later is shown by fewer lists, which have their limits.
  const last = Math.max(...origins);
  const rejected = new Set([...known.refusedNames.values()].flatMap(({ number }) => (number <= last ? number : [])));
  return events
    .filter(({ number, intent }) => origins.has(number) || (rejected.has(number) && intent.credential === 'valid'))
    .map((event) => ({ event, broken: origins.has(event.number), circumstances: ofEvent(event) }));
}

/** Responses in which timelines see animals: broken where one is wrong in them. Those of the same places are good. */
export function looksIn(cases: readonly BlamedCase[], world: World, { ofEvent }: Context): readonly Unit[] {
  const wrongs = new Set(
    cases.flatMap((one) => (one.breach === undefined ? [] : ((one as BlamedCase & Pick<TimelineCase, 'wrongs'>).wrongs ?? []))),
  );
  const places = new Set([...wrongs].map(({ place }) => place));
  const { lists, reads } = viewOf(world);
  const broken = new Set([...wrongs].map(({ event }) => event));
  const looks = [...lists, ...[...reads.values()].flat()].filter(({ place }) => places.has(place));
  return looks.map(({ event }) => ({ event, broken: broken.has(event), circumstances: ofEvent(event) }));
}

/** Responses of the operations that are broken: what others came to says nothing. */
export function ofBrokenOperations(units: readonly Unit[]): readonly Unit[] {
  const operations = new Set(units.filter(({ broken }) => broken).map(({ event }) => event.intent.operation));
  return units.filter(({ event }) => operations.has(event.intent.operation));
}

/** All responses that were judged: broken are those of these cases, and those that are broken otherwise are neither. */
export function allResponses(cases: readonly BlamedCase[], judged: ReadonlyMap<Event, boolean>, { ofEvent }: Context): readonly Unit[] {
  const broken = new Set(cases.flatMap(({ event, breach }) => (breach === undefined ? [] : [event])));
  return [...judged].flatMap(([event, isBroken]): Unit[] =>
    isBroken && !broken.has(event) ? [] : [{ event, broken: broken.has(event), circumstances: ofEvent(event) }],
  );
}

/** The responses that rules judged, and whether one of them is broken. */
export function judgedIn(all: CasesByClause): ReadonlyMap<Event, boolean> {
  const judged = new Map<Event, boolean>();
  for (const cases of all.values())
    for (const { event, breach } of cases) judged.set(event, breach !== undefined || judged.get(event) === true);
  return judged;
}
