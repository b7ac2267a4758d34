import { asStatus, type NewPetInput } from '../../../src/schema/pet.ts';
import type { Exchange } from '../../../src/wire/exchange.ts';
import { isJsonObject, readJson } from '../../../src/wire/json.ts';

/** The NewPet in the body of a POST, if the body is one. */
export function sentIn(exchange: Exchange): NewPetInput | undefined {
  const { body } = exchange.request;
  const reading = typeof body === 'string' ? readJson(body) : undefined;
  if (reading?.ok !== true || !isJsonObject(reading.value)) return undefined;
  const { name, categoryId, status } = reading.value;
  if (typeof name !== 'string' || (typeof categoryId !== 'bigint' && !Number.isSafeInteger(categoryId))) return undefined;
  const known = asStatus(status);
  return { name, categoryId: BigInt(categoryId as number | bigint), ...(known === undefined ? {} : { status: known }) };
}
