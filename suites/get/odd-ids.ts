import { observed } from '../../src/clause/halt.ts';
import type { Observation, Outcome } from '../../src/clause/outcome.ts';
import type { PetView } from '../../src/schema/pet.ts';
import type { Session } from '../../src/session/session.ts';
import type { Exchange } from '../../src/wire/exchange.ts';
import { isJsonObject } from '../../src/wire/json.ts';

/** The question's name in behavior.json, which must not depend on the existing animals, and the id in the path. */
export type OddId = readonly [question: string, segment: string];

function answerTo(exchange: Exchange, known: bigint): string {
  if (exchange.outcome.kind === 'failed') return 'no complete response';
  const { status, json } = exchange.outcome.answer;
  if (status !== 200 || !json.ok || !isJsonObject(json.value)) return String(status);
  return String(json.value['id']) === String(known) ? '200 with the animal of that number' : '200 with a different animal';
}

/**
 * Requests ids for which the document states no response. Invariants judge what holds for any response (an error is an Error, a
 * 200 is a Pet, no 5xx).
 */
export async function observeIds(s: Session, { id }: Pick<PetView, 'id'>, idsFor: (known: bigint) => readonly OddId[]): Promise<Outcome> {
  const observations = await s.all(idsFor(id), async ([question, segment]): Promise<Observation> => {
    return { question, answer: answerTo(await s.api.get(segment), id) };
  });
  return observed(...observations);
}
