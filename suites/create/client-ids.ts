import { type Event, eventOf } from '../../src/oracle/world.ts';
import type { NewPetInput } from '../../src/schema/pet.ts';
import { createRandom } from '../../src/session/numbers.ts';
import type { Session } from '../../src/session/session.ts';
import { isJsonObject, readJson, writeJson } from '../../src/wire/json.ts';
import { oncePerSession } from '../stimuli/sending.ts';

/** Properties that hold an id: `id`, and spellings that a mapper which ignores case, or knows the path parameter, takes for it. */
const MEMBERS = ['id', 'ID', 'petId'] as const;

export type ClientId = { readonly id: bigint; readonly member: (typeof MEMBERS)[number] };

const DIGITS = /^-?\d+$/;

/** The id that the client sent: to a lenient mapper, a string of digits is a number too. */
export function clientIdIn({ exchange: { request }, intent }: Event): ClientId | undefined {
  if (intent.operation !== 'createPet' || intent.credential !== 'valid' || typeof request.body !== 'string') return undefined;
  // Most bodies have none: they need not be read.
  if (!MEMBERS.some((member) => String(request.body).includes(`"${member}"`))) return undefined;
  const reading = readJson(request.body);
  const object = reading.ok && isJsonObject(reading.value) ? reading.value : {};
  const member = MEMBERS.find((one) => Object.hasOwn(object, one));
  const value = member === undefined ? undefined : object[member];
  const isId = typeof value === 'bigint' || Number.isInteger(value) || (typeof value === 'string' && DIGITS.test(value));
  return member === undefined || !isId ? undefined : { member, id: BigInt(value as bigint | number | string) };
}

/** An id in the upper half of int64, which no service that counts up has reached. */
export function farId(seed: number): bigint {
  const random = createRandom(seed);
  const part = (): bigint => BigInt(Math.floor(random() * 2 ** 30));
  return 2n ** 62n + part() * 2n ** 30n + part();
}

/**
 * The id of an animal that is there, for the client to send again. It is created as raw bytes, so that it is not among the animals that others know: a
 * service that overwrites it breaks create.id-not-adopted and nothing else.
 */
async function takenId(s: Session): Promise<bigint | undefined> {
  const sent = await s.fixtures.plain();
  const { pet } = eventOf(await s.api.create({ raw: ` ${writeJson(sent)}` }, { domain: 'plain' }));
  if (pet !== undefined) await s.api.get(pet.id);
  return pet?.id;
}

export const sendClientIds = oncePerSession(async (s): Promise<readonly ClientId[]> => {
  const taken = await takenId(s);
  const far = farId(s.options.seed);
  const ids: readonly ClientId[] = [
    ...[await s.fixtures.absentId(), far, -far, 0n].map((id) => ({ id, member: 'id' as const })),
    { id: farId(s.options.seed + 2), member: 'ID' },
    { id: farId(s.options.seed + 3), member: 'petId' },
    ...(taken === undefined ? [] : [{ id: taken, member: 'id' as const }]),
  ];
  // Every second one has a status: a service that picks another schema when it sees an id may drop it.
  const plain = (index: number): Promise<NewPetInput> => (index % 2 === 0 ? s.fixtures.plain() : s.fixtures.plain('sold'));
  await s.all(ids, async ({ id, member }, index) =>
    s.api.create({ value: { ...(await plain(index)), [member]: id } }, { domain: 'unusual' }),
  );
  return ids;
});
