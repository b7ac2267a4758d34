import { inconclusive } from '../../../src/clause/halt.ts';
import type { Outcome } from '../../../src/clause/outcome.ts';
import { describeRequest, wrongStatus } from '../../../src/expect/expect.ts';
import type { PetView } from '../../../src/schema/pet.ts';
import type { Session } from '../../../src/session/session.ts';
import { asReceived } from '../../../src/wire/exchange.ts';
import { fewOf } from '../../get/reads.ts';
import { combineRows, judgeRow } from '../judge-rows.ts';
import { oncePerSession } from '../once-per-session.ts';
import { type Reading, readExisting, readingOf, requireAskable } from './reading.ts';

const SAMPLE = 12;

type Read = (s: Session, id: bigint) => Promise<Reading>;

/** Reads existing animals: each read must succeed. */
export async function readAll(
  s: Session,
  pets: readonly Pick<PetView, 'id'>[],
  { whose, read: readOne }: { whose: string; read: Read },
): Promise<Outcome> {
  const readings: Reading[] = [];
  const rows = await s.all(pets, ({ id }) =>
    judgeRow(async () => {
      const reading = await readOne(s, id);
      readings.push(reading);
      if (reading.kind !== 'animal') return reading.kind === 'wrong' ? reading.finding : undefined;
      return wrongStatus(asReceived(reading.exchange), [200], describeRequest(reading.exchange));
    }),
  );
  const read = readings.filter(({ kind }) => kind === 'animal').length;
  const outcome = combineRows(rows, `${read} animals that ${whose}, each of which returned 200 with a Pet`);
  return outcome.kind === 'pass' && read === 0 ? inconclusive('the animals disappeared before they were read', 'circumstance') : outcome;
}

/** Animals of each status, and of each sign and size of id, before others. */
function varied(pets: readonly PetView[]): readonly PetView[] {
  const kind = ({ id, status }: PetView): string => `${status} ${id < 0n} ${id > 2n ** 53n} ${id % 2n}`;
  const first = [...new Map([...pets].reverse().map((pet) => [kind(pet), pet])).values()];
  return [...first, ...pets.filter((pet) => !first.includes(pet))].slice(0, SAMPLE);
}

/** Like `readExisting`, using the run's first response for the animal. */
export async function readFirst(s: Session, id: bigint): Promise<Reading> {
  await requireAskable(s, id);
  return readingOf(s, id, await s.fixtures.firstRead(id));
}

/** Reads the first listed animal of each status and the last of all, once for all who ask. */
export const readListed = oncePerSession(async (s): Promise<Outcome> => {
  const pets = await s.fixtures.recognized();
  return readAll(s, fewOf(pets), { whose: 'a list shows', read: readFirst });
});

/** Reads listed animals of every status and kind of id, once for all who ask. */
export const readSample = oncePerSession(async (s): Promise<Outcome> => {
  await s.fixtures.recognized();
  return readAll(s, varied(await s.fixtures.sample(1000)), { whose: 'lists show', read: readExisting });
});
