import { haltInconclusive } from '../../src/clause/halt.ts';
import type { Finding } from '../../src/clause/outcome.ts';
import { answerOf, describeAnswer, finding, petOf, statusOf } from '../../src/expect/expect.ts';
import { judgeable } from '../../src/expect/judgeable.ts';
import type { Session } from '../../src/session/session.ts';
import type { Exchange } from '../../src/wire/exchange.ts';
import { differences } from '../judging/creations/differences.ts';
import { refusalOwner } from '../judging/creations/plain-creation-invariant.ts';
import { onConnection } from '../judging/on-connection.ts';

const NAME = 'create.name-required';

/** On one connection: an animal, the same body without its name, and another animal. Halts if the service closes it in between. */
function askInTurn(s: Session): Promise<Finding | undefined> {
  return onConnection(s, async (connection) => {
    const [before, after] = [await s.fixtures.plain('sold'), await s.fixtures.plain('pending')];
    const first = judgeable(await s.api.create({ value: before }, { domain: 'plain', connection }));
    const { name: _left, ...nameless } = before;
    const refused = await s.api.create({ value: nameless }, { domain: 'invalid', clause: NAME, connection });
    answerOf(refused);
    const last = judgeable(await s.api.create({ value: after }, { domain: 'plain', connection }));
    const exchanges: readonly [Exchange, ...Exchange[]] = [first, refused, last];
    if (statusOf(refused) === 201 && petOf(refused).name !== before.name) haltInconclusive('a body without name is accepted', NAME);
    if (statusOf(refused) === 201) {
      return finding(exchanges, {
        summary: `POST /pets without name, after a creation on the same connection, returned 201 with the name ${JSON.stringify(petOf(refused).name)}; expected 400`,
        expected: ['400 with an Error body'],
        received: describeAnswer(refused),
      });
    }
    const alone = (await s.fixtures.firstCreations()).find(({ sent }) => sent.status === after.status);
    if (statusOf(last) !== 201 && alone !== undefined && statusOf(alone.exchange) !== 201) {
      const owner = refusalOwner(alone.exchange, s.knowledge);
      haltInconclusive('such an animal is rejected on a connection of its own too', owner === 'undecided' ? 'create.success' : owner);
    }
    if (statusOf(first) === 201 && statusOf(last) !== 201) {
      return finding(exchanges, {
        summary: `a valid POST /pets after a rejected one on the same connection returned ${statusOf(last)}; expected 201`,
        expected: ['201 with the animal'],
        received: describeAnswer(last),
      });
    }
    // What each 201 changes is not left over from the request before it.
    const usual = alone !== undefined && statusOf(alone.exchange) === 201 ? differences(alone.sent, petOf(alone.exchange)) : [];
    const shown = statusOf(last) === 201 ? differences(after, petOf(last)) : [];
    const difference = shown.find(({ field }) => usual.every((one) => one.field !== field));
    if (difference === undefined) return undefined;
    return finding(exchanges, {
      summary: `a valid POST /pets on a reused connection returned ${difference.field} ${difference.received}; expected ${difference.expected}`,
      expected: [`${difference.field} ${difference.expected}`],
      received: `${difference.field} ${difference.received}`,
      pointer: `/${difference.field}`,
    });
  });
}

/** Judges creations on one connection; the connection is to blame only if they fail every time. */
export async function judgeSameConnection(s: Session): Promise<Finding | undefined> {
  return (await askInTurn(s)) === undefined ? undefined : askInTurn(s);
}
