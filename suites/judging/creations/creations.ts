import { haltInconclusive } from '../../../src/clause/halt.ts';
import { petOf, statusOf } from '../../../src/expect/expect.ts';
import type { NewPetInput, PetView } from '../../../src/schema/pet.ts';
import type { Session } from '../../../src/session/session.ts';
import { type Exchange, PET_STATUSES } from '../../../src/wire/exchange.ts';
import { oncePerSession } from '../once-per-session.ts';
import { judgeable } from '../ownership.ts';
import { post } from './post.ts';

/** A creation: what was sent and the exchange. */
export type Creation = { readonly sent: NewPetInput; readonly exchange: Exchange };

/** A creation that returned 201 with a valid Pet. */
export type Made = Creation & { readonly pet: PetView };

/** Sends a NewPet of the plain domain, or of the unusual one. */
export async function send(s: Session, sent: NewPetInput, domain: 'plain' | 'unusual' = 'plain'): Promise<Creation> {
  return { sent, exchange: await post(s, { value: sent }, { domain }) };
}

/** The creation with its animal; halts as blocked when it did not return 201 with a Pet. */
export function made(creation: Creation): Made {
  return { ...creation, pet: petOf(judgeable(creation.exchange)) };
}

/**
 * One plain animal without status and one of each status, created once for every check that looks at the first few animals. One after
 * the other, so that a defect that appears only under concurrency does not show here.
 */
export const oneOfEachStatus = oncePerSession(async (s): Promise<readonly Creation[]> => {
  const creations: Creation[] = [];
  for (const status of [undefined, ...PET_STATUSES]) creations.push(await send(s, await s.fixtures.plain(status)));
  return creations;
});

/** The creations that returned 201 with a Pet. Halts when none did, or when two received the same id. */
export function allMade(creations: readonly Creation[]): readonly Made[] {
  const good = creations.filter(({ exchange }) => statusOf(exchange) === 201);
  if (good.length === 0) haltInconclusive('no plain animal could be created', 'create.success');
  const animals = good.map(made);
  if (new Set(animals.map(({ pet }) => pet.id)).size < animals.length)
    haltInconclusive('two creations received the same id', 'create.id-assigned');
  return animals;
}
