import type { NewPetInput } from '../../../src/schema/pet.ts';
import type { CreateBody, CreateOptions } from '../../../src/session/client/api.ts';
import type { Session } from '../../../src/session/session.ts';
import type { Exchange } from '../../../src/wire/exchange.ts';
import { createSemaphore } from '../../../src/wire/semaphore.ts';
import { oncePerSession } from '../once-per-session.ts';

/** The largest number of POSTs under way, as for a very slow service; fewer where the budget is small. */
function mostUnderWay({ concurrency, maxCreates }: Session['options']): number {
  return Math.min(3 * concurrency, Math.max(concurrency, Math.floor(maxCreates / 8)));
}

const gate = oncePerSession(async (s) => createSemaphore(() => mostUnderWay(s.options)));

/**
 * Sends a POST. Each one reserves an animal of the write budget while it is under way. Starting no more than can be
 * under way keeps a table of invalid bodies from looking like a spent budget.
 */
export async function post(s: Session, body: CreateBody, options: CreateOptions): Promise<Exchange> {
  const enter = await gate(s);
  return enter(() => s.api.create(body, options));
}

/** A creation: what was sent and the exchange. */
export type Creation = { readonly sent: NewPetInput; readonly exchange: Exchange };

/** Sends a NewPet of the plain domain, or of the unusual one. */
export async function send(s: Session, sent: NewPetInput, domain: 'plain' | 'unusual' = 'plain'): Promise<Creation> {
  return { sent, exchange: await post(s, { value: sent }, { domain }) };
}
