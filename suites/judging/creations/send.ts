import type { NewPetInput } from '../../../src/schema/pet.ts';
import type { CallOptions } from '../../../src/session/client/api.ts';
import type { Creation, Session } from '../../../src/session/session.ts';

/** Sends a NewPet of the plain domain, or of the unusual one. */
export async function send(
  s: Session,
  sent: NewPetInput,
  domain: 'plain' | 'unusual' = 'plain',
  options: CallOptions = {},
): Promise<Creation> {
  return { sent, exchange: await s.api.create({ value: sent }, { ...options, domain }) };
}
