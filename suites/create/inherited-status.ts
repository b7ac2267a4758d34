import { haltInconclusive } from '../../src/clause/halt.ts';
import type { Finding } from '../../src/clause/outcome.ts';
import { finding, petOf, statusOf } from '../../src/expect/expect.ts';
import type { Creation, Session } from '../../src/session/session.ts';
import type { Exchange, PetStatus } from '../../src/wire/exchange.ts';
import { readBack } from '../judging/creations/read-back.ts';
import { send } from '../judging/creations/send.ts';

/** Statuses of the previous requests: neither a default nor a rotation produces these six. `available`, a likely default, is not among them. */
const BEFORE = ['sold', 'sold', 'pending', 'sold', 'pending', 'pending'] as const;

/** The status that the service chose, from the 201 or from a read. */
async function chosenStatus(s: Session, { exchange }: Creation): Promise<string | undefined> {
  const { id, status } = petOf(exchange);
  return status ?? (await readBack(s, id)).pet?.status;
}

/** A request with a status, followed by a creation without one. */
export type Predecessor = { readonly what: string; ask(s: Session, status: PetStatus): Promise<Exchange> };

export const CREATED: Predecessor = {
  what: 'the animal created just before',
  async ask(s, status) {
    const { exchange } = await send(s, await s.fixtures.plain(status));
    if (statusOf(exchange) !== 201) haltInconclusive('no plain animal could be created', 'create.success');
    return exchange;
  },
};

export const REFUSED: Predecessor = {
  what: 'the body rejected just before',
  async ask(s, status) {
    const { categoryId } = await s.fixtures.plain();
    return s.api.create({ value: { categoryId, status } }, { domain: 'invalid' });
  },
};

/** A request with a status, the creation without one that followed it, and whether that got the status. */
type Pair = { readonly before: Exchange; readonly without: Exchange; readonly isInherited: boolean };

/** Pairs that may be sent again because another check created an animal between the two. */
const MOST_DISTURBED = 6;

/** Whether any other animal was created while the two requests were under way. */
function isDisturbed(s: Session, { before, without }: Pair): boolean {
  const begin = before.timings.startedAt;
  const end = without.timings.startedAt + without.timings.duration;
  return [...s.knowledge.created.values()].some(({ exchange: { number, timings } }) => {
    const isOther = number !== before.number && number !== without.number;
    return isOther && timings.startedAt < end && timings.startedAt + timings.duration > begin;
  });
}

async function askPair(s: Session, status: PetStatus, ask: Predecessor['ask']): Promise<Pair> {
  const before = await ask(s, status);
  const creation = await send(s, await s.fixtures.plain());
  if (statusOf(creation.exchange) !== 201) haltInconclusive('no animal could be created without a status', 'create.status-optional');
  return { before, without: creation.exchange, isInherited: (await chosenStatus(s, creation)) === status };
}

/** A finding when animals created without a status get the status of the previous request six times out of six. */
export async function inheritedStatus(s: Session, { what, ask }: Predecessor): Promise<Finding | undefined> {
  const pairs: (readonly [Exchange, Exchange])[] = [];
  let disturbed = 0;
  for (const status of BEFORE) {
    let pair = await askPair(s, status, ask);
    while (!pair.isInherited) {
      disturbed += 1;
      if (disturbed > MOST_DISTURBED || !isDisturbed(s, pair)) return undefined;
      pair = await askPair(s, status, ask);
    }
    pairs.push([pair.before, pair.without]);
  }
  const [first, ...others] = pairs;
  if (first === undefined) return undefined;
  return finding([...first, ...others.flat()], {
    summary: `in all six attempts, an animal created without a status got the status of ${what}`,
    expected: ['a status that does not depend on another request'],
    received: BEFORE.join(', '),
    pointer: '/status',
  });
}
