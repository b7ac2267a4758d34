import { statusOf } from '../../src/expect/expect.ts';
import type { NewPetInput } from '../../src/schema/pet.ts';
import type { Credential } from '../../src/session/client/api.ts';
import type { Session } from '../../src/session/session.ts';
import type { RunState } from '../../src/session/state/run-state.ts';
import type { Exchange } from '../../src/wire/exchange.ts';

const noNames = (): Set<string> => new Set();

/** Names sent without the API key in POSTs that did not return 2xx (which would be a defect of its own): no response may show them. */
export function unadmittedNames({ remember }: RunState): ReadonlySet<string> {
  return remember(noNames);
}

/** Sends a plain NewPet with a credential that must be rejected, and remembers its name if the service rejects it. */
export async function postRefused(s: Session, sent: NewPetInput, credential: Credential): Promise<Exchange> {
  const exchange = await s.api.create({ value: sent }, { domain: 'plain', credential });
  const status = statusOf(exchange);
  if (status !== undefined && status >= 300) s.knowledge.remember(noNames).add(sent.name);
  return exchange;
}
