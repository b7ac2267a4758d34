import { inconclusive } from '../../src/clause/halt.ts';
import type { Outcome } from '../../src/clause/outcome.ts';
import { describeRequest, wrongStatus } from '../../src/expect/expect.ts';
import type { PetView } from '../../src/schema/pet.ts';
import type { Session } from '../../src/session/session.ts';
import { asReceived } from '../../src/wire/exchange.ts';
import { defineClause } from '../define.ts';
import { allMade, oneOfEachStatus } from '../judging/creations/creations.ts';
import { conclude, settle } from '../judging/judge-rows.ts';
import { fewOf, type Reading, readExisting, readFirst } from './reading.ts';

const SAMPLE = 12;

type Read = (s: Session, id: bigint) => Promise<Reading>;

/** Reads existing animals: each read must succeed. */
async function readAll(
  s: Session,
  pets: readonly Pick<PetView, 'id'>[],
  { whose, read: readOne }: { whose: string; read: Read },
): Promise<Outcome> {
  const readings: Reading[] = [];
  const rows = await s.all(pets, ({ id }) =>
    settle(async () => {
      const reading = await readOne(s, id);
      readings.push(reading);
      if (reading.kind !== 'animal') return reading.kind === 'wrong' ? reading.finding : undefined;
      return wrongStatus(asReceived(reading.exchange), [200], describeRequest(reading.exchange));
    }),
  );
  const read = readings.filter(({ kind }) => kind === 'animal').length;
  const outcome = conclude(rows, `${read} animals that ${whose}, each of which returned 200 with a Pet`);
  return outcome.kind === 'pass' && read === 0 ? inconclusive('the animals disappeared before they were read', 'circumstance') : outcome;
}

/** Animals of each status, and of each sign and size of id, before others. */
function varied(pets: readonly PetView[]): readonly PetView[] {
  const kind = ({ id, status }: PetView): string => `${status} ${id < 0n} ${id > 2n ** 53n} ${id % 2n}`;
  const first = [...new Map([...pets].reverse().map((pet) => [kind(pet), pet])).values()];
  return [...first, ...pets.filter((pet) => !first.includes(pet))].slice(0, SAMPLE);
}

export const getSuccess = defineClause({
  id: 'get.success',
  chapter: 'get-pet',
  section: 'Endpoints: 3. Get an animal (deprecated)',
  quote: ['Success: `200`, body is a Pet.'],
  level: 'required',
  requirement: 'GET /pets/{petId} returns 200 with a Pet for every existing animal.',
  likelyCause:
    'The read path uses a different table, partition, or cache than the list or the creation, or does not handle some status or id range.',
  checks: [
    {
      id: 'listed',
      title: 'Returns 200 for the first listed animal of each status and the last of all',
      step: 'read',
      smoke: true,
      fault: 'get-redirects',
      run: async (s) => {
        const pets = await s.fixtures.recognized();
        return readAll(s, fewOf(pets), { whose: 'a list shows', read: readFirst });
      },
    },
    {
      id: 'sample',
      title: 'Returns 200 for listed animals of every status and kind of id',
      step: 'read',
      fault: 'get-misses-sold',
      run: async (s) => {
        await s.fixtures.recognized();
        return readAll(s, varied(await s.fixtures.sample(1000)), { whose: 'lists show', read: readExisting });
      },
    },
    {
      id: 'created',
      title: 'Returns 200 for created animals, with each status and without one',
      step: 'write',
      effect: 'write',
      fault: 'get-misses-default-status',
      run: async (s) =>
        readAll(
          s,
          allMade(await oneOfEachStatus(s)).map(({ pet }) => pet),
          { whose: 'were created', read: readExisting },
        ),
    },
    {
      id: 'newest',
      title: 'Returns 200 for the most recently created animal',
      step: 'final',
      effect: 'write',
      fault: 'get-misses-default-status',
      run: async (s) => readAll(s, [await s.fixtures.create()], { whose: 'was created last', read: readExisting }),
    },
  ],
});
