import { haltInconclusive } from '../../src/clause/halt.ts';
import type { Finding, Outcome } from '../../src/clause/outcome.ts';
import { describeRequest, finding, petOf, petsOf, statusOf } from '../../src/expect/expect.ts';
import type { Field, PetView } from '../../src/schema/pet.ts';
import type { ListParameters } from '../../src/session/client/api.ts';
import type { Session } from '../../src/session/session.ts';
import { type Exchange, PET_STATUSES } from '../../src/wire/exchange.ts';
import { defineClause } from '../define.ts';
import { combineRows, judgeRow } from '../judging/judge-rows.ts';
import { differing, shownField } from '../judging/pet-fields.ts';
import { failsListed } from './fails-listed.ts';
import { readExisting } from './reading.ts';

const SAMPLE = 12;
const CROWD = 30;

/** An animal as a list showed it. */
type Sighting = { readonly pet: PetView; readonly list: Exchange; readonly parameters: ListParameters };

function disagreement(list: Exchange, read: Exchange, shown: { listed: PetView; own: PetView; field: Field }): Finding {
  const { listed, own, field } = shown;
  return finding([list, read], {
    summary: `animal ${own.id} has ${shownField(own, field)} in getPet, but ${shownField(listed, field)} in ${describeRequest(list)}`,
    expected: [`the same ${field} in both`],
    received: shownField(own, field),
    pointer: `/${field}`,
  });
}

/** The animal in the list, as it is now. */
async function listedNow(
  s: Session,
  { pet, parameters }: Sighting,
): Promise<{ readonly list: Exchange; readonly pet: PetView | undefined }> {
  const list = await s.api.list(parameters);
  const pets = statusOf(list) === 200 ? petsOf(list) : [];
  return { list, pet: pets.find(({ id }) => id === pet.id) };
}

/**
 * A name or category cannot change, and neither can an animal of our own, so any such difference counts. The status of another client's
 * animal is read again, since an order may have changed it between the two reads: then both show the new one within the
 * consistency window.
 */
async function confirm(s: Session, sighting: Sighting, first: { exchange: Exchange; pet: PetView }): Promise<readonly Finding[]> {
  const fields = differing(sighting.pet, first.pet);
  if (fields.length === 0) return [];
  const steady = fields.filter((field) => field !== 'status' || s.knowledge.created.has(String(sighting.pet.id)));
  if (steady.length > 0)
    return steady.map((field) => disagreement(sighting.list, first.exchange, { listed: sighting.pet, own: first.pet, field }));
  let again = { listed: await listedNow(s, sighting), own: first.pet, read: first.exchange };
  const agrees = (): boolean => again.listed.pet !== undefined && differing(again.listed.pet, again.own).length === 0;
  await s.poll(
    async () => {
      const listed = await listedNow(s, sighting);
      const read = await s.api.get(sighting.pet.id);
      again = { listed, own: statusOf(read) === 200 ? petOf(read) : again.own, read };
      return read;
    },
    () => agrees() || again.listed.pet === undefined,
  );
  const { listed, own, read } = again;
  const shown = listed.pet;
  // A filtered list drops the animal when its status changes, which leaves nothing to compare.
  if (shown === undefined) return [];
  return differing(shown, own).map((field) => disagreement(listed.list, read, { listed: shown, own, field }));
}

async function compare(s: Session, sightings: readonly Sighting[]): Promise<Outcome> {
  let compared = 0;
  const rows = await s.all(sightings, (sighting) =>
    judgeRow(async () => {
      const reading = await readExisting(s, sighting.pet.id);
      if (reading.kind === 'wrong') {
        if (await failsListed(s)) haltInconclusive(reading.finding.summary, 'get.success');
        return reading.finding;
      }
      if (reading.kind === 'gone' || reading.pet.id !== sighting.pet.id) return undefined;
      compared += 1;
      return confirm(s, sighting, reading);
    }),
  );
  const outcome = combineRows(rows, `${compared} animals, identical in lists and in getPet`);
  if (outcome.kind === 'pass' && compared === 0) haltInconclusive('no listed animal could be read', 'get.success');
  return outcome;
}

/** Animals from the start, the middle, and the end of lists with several limits and statuses. */
async function sightings(s: Session, most: number): Promise<readonly Sighting[]> {
  const queries: ListParameters[] = [
    {},
    { limit: 1 },
    { limit: 7 },
    { limit: 100 },
    ...PET_STATUSES.flatMap((status) => [{ status }, { status, limit: 100 }]),
  ];
  const lists = await s.all(s.portion(queries), async (parameters) => ({ parameters, list: await s.api.list(parameters) }));
  const all = lists.flatMap(({ parameters, list }) => {
    const pets = statusOf(list) === 200 ? petsOf(list) : [];
    const each = Math.max(2, Math.ceil(most / queries.length));
    const step = Math.max(1, (pets.length - 1) / (each - 1));
    const places = new Set(Array.from({ length: Math.min(each, pets.length) }, (_unused, index) => Math.round(index * step)));
    return [...places].flatMap((place) => {
      const pet = pets[place];
      return pet === undefined ? [] : [{ pet, list, parameters }];
    });
  });
  // An animal in two lists counts twice only if the lists show it differently.
  const distinct = new Map(
    all.map((sighting) => [`${sighting.pet.id} ${sighting.pet.name} ${sighting.pet.categoryId} ${sighting.pet.status}`, sighting]),
  );
  return [...distinct.values()].slice(0, most);
}

export const getAgreesWithList = defineClause({
  id: 'get.agrees-with-list',
  chapter: 'get-pet',
  section: 'Endpoints: 1. List animals; 3. Get an animal (deprecated)',
  quote: [
    'Success: `200`, body is a Pets array (array of Pet).',
    'Success: `200`, body is a Pet.',
    '| id | integer | int64 | yes | Unique identifier assigned by the service on creation; never supplied by the client |',
  ],
  level: 'implied',
  derivation:
    'listPets returns Pet records, getPet returns the Pet record with a given id, and ids are unique. So both show the same record for the same id, and getPet finds every id that a list shows.',
  requirement: 'getPet shows an animal with the same name, category, and status as every list that shows it.',
  likelyCause:
    'The list and the single read use different queries, serializers, or caches. Compare what each of them selects and converts.',
  checks: [
    {
      id: 'first-page',
      title: 'getPet shows the first and the last listed animal as the list does',
      step: 'read',
      given: ['petList', 'read'],
      fault: 'get-category-other',
      run: async (s, { petList: { exchange: list, pets } }) => {
        const ends = [...new Set([...pets.slice(0, 1), ...pets.slice(-1)])];
        return compare(
          s,
          ends.map((pet) => ({ pet, list, parameters: {} })),
        );
      },
    },
    {
      id: 'sample',
      title: 'getPet shows animals as lists with various limits and statuses do',
      step: 'read',
      given: ['pets', 'read'],
      exhaustive: true,
      fault: 'list-status-stale',
      run: async (s) => {
        return compare(s, await sightings(s, SAMPLE));
      },
    },
    {
      id: 'large-store',
      title: 'getPet shows animals of a large store as the lists do',
      step: 'final',
      given: ['pets', 'read'],
      exhaustive: true,
      fault: 'list-name-shortened',
      run: async (s) => {
        return compare(s, await sightings(s, CROWD));
      },
    },
  ],
});
