import { Halt } from '../../src/clause/halt.ts';
import { mayBeRemoved } from '../../src/clause/removal.ts';
import { statusOf } from '../../src/expect/expect.ts';
import type { Session } from '../../src/session/session.ts';
import type { Exchange } from '../../src/wire/exchange.ts';

/** An animal to read without the API key. */
export type ReadTarget = {
  readonly id: bigint;
  /** The response, if it shows that the key makes a difference; halts if getPet is unusable and responds the same way with the API key. */
  judged(exchange: Exchange): Exchange;
};

/** An animal that can be read or, since a request without the key needs only its id, one that is known to exist. */
export async function readTarget(s: Session): Promise<ReadTarget> {
  try {
    return { id: (await s.fixtures.existing()).id, judged: (exchange) => exchange };
  } catch (error) {
    if (!(error instanceof Halt) || mayBeRemoved(s.options.now)) throw error;
    const [pet] = await s.fixtures.recognized();
    if (pet === undefined) throw error;
    const usual = statusOf(await s.fixtures.firstRead(pet.id));
    if (usual === undefined) throw error;
    return {
      id: pet.id,
      judged(exchange) {
        if (statusOf(exchange) === usual) throw error;
        return exchange;
      },
    };
  }
}
