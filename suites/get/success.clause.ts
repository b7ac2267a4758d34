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

/** Reads animals that exist: each must be answered. */
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
  const outcome = conclude(rows, `${read} animals that ${whose}, each answered 200 with a Pet`);
  return outcome.kind === 'pass' && read === 0
    ? inconclusive('every animal that was to be read was taken away meanwhile', 'circumstance')
    : outcome;
}

/** Some of each status, and of each sign and size of id, before others. */
function varied(pets: readonly PetView[]): readonly PetView[] {
  const kind = ({ id, status }: PetView): string => `${status} ${id < 0n} ${id > 2n ** 53n} ${id % 2n}`;
  const first = [...new Map([...pets].reverse().map((pet) => [kind(pet), pet])).values()];
  return [...first, ...pets.filter((pet) => !first.includes(pet))].slice(0, SAMPLE);
}

export const getSuccess = defineClause({
  id: 'get.success',
  chapter: 'get-pet',
  section: 'Endpoints: 3. Get an animal (deprecated)',
  level: 'required',
  requirement: 'GET /pets/{petId} answers 200 with a Pet for an animal that exists.',
  likelyCause:
    'The read path looks elsewhere than the list or the creation: another table, partition or cache, or a status or an id range that it does not know.',
  checks: [
    {
      id: 'listed',
      title: 'The first listed animal of each status and the last of all are read with 200',
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
      title: 'Listed animals of every status and kind of id are read with 200',
      step: 'read',
      fault: 'get-misses-sold',
      run: async (s) => {
        await s.fixtures.recognized();
        return readAll(s, varied(await s.fixtures.sample(1000)), { whose: 'lists show', read: readExisting });
      },
    },
    {
      id: 'created',
      title: 'Created animals, of each status and without one, are read with 200',
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
      title: 'An animal behind which no other is created is read with 200',
      step: 'final',
      effect: 'write',
      fault: 'get-misses-default-status',
      run: async (s) => readAll(s, [await s.fixtures.create()], { whose: 'was created last', read: readExisting }),
    },
  ],
});
