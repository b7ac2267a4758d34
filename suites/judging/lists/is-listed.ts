import { petsOf, statusOf } from '../../../src/expect/expect.ts';
import type { Session } from '../../../src/session/session.ts';
import { PET_STATUSES } from '../../../src/wire/exchange.ts';

/** Whether any list still shows the animal. */
export async function isListed(s: Session, id: bigint): Promise<boolean> {
  const queries = [{}, { limit: 100 }, ...PET_STATUSES.map((status) => ({ limit: 100, status }))];
  const lists = await s.all(queries, (query) => s.api.list(query));
  return lists.some((exchange) => statusOf(exchange) === 200 && petsOf(exchange).some((pet) => pet.id === id));
}
