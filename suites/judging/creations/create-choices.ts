import type { Observation } from '../../../src/clause/outcome.ts';
import { statusOf } from '../../../src/expect/expect.ts';
import type { NewPetInput } from '../../../src/schema/pet.ts';
import type { CallOptions, CreateBody } from '../../../src/session/client/api.ts';
import type { Session } from '../../../src/session/session.ts';
import type { Exchange } from '../../../src/wire/exchange.ts';
import { isJsonObject, type JsonObject } from '../../../src/wire/json.ts';
import { largeLists } from '../lists/large-lists.ts';
import { proveCreation, quietly } from './creations.ts';
import { post } from './read-back.ts';

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

/** What an answer that is no animal is called in the profile. */
export function describeOpen(exchange: Exchange): string {
  const status = statusOf(exchange);
  if (status === undefined) return 'no complete answer';
  return status < 400 ? `answered ${status} without an animal` : `refused with ${status}`;
}

const underWay = new WeakMap<Session, number>();

/**
 * Does something that may be refused, and lists the animals when the last of these things is done: invariants see there whether one of a
 * creation that was refused is stored all the same.
 */
async function thenLook<Value>(s: Session, work: () => Promise<Value>): Promise<Value> {
  underWay.set(s, (underWay.get(s) ?? 0) + 1);
  try {
    return await work();
  } finally {
    const left = (underWay.get(s) ?? 1) - 1;
    underWay.set(s, left);
    if (left === 0) await quietly(() => largeLists(s));
  }
}

/** Sends creations that the document leaves open, after the proof that creation works, and records what comes. */
export async function observeCreations(s: Session, creations: readonly OpenCreation[]): Promise<Observation[]> {
  await proveCreation(s);
  return thenLook(s, () =>
    s.all(creations, async ({ question, body, options, describe }) => {
      const valid = await s.fixtures.plain();
      const exchange = await post(s, body(valid), { ...options, domain: 'open' });
      const created = createdIn(exchange);
      return { question, answer: created === undefined ? describeOpen(exchange) : (describe?.(created, valid) ?? 'accepted') };
    }),
  );
}
