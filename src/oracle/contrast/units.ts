import { DEFAULT_LIMIT } from '../../clause/limits.ts';
import { FIELDS, type NewPetInput, type PetView } from '../../schema/pet.ts';
import { oncePer } from '../../wire/once.ts';
import type { BlamedCase, CasesByClause } from '../blame.ts';
import type { TimelineCase } from '../shapes.ts';
import { type Look, viewOf } from '../view.ts';
import type { Event, World } from '../world.ts';
import { type Circumstance, circumstance, numbered, type Scale } from './circumstance.ts';
import { type Company, companyCircumstances, companyOf, connectionCircumstances, pageCircumstances } from './company.ts';
import { OF_THIS_RUN, type Unit } from './conditions.ts';
import {
  bodyCircumstances,
  categoryCircumstances,
  credentialCircumstances,
  dueCircumstances,
  headerCircumstances,
  idCircumstances,
  LONGEST_VALUE,
  listCircumstances,
  METHODS,
  nameCircumstances,
  segmentCircumstances,
  statusCircumstances,
  targetCircumstances,
} from './of-request.ts';

// What may be broken in a run, each with what is special about it: responses, animals, and responses in which animals are seen.

/** What came before the creation of an animal is no circumstance of its reads. */
const BEFORE_CREATION = /^creation: .*(?:before|connection)$/;

const byPlace = (all: readonly Circumstance[]): ReadonlyMap<string, Circumstance> => new Map(all.map((one) => [one.of, one]));

/** What is special about each response and animal of a run, found out once. */
export type Context = {
  readonly ofEvent: (event: Event) => Unit['circumstances'];
  readonly ofAnimal: (id: bigint) => Unit['circumstances'];
  readonly company: Company;
  readonly births: ReadonlyMap<bigint, Event>;
};

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
    ...{ company, births },
    ofAnimal,
    ofEvent: oncePer((event: Event) => {
      const { petId } = event.intent;
      const own = byPlace(eventCircumstances(event, company, world));
      // For a read, the circumstances of its animal are its own too.
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

/** What is special about the event is found out when somebody asks: most questions are answered without. */
class Response implements Unit {
  readonly event: Event;
  readonly broken: boolean;
  readonly #ofEvent: Context['ofEvent'];
  #circumstances: Unit['circumstances'] | undefined;

  constructor(event: Event, broken: boolean, ofEvent: Context['ofEvent']) {
    this.event = event;
    this.broken = broken;
    this.#ofEvent = ofEvent;
  }

  get circumstances(): Unit['circumstances'] {
    this.#circumstances ??= this.#ofEvent(this.event);
    return this.#circumstances;
  }
}

const unitOf = (event: Event, broken: boolean, { ofEvent }: Pick<Context, 'ofEvent'>): Unit => new Response(event, broken, ofEvent);

/** Animals: each once, and broken if one of its cases is. */
export function animalsIn(cases: readonly BlamedCase[], { ofAnimal }: Context): readonly Unit[] {
  const byAnimal = Map.groupBy(cases, ({ animal }) => animal);
  return [...byAnimal].flatMap(([id, all]): Unit[] => {
    const shown = all.find(({ breach }) => breach !== undefined) ?? all[0];
    if (id === undefined || shown === undefined) return [];
    return [{ event: shown.event, broken: shown.breach !== undefined, circumstances: ofAnimal(id), animal: id }];
  });
}

/** At least so many of the responses that show an animal are wrong where the animal is, and not what shows it. */
const LEAST_LASTING = 0.95;

/**
 * The animals of this run that responses show, those broken that are shown otherwise than they were created. None unless nearly each response that shows one
 * of these is wrong: then they are wrong in the store, and how they were created is the reason.
 */
export function storedAnimalsIn(all: CasesByClause, world: World, { ofAnimal, births }: Context): readonly Unit[] {
  const wrongs = new Map<bigint, Set<Event>>();
  const rules = new Set<BlamedCase['rule']>();
  for (const { event, breach, rule } of [...all.values()].flat()) {
    if (breach?.animals !== undefined) rules.add(rule);
    for (const id of breach?.animals ?? []) {
      const known = wrongs.get(id) ?? new Set();
      wrongs.set(id, known.add(event));
    }
  }
  if (wrongs.size === 0) return [];
  const judged = new Set([...all.values()].flat().flatMap(({ event, rule }) => (rules.has(rule) ? [event] : [])));
  const looksAt = (id: bigint): readonly Look[] =>
    viewOf(world)
      .animals.get(id)
      ?.looks.filter(({ event }) => judged.has(event)) ?? [];
  let [seen, wrong, unseen] = [0, 0, 0];
  for (const [id, events] of wrongs) {
    const looks = looksAt(id);
    const wrongLooks = looks.filter(({ event }) => events.has(event)).length;
    [seen, wrong, unseen] = [seen + looks.length, wrong + wrongLooks, unseen + events.size - wrongLooks];
  }
  // Responses that are no looks, to requests that the document leaves open, would be wrong as well: if most are, they are the reason.
  if (wrong < LEAST_LASTING * seen || unseen > wrong) return [];
  const firstOf = (id: bigint): Event | undefined => wrongs.get(id)?.values().next().value;
  const wronged = [...wrongs.keys()].flatMap((id): Wronged[] => {
    const first = firstOf(id);
    const [sent, shown] = [
      births.get(id)?.intent.sent,
      looksAt(id)
        .find(({ event }) => event === first)
        ?.shown.get(id),
    ];
    return sent === undefined || shown === undefined ? [] : [{ sent, shown }];
  });
  const isSameAnyway = sameAnyway(wronged);
  return [...births].flatMap(([id, { intent }]): Unit[] => {
    const event = firstOf(id) ?? looksAt(id)[0]?.event;
    // Of a body whose values are not known, it is not known whether they are shown.
    if (event === undefined || intent.sent === undefined || (!wrongs.has(id) && isSameAnyway(intent.sent))) return [];
    return [{ event, broken: wrongs.has(id), circumstances: ofAnimal(id), animal: id }];
  });
}

type Wronged = { readonly sent: NewPetInput; readonly shown: PetView };

/** Where all get one and the same value: whether an animal was sent with that value, and proves nothing. */
function sameAnyway(wronged: readonly Wronged[]): (sent: NewPetInput) => boolean {
  const field = FIELDS.find((one) => wronged.every(({ sent, shown }) => String(sent[one]) !== String(shown[one])));
  const values = field === undefined ? [] : [...new Set(wronged.map(({ shown }) => String(shown[field])))];
  return (sent) => field !== undefined && values.length === 1 && String(sent[field]) === values[0];
}

export function creationsOf(animals: readonly Unit[], { births, ofEvent }: Context): readonly Unit[] {
  return animals.flatMap(({ animal, broken }): Unit[] => {
    const event = animal === undefined ? undefined : births.get(animal);
    return event === undefined ? [] : [unitOf(event, broken, { ofEvent })];
  });
}

/** Responses: each once, and broken if one of its cases is. */
export function responsesIn(cases: readonly BlamedCase[], { ofEvent }: Context): readonly Unit[] {
  const byEvent = Map.groupBy(cases, ({ event }) => event);
  return [...byEvent].map(([event, all]) =>
    unitOf(
      event,
      all.some(({ breach }) => breach !== undefined),
      { ofEvent },
    ),
  );
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
    .map((event) => unitOf(event, origins.has(event.number), { ofEvent }));
}

/** Whether a history of an animal contradicts itself: what is wrong in a store lasts. */
export const isTimelineCase = (one: BlamedCase): one is BlamedCase & TimelineCase => one.breach !== undefined && 'wrongs' in one;

/**
 * Responses in which timelines see animals: broken where one is wrong in them. Those of the same places are good; where animals are shown wrongly and
 * none is missing, only those that show one of them: which lists they are in says nothing.
 */
export function looksIn(cases: readonly BlamedCase[], world: World, { ofEvent }: Context): readonly Unit[] {
  const timelines = cases.filter(isTimelineCase);
  const wrongs = new Set(timelines.flatMap((one) => one.wrongs ?? []));
  const areShown = timelines.every(({ animal = 0n, wrongs: own = [] }) => own.every(({ shown }) => shown.has(animal)));
  const animals = timelines.flatMap(({ animal }) => animal ?? []);
  const tells = ({ shown }: Look): boolean => !areShown || animals.some((id) => shown.has(id));
  const places = new Set([...wrongs].map(({ place }) => place));
  const { lists, reads } = viewOf(world);
  const broken = new Set([...wrongs].map(({ event }) => event));
  const looks = [...lists, ...[...reads.values()].flat()].filter((look) => places.has(look.place) && tells(look));
  return looks.map(({ event }) => unitOf(event, broken.has(event), { ofEvent }));
}

/**
 * Where animals are missing: the lists that omit one of them, which had room for it, and those that show one. The others prove nothing about it: full lists,
 * and those of before it was known to exist.
 */
export function tellingListsIn(cases: readonly BlamedCase[], world: World, { ofEvent }: Context): readonly Unit[] {
  const broken = cases.filter(isTimelineCase);
  if (!broken.every(({ aspect }) => aspect === 'existence')) return [];
  const wrongs = new Set(broken.flatMap((one) => one.wrongs ?? []));
  const places = new Set([...wrongs].map(({ place }) => place));
  const missing = broken.flatMap(({ animal }) => animal ?? []);
  return viewOf(world)
    .lists.filter((look) => places.has(look.place) && (wrongs.has(look) || missing.some((id) => look.shown.has(id))))
    .map((look) => unitOf(look.event, wrongs.has(look), { ofEvent }));
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
    isBroken && !broken.has(event) ? [] : [unitOf(event, broken.has(event), { ofEvent })],
  );
}

export function judgedIn(all: CasesByClause): ReadonlyMap<Event, boolean> {
  const judged = new Map<Event, boolean>();
  for (const cases of all.values())
    for (const { event, breach } of cases) judged.set(event, breach !== undefined || judged.get(event) === true);
  return judged;
}

const TELLING_HEADERS: readonly string[] = [
  'server',
  'via',
  'x-cache',
  'cf-cache-status',
  'x-served-by',
  'x-instance',
  'x-backend',
  'x-pod',
];

/** What a service sends may hold the API key, which is redacted where it is whole: nothing of it is cut here. */
const wholeOrNone = (text: string): string => (text.length <= LONGEST_VALUE ? text : '…');

function responseCircumstances({ response, intent, pet }: Event): readonly Circumstance[] {
  if (response === undefined) return [];
  const headers = TELLING_HEADERS.flatMap((name) => {
    const value = response.headers.find(([other]) => other === name)?.[1];
    return value === undefined ? [] : [circumstance('response', name, `in responses with \`${name}: ${wholeOrNone(value)}\``)];
  });
  const assigned = intent.operation === 'createPet' && pet !== undefined ? idCircumstances(pet.id) : [];
  return [...headers, ...assigned.map((one): Circumstance => ({ ...one, kind: 'response', of: `assigned ${one.of}` }))];
}

const ofAnimals = (says: string): string => `for animals ${says}`;
const ofCreation = (says: string): string => ofAnimals(`created ${says}`);

function reworded(one: Circumstance, of: string, word: (says: string) => string): Circumstance {
  const { scale, otherwise } = one;
  return {
    ...one,
    of: `${of}: ${one.of}`,
    says: word(one.says),
    ...(otherwise === undefined ? {} : { otherwise: word(otherwise) }),
    ...(scale === undefined ? {} : { scale: rewordedScale(scale, word) }),
  };
}

function rewordedScale({ value, least, most, between, multiple, noMultiple }: Scale, word: (says: string) => string): Scale {
  return {
    value,
    least: (threshold) => word(least(threshold)),
    most: (threshold) => word(most(threshold)),
    between: (from, to) => word(between(from, to)),
    ...(multiple === undefined ? {} : { multiple: (of: number) => word(multiple(of)) }),
    ...(noMultiple === undefined ? {} : { noMultiple: (of: number) => word(noMultiple(of)) }),
  };
}

type AnimalFacts = {
  readonly id: bigint;
  readonly birth: Event | undefined;
  readonly seen: PetView | undefined;
  readonly exists: boolean;
  /** Whether it was first shown after a list that showed all animals. */
  readonly isLater: boolean;
};

/** What the animal is: as it was sent or, of one of others, as it was first shown. */
function valuesOf({ birth, seen }: AnimalFacts): readonly Circumstance[] {
  if (birth === undefined && seen === undefined) return [];
  const { name, categoryId, status } = birth?.intent.sent ?? seen ?? {};
  return [
    ...(name === undefined ? [] : nameCircumstances(name)),
    ...(categoryId === undefined ? [] : categoryCircumstances(categoryId)),
    // A service may give a status of its own.
    ...statusCircumstances(status ?? seen?.status),
  ];
}

function describeAnimal({ birth, seen }: AnimalFacts): string | undefined {
  const { name, categoryId } = birth?.intent.sent ?? seen ?? {};
  const status = birth?.intent.sent?.status ?? seen?.status;
  if (name === undefined || categoryId === undefined) return undefined;
  return [JSON.stringify(wholeOrNone(name)), `categoryId ${categoryId}`, ...(status === undefined ? [] : [status])].join(', ');
}

function animalCircumstances(facts: AnimalFacts, company: Company): readonly Circumstance[] {
  const { id, birth, exists, isLater } = facts;
  const created =
    birth === undefined
      ? []
      : [
          ...bodyCircumstances(birth),
          ...headerCircumstances(birth.exchange),
          ...connectionCircumstances(birth, company),
          ...companyCircumstances(birth, company).filter(({ of }) => of !== 'turn' && of !== 'gap'),
        ];
  return [
    circumstance(
      'body',
      'creator',
      birth !== undefined
        ? OF_THIS_RUN
        : !exists
          ? 'for ids that no response shows'
          : isLater
            ? 'for animals that no 201 of this run shows'
            : 'for animals that were there before',
    ),
    ...created.map((one) => reworded(one, 'creation', ofCreation)),
    ...valuesOf(facts).map((one) => reworded(one, 'animal', ofAnimals)),
    ...idCircumstances(id, describeAnimal(facts)),
  ];
}

function readCircumstances(
  { number, sent }: Event,
  { birth, exists }: Pick<AnimalFacts, 'birth' | 'exists'>,
  company: Company,
): readonly Circumstance[] {
  if (!exists && birth === undefined) return [];
  const nth = company.reading.get(number);
  const { createdBy, animalsBy } = company;
  const later = Math.max(0, animalsBy(sent) - (birth === undefined ? animalsBy(sent) - createdBy(sent) : animalsBy(birth.done)));
  return [
    ...(nth === undefined
      ? []
      : [
          circumstance(
            'count',
            'reading',
            numbered(nth, (range) => `in reads ${range} of an animal`, {
              says: `in read ${nth} of its animal`,
              least: (least) => `from read ${least} of its animal on`,
              most: (most) => (most === 1 ? 'in the first read of an animal' : `in the first ${most} reads of an animal`),
            }),
          ),
        ]),
    circumstance(
      'count',
      'later animals',
      numbered(later, (range) => `for animals with ${range} later ones`, {
        least: (least) => `for all but the newest ${least} animals`,
        most: (most) => (most === 0 ? 'for the newest animal' : `for the newest ${most + 1} animals`),
      }),
    ),
    ...(birth === undefined
      ? []
      : [
          circumstance(
            'time',
            'age',
            numbered(Math.max(0, sent - birth.done), (range) => `for animals ${range} old`, {
              format: (value) => `${(value / 1_000).toFixed(2)} s`,
              least: (least) => `for animals created ${(least / 1_000).toFixed(2)} s before or earlier`,
              most: (most) => `for animals created less than ${Math.max(0.01, most / 1_000).toFixed(2)} s before`,
            }),
          ),
        ]),
  ];
}

function eventCircumstances(event: Event, company: Company, world: World): readonly Circumstance[] {
  const { intent, exchange } = event;
  const own =
    intent.operation === 'listPets'
      ? [...listCircumstances(event), ...pageCircumstances(event, company)]
      : intent.operation === 'createPet'
        ? bodyCircumstances(event)
        : intent.petId === undefined
          ? segmentCircumstances(exchange)
          : idCircumstances(intent.petId);
  return [
    circumstance('parameters', 'operation', `in ${METHODS[intent.operation]}`),
    ...dueCircumstances(event, world),
    ...credentialCircumstances(event, world),
    ...targetCircumstances(event),
    ...own,
    ...headerCircumstances(exchange),
    ...connectionCircumstances(event, company),
    ...responseCircumstances(event),
    ...companyCircumstances(event, company),
  ];
}
