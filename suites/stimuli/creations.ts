import { haltInconclusive } from '../../src/clause/halt.ts';
import { mayBeRemoved } from '../../src/clause/removal.ts';
import { statusOf } from '../../src/expect/expect.ts';
import { eventOf } from '../../src/oracle/event.ts';
import type { NewPetInput } from '../../src/schema/pet.ts';
import type { CreateOptions } from '../../src/session/client/api.ts';
import type { Session } from '../../src/session/session.ts';
import type { Exchange, PetStatus } from '../../src/wire/exchange.ts';
import { type UnusualName, VERY_LONG_NAMES, withName } from '../cases/unusual-names.ts';
import { stillCreates } from '../judging/creations/still-creates.ts';

const LARGEST = 100;
const LEAST_REJECTION = 300;
const BAD_REQUEST = 400;

/** Creates an animal and, if the 201 shows it, reads it: by its id or, once getPet may be removed, from a list. */
export async function createAndRead(s: Session, value: NewPetInput, options: CreateOptions): Promise<readonly Exchange[]> {
  const creation = await s.api.create({ value }, options);
  const { pet } = eventOf(creation);
  if (pet === undefined) return [creation];
  const isGone = mayBeRemoved(s.options.now);
  const { status = pet.status } = value;
  return [creation, await (isGone ? s.api.list({ limit: LARGEST, ...(status === undefined ? {} : { status }) }) : s.api.get(pet.id))];
}

const IN_TURN = ['pending', 'sold', undefined] as const;

/** A status for each row, so that no filtered list outgrows the largest page. */
export function statusInTurn(index: number): PetStatus | undefined {
  return IN_TURN.at(index % IN_TURN.length);
}

/**
 * Creates an animal with an unusual value and reads it. If it is rejected with a status other than 400, a plain NewPet follows, once per
 * run: the history then shows whether the service still creates animals.
 */
export async function createUnusual(
  s: Session,
  value: NewPetInput,
  options: Pick<CreateOptions, 'note' | 'spelling'> = {},
): Promise<readonly Exchange[]> {
  const exchanges = await createAndRead(s, value, { ...options, domain: 'unusual' });
  const status = exchanges[0] === undefined ? undefined : statusOf(exchanges[0]);
  if (status !== undefined && status >= LEAST_REJECTION && status !== BAD_REQUEST) await stillCreates(s);
  return exchanges;
}

/** Creates an animal with each of the names, as `createUnusual`. */
export async function createNamed(s: Session, names: readonly UnusualName[]): Promise<readonly Exchange[]> {
  const exchanges = await s.all(s.portion(names), async (row, index) =>
    createUnusual(s, withName(await s.fixtures.plain(statusInTurn(index)), row), {
      note: `with ${row.what}`,
      ...(row.spelling === undefined ? {} : { spelling: row.spelling }),
    }),
  );
  return exchanges.flat();
}

/**
 * The fraction of the deadline within which the shortest of the very long names must be accepted: the longest one has six times as many
 * bytes.
 */
const SHARE = 1 / 12;

/** Very long names, the shortest first: the others are not sent if they would exceed the deadline. */
export async function createVeryLong(s: Session): Promise<void> {
  const [creation] = await createNamed(s, VERY_LONG_NAMES.slice(0, 1));
  if (creation === undefined || statusOf(creation) !== 201) return;
  if (creation.timings.duration > s.options.timeout * SHARE)
    haltInconclusive('a name of 16,384 letters takes so long that longer ones would exceed the deadline', 'service');
  await createNamed(s, VERY_LONG_NAMES.slice(1));
}
