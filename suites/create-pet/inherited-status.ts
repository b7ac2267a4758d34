import { haltInconclusive } from '../../src/clause/halt.ts';
import type { Finding } from '../../src/clause/outcome.ts';
import { CLAUSE, finding, petOf, statusOf } from '../../src/expect/expect.ts';
import type { Session } from '../../src/session/session.ts';
import type { Exchange } from '../../src/wire/exchange.ts';
import { type Creation, send } from '../shared/creations.ts';
import { OWNER } from '../shared/ownership.ts';
import { readBack } from '../shared/stored.ts';

/** Statuses of the animals created before: neither a default nor any that goes round gives the same six. */
const BEFORE = ['sold', 'sold', 'pending', 'available', 'pending', 'sold'] as const;

/** The status that the service chose, from the 201 or else as it is read. */
async function chosenStatus(s: Session, { exchange }: Creation): Promise<string | undefined> {
  const { id, status } = petOf(exchange);
  return status ?? (await readBack(s, id)).pet?.status;
}

/** A finding when animals created without status have, six times of six, that of the animal created before. */
export async function inheritedStatus(s: Session): Promise<Finding | undefined> {
  const pairs: (readonly [Exchange, Exchange])[] = [];
  for (const status of BEFORE) {
    const before = await send(s, await s.fixtures.plain(status));
    if (statusOf(before.exchange) !== 201) haltInconclusive('no plain animal could be created', CLAUSE.createSuccess);
    const without = await send(s, await s.fixtures.plain());
    if (statusOf(without.exchange) !== 201) haltInconclusive('no animal could be created without status', OWNER.statusOptional);
    if ((await chosenStatus(s, without)) !== status) return undefined;
    pairs.push([before.exchange, without.exchange]);
  }
  const [first, ...others] = pairs;
  if (first === undefined) return undefined;
  return finding([...first, ...others.flat()], {
    summary: 'animals created without status have, six times of six, that of the animal created before',
    wanted: ['a status that does not come from another request'],
    came: BEFORE.join(', '),
    pointer: '/status',
  });
}
