// What the history tells the sender of rows.

import { stopOf } from '../oracle/rows/standing.ts';
import type { createWorld, World } from '../oracle/rows/world.ts';
import type { Received } from '../session/rows-history.ts';
import type { Told } from '../session/rows-sender.ts';
import { storesRejected } from './rows-animals.ts';

/** Which animal a creation made, if its response says that. */
export function animalOf({ sent, response, number }: Received, world: World): bigint | undefined {
  if (sent.method !== 'POST' || response?.status !== 201) return undefined;
  return world.creations.findLast((one) => one.number === number)?.read.pet?.id;
}

/** What the history tells the sender. */
export function toldBy({ now, factsOf: facts }: Pick<ReturnType<typeof createWorld>, 'now' | 'factsOf'>, runTag: string): Told {
  return {
    isRight(sent) {
      const { credential, client, path } = facts(sent);
      return credential.kind === 'valid' && client.kind !== 'undocumented' && path === 'documented';
    },
    mustBeRejected(sent) {
      const { credential, body } = facts(sent);
      return credential.kind !== 'valid' || body?.kind === 'invalid';
    },
    namesAnimal: (received) => animalOf(received, now()) !== undefined,
    stopped: () => stopOf(now()),
    storesRejected: () => storesRejected(now(), runTag),
  };
}
