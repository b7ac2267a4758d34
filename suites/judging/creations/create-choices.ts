import type { Observation } from '../../../src/clause/outcome.ts';
import type { NewPetInput } from '../../../src/schema/pet.ts';
import type { CallOptions, CreateBody } from '../../../src/session/client/api.ts';
import type { Session } from '../../../src/session/session.ts';
import { type Exchange, PET_STATUSES } from '../../../src/wire/exchange.ts';
import { isJsonObject, type JsonObject } from '../../../src/wire/json.ts';
import { ignoringHalts } from '../ignoring-halts.ts';
import { largePage } from '../lists/largest-page.ts';
import { describeOpen } from './describe-open.ts';

/** A creation that the document leaves open. */
export type OpenCreation = {
  /** The question's name in behavior.json. */
  readonly question: string;
  body(valid: NewPetInput): CreateBody;
  readonly options?: CallOptions;
  /** What an accepted creation did with it; default: "accepted". */
  describe?(created: JsonObject, valid: NewPetInput): string;
};

/** The JSON object of a 201. */
function createdIn(exchange: Exchange): JsonObject | undefined {
  if (exchange.outcome.kind === 'failed' || exchange.outcome.answer.status !== 201) return undefined;
  const { json } = exchange.outcome.answer;
  return json.ok && isJsonObject(json.value) ? json.value : undefined;
}

/** Shows the invariants the largest page of all animals and of each status. */
function showLists(s: Session): Promise<unknown> {
  return s.all([{}, ...PET_STATUSES.map((status) => ({ status }))], async (parameters) =>
    s.api.list(await largePage(s, { ...parameters, limit: 100 })),
  );
}

const noneUnderWay = (): { count: number } => ({ count: 0 });

/**
 * Runs work that the service may reject, and lists the animals once the last of it is done: invariants then see whether a
 * rejected creation was stored anyway.
 */
async function thenLook<Value>(s: Session, work: () => Promise<Value>): Promise<Value> {
  const underWay = s.knowledge.remember(noneUnderWay);
  underWay.count += 1;
  try {
    return await work();
  } finally {
    underWay.count -= 1;
    if (underWay.count === 0) await ignoringHalts(() => showLists(s));
  }
}

/** Sends creations that the document leaves open, once creation is known to work, and records the outcome. */
export async function observeCreations(s: Session, creations: readonly OpenCreation[]): Promise<Observation[]> {
  return thenLook(s, () =>
    s.all(creations, async ({ question, body, options, describe }) => {
      const valid = await s.fixtures.plain();
      const exchange = await s.api.create(body(valid), { ...options, domain: 'open' });
      const created = createdIn(exchange);
      return { question, answer: created === undefined ? describeOpen(exchange) : (describe?.(created, valid) ?? 'accepted') };
    }),
  );
}
