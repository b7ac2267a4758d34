import { observed } from '../../src/clause/halt.ts';
import type { Observation, Outcome } from '../../src/clause/outcome.ts';
import type { Session } from '../../src/session/session.ts';
import type { Exchange } from '../../src/wire/exchange.ts';
import { isJsonObject } from '../../src/wire/json.ts';

/** An id in the path and what it is called in the profile, which must not depend on the animals that are there. */
export type OddId = readonly [question: string, segment: string];

function answerTo(exchange: Exchange, known: bigint): string {
  if (exchange.outcome.kind === 'failed') return 'no complete answer';
  const { status, json } = exchange.outcome.answer;
  if (status !== 200 || !json.ok || !isJsonObject(json.value)) return String(status);
  return String(json.value['id']) === String(known) ? '200 with the animal of that number' : '200 with another animal';
}

/**
 * Asks for ids of which the document does not say how they are answered. What holds whatever the answer is (an error is an Error, a
 * 200 is a Pet, there is no 5xx) is judged by the invariants.
 */
export async function observeIds(s: Session, idsFor: (known: bigint) => readonly OddId[]): Promise<Outcome> {
  await s.fixtures.recognized();
  const { id } = await s.fixtures.existing();
  const observations = await s.all(idsFor(id), async ([question, segment]): Promise<Observation> => {
    return { question, answer: answerTo(await s.api.get(segment), id) };
  });
  return observed(...observations);
}
