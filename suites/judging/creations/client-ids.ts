import { petOf, statusOf } from '../../../src/expect/expect.ts';
import type { NewPetInput } from '../../../src/schema/pet.ts';
import { createRandom } from '../../../src/session/fixtures/random.ts';
import type { Session } from '../../../src/session/session.ts';
import type { Exchange } from '../../../src/wire/exchange.ts';
import { writeJson } from '../../../src/wire/json.ts';
import { oncePerSession } from '../once-per-session.ts';
import { judgeable } from '../ownership.ts';
import { proveCreation } from './creations.ts';
import { post, readBack } from './read-back.ts';

const LENIENT = ['ID', 'petId'];

/** A creation with an id of the client's choice. */
export type Adoption = {
  readonly id: bigint;
  /** The member of the body that has the id: `id`, or a spelling that a lenient mapper takes for it. */
  readonly member: string;
  readonly sent: NewPetInput;
  /** What the animal was that has the id already; undefined when none has it. */
  readonly owner: NewPetInput | undefined;
  readonly exchange: Exchange;
};

/** An id in the upper half of int64, where no service that counts has come. */
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
  const exchange = judgeable(await post(s, { raw: ` ${writeJson(sent)}` }, { domain: 'plain' }));
  if (statusOf(exchange) !== 201) return undefined;
  const { id } = petOf(exchange);
  const { pet } = await readBack(s, id);
  // As it is read: that a name is stored otherwise than it was sent is for other clauses.
  return pet === undefined ? undefined : { id, owner: { name: pet.name ?? sent.name, categoryId: pet.categoryId ?? sent.categoryId } };
}

/**
 * Creations with the id of an animal that is there, and with ids of 31 bits, of 63 bits, negative and zero that no animal has; and
 * with such ids in members that are taken for `id` where letter case does not count, or by their name in the path.
 */
export const adoptions = oncePerSession(async (s): Promise<readonly Adoption[]> => {
  await proveCreation(s);
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
    const exchange = await post(s, { value: { ...sent, [choice.member]: choice.id } }, { domain: 'unusual' });
    return { ...choice, sent, exchange };
  });
});
