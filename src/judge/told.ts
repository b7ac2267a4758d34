// What the history tells the sender of rows.

import { whyCreationsStopped } from '../oracle/standing.ts';
import type { createWorld, World } from '../oracle/world.ts';
import type { Received } from '../session/history.ts';
import type { HistoryReader } from '../session/sender.ts';
import { storesRejected } from './animals.ts';

/** Which animal a creation made, if its response says that. */
export function animalOf({ sent, response, number }: Received, world: World): bigint | undefined {
  if (sent.method !== 'POST' || response?.status !== 201) return undefined;
  return world.creations.findLast((one) => one.number === number)?.read.pet?.id;
}

/** What the history tells the sender. */
export function toldBy({ now, factsOf: facts }: Pick<ReturnType<typeof createWorld>, 'now' | 'factsOf'>, runTag: string): HistoryReader {
  return {
    isDocumentedWithKey(sent) {
      const { credential, client, path } = facts(sent);
      return credential.kind === 'valid' && client.kind !== 'undocumented' && path === 'documented';
    },
    mustBeRejected(sent) {
      const { credential, body } = facts(sent);
      return credential.kind !== 'valid' || body?.kind === 'invalid';
    },
    namesAnimal: (received) => animalOf(received, now()) !== undefined,
    whyCreationsStopped: () => whyCreationsStopped(now()),
    storesRejected: () => storesRejected(now(), runTag),
  };
}
