import { asStatus } from '../../../src/schema/pet.ts';
import type { PetStatus } from '../../../src/wire/exchange.ts';
import { isJsonObject } from '../../../src/wire/json.ts';
import { itemsOf } from './items-of.ts';
import { type PlainList, situationOf } from './plain-list.ts';
import type { Wrong } from './wrong-list.ts';

/** The first animal of the list without the requested status, or without any. record.pets judges values that are not a PetStatus. */
export function strangerIn(list: PlainList, expected: PetStatus): Wrong | undefined {
  const items = itemsOf(list.answer) ?? [];
  const index = items.findIndex(
    (item) => isJsonObject(item) && item['status'] !== expected && (item['status'] === undefined || asStatus(item['status']) !== undefined),
  );
  const stranger = items[index];
  if (index === -1 || !isJsonObject(stranger)) return undefined;
  const { status } = stranger;
  const received = status === undefined ? 'no status' : `status ${JSON.stringify(status)}`;
  return {
    summary: `${situationOf(list)} returned an animal with ${received}`,
    expected: [`only animals with status "${expected}"`],
    received: `item ${index} has ${received}`,
    pointer: status === undefined ? `/${index}` : `/${index}/status`,
  };
}
