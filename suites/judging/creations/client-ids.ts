import { petOf, statusOf } from '../../../src/expect/expect.ts';
import { judgeable } from '../../../src/expect/judgeable.ts';
import type { NewPetInput } from '../../../src/schema/pet.ts';
import { createRandom } from '../../../src/session/fixtures/random.ts';
import type { Session } from '../../../src/session/session.ts';
import type { Exchange } from '../../../src/wire/exchange.ts';
import { writeJson } from '../../../src/wire/json.ts';
import { oncePerSession } from '../once-per-session.ts';
import { readBack } from './read-back.ts';

const LENIENT = ['ID', 'petId'];

/** A creation with an id of the client's choice. */
export type Adoption = {
  readonly id: bigint;
  /** The property of the body that holds the id: `id`, or a spelling that a lenient mapper accepts for it. */
  readonly member: string;
  readonly sent: NewPetInput;
  /** The animal that already has the id, as it was; undefined when none has it. */
  readonly owner: NewPetInput | undefined;
  readonly exchange: Exchange;
};

/** An id in the upper half of int64, which no service that counts up has reached. */
export function farId(seed: number): bigint {
  const random = createRandom(seed);
  const part = (): bigint => BigInt(Math.floor(random() * 2 ** 30));
  return 2n ** 62n + part() * 2n ** 30n + part();
}

/**
 * An animal whose id is sent again. It is created as raw bytes, so that it is not among the animals that other checks know: a service
 * that overwrites it breaks this clause and not theirs.
 */
async function victim(s: Session): Promise<{ id: bigint; owner: NewPetInput } | undefined> {
  const sent = await s.fixtures.plain();
  const exchange = judgeable(await s.api.create({ raw: ` ${writeJson(sent)}` }, { domain: 'plain' }));
  if (statusOf(exchange) !== 201) return undefined;
  const { id } = petOf(exchange);
  const { pet } = await readBack(s, id);
  // As it is read: other clauses judge a name that is stored differently than it was sent.
  return pet === undefined ? undefined : { id, owner: { name: pet.name ?? sent.name, categoryId: pet.categoryId ?? sent.categoryId } };
}

/**
 * Creations with the id of an existing animal, and with unused ids of 31 bits, of 63 bits, negative, and zero; and
 * with such ids in properties that a case-insensitive mapper, or one that knows the path parameter, takes for `id`.
 */
export const adoptions = oncePerSession(async (s): Promise<readonly Adoption[]> => {
  const there = await victim(s);
  const free = await s.fixtures.absentId();
  const far = farId(s.options.seed);
  const ids = [
    ...[free, far, -far, 0n].map((id) => ({ id, member: 'id', owner: undefined })),
    ...LENIENT.map((member, place) => ({ id: farId(s.options.seed + 2 + place), member, owner: undefined })),
    ...(there === undefined ? [] : [{ ...there, member: 'id' }]),
  ];
  return s.all(ids, async (choice) => {
    const sent = await s.fixtures.plain();
    const exchange = await s.api.create({ value: { ...sent, [choice.member]: choice.id } }, { domain: 'unusual' });
    return { ...choice, sent, exchange };
  });
});
