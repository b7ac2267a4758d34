// What is special about a request and about an animal: by what broken cases may differ from good ones.
import type { PetView } from '../../schema/pet.ts';
import type { Event } from '../event.ts';
import type { World } from '../world.ts';
import { type Circumstance, circumstance, numbered, type Scale } from './circumstance.ts';
import { type Company, companyCircumstances, connectionCircumstances, pageCircumstances } from './company.ts';
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

/** Headers of a response that tell where it comes from. */
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

function responseCircumstances({ answer, intent, pet }: Event): readonly Circumstance[] {
  if (answer === undefined) return [];
  const headers = TELLING_HEADERS.flatMap((name) => {
    const value = answer.headers.find(([other]) => other === name)?.[1];
    return value === undefined ? [] : [circumstance('response', name, `in responses with \`${name}: ${wholeOrNone(value)}\``)];
  });
  const assigned = intent.operation === 'createPet' && pet !== undefined ? idCircumstances(pet.id) : [];
  return [...headers, ...assigned.map((one): Circumstance => ({ ...one, kind: 'response', of: `assigned ${one.of}` }))];
}

const ofAnimals = (says: string): string => `for animals ${says}`;
const ofCreation = (says: string): string => ofAnimals(`created ${says}`);

/** The circumstance, its texts put in other words. */
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

/** What is special about an animal: how it was created, by whom, its id, and what it was first seen to be. */
type AnimalFacts = {
  readonly id: bigint;
  readonly birth: Event | undefined;
  readonly seen: PetView | undefined;
  /** Whether anything has shown it. */
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

/** What the animal is, for a reader who is told its id. */
function describeAnimal({ birth, seen }: AnimalFacts): string | undefined {
  const { name, categoryId } = birth?.intent.sent ?? seen ?? {};
  const status = birth?.intent.sent?.status ?? seen?.status;
  if (name === undefined || categoryId === undefined) return undefined;
  return [JSON.stringify(wholeOrNone(name)), `categoryId ${categoryId}`, ...(status === undefined ? [] : [status])].join(', ');
}

/** Circumstances of a case that is about an animal, whatever response shows it. */
export function animalCircumstances(facts: AnimalFacts, company: Company): readonly Circumstance[] {
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
        ? 'for animals that this run created'
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

/** What is special about a read beside its animal: which of its reads it is, and how long after the creation. */
export function readCircumstances(
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

/** All circumstances of an exchange. */
export function eventCircumstances(event: Event, company: Company, world: World): readonly Circumstance[] {
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
