import type { Observation } from '../../src/clause/outcome.ts';
import { statusOf } from '../../src/expect/expect.ts';
import type { CallOptions, CreateBody } from '../../src/session/api.ts';
import type { NewPetInput } from '../../src/session/pet.ts';
import type { Session } from '../../src/session/session.ts';
import type { Exchange } from '../../src/wire/exchange.ts';
import { isJsonObject, type JsonObject } from '../../src/wire/json.ts';
import { proveCreation } from './creations.ts';
import { post } from './stored.ts';

/** A creation that the document leaves open. */
export type OpenCreation = {
  /** What the question is called in the profile. */
  readonly question: string;
  body(valid: NewPetInput): CreateBody;
  readonly options?: CallOptions;
  /** What an accepted creation made of it; default: "accepted". */
  describe?(created: JsonObject, valid: NewPetInput): string;
};

/** The JSON object of a 201. */
function createdIn(exchange: Exchange): JsonObject | undefined {
  if (exchange.outcome.kind === 'failed' || exchange.outcome.answer.status !== 201) return undefined;
  const { json } = exchange.outcome.answer;
  return json.ok && isJsonObject(json.value) ? json.value : undefined;
}

/** Sends creations that the document leaves open, after the proof that creation works, and records what comes. */
export async function observeCreations(s: Session, creations: readonly OpenCreation[]): Promise<Observation[]> {
  await proveCreation(s);
  return s.all(creations, async ({ question, body, options, describe }) => {
    const valid = await s.fixtures.plain();
    const exchange = await post(s, body(valid), { ...options, domain: 'open' });
    const status = statusOf(exchange);
    const created = createdIn(exchange);
    if (status === undefined) return { question, answer: 'no complete answer' };
    if (created === undefined)
      return { question, answer: status < 400 ? `answered ${status} without an animal` : `refused with ${status}` };
    return { question, answer: describe?.(created, valid) ?? 'accepted' };
  });
}
