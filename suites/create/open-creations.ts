import type { Observation } from '../../src/clause/outcome.ts';
import type { Event } from '../../src/oracle/world.ts';
import type { NewPetInput } from '../../src/schema/pet.ts';
import type { CallOptions, CreateBody } from '../../src/session/client/api.ts';
import { statusOf } from '../../src/session/read-exchange.ts';
import type { Session } from '../../src/session/session.ts';
import { PET_STATUSES } from '../../src/wire/exchange.ts';
import { isJsonObject, type JsonObject } from '../../src/wire/json.ts';
import { largePage } from '../stimuli/lists.ts';
import { ignoringHalts } from '../stimuli/sending.ts';

export type OpenCreation = {
  /** The question's name in behavior.json. */
  readonly question: string;
  body(valid: NewPetInput): CreateBody;
  readonly options?: CallOptions;
  /** What an accepted creation did with it; default: "accepted". */
  describe?(created: JsonObject, event: Event): string;
};

function sendLists(s: Session): Promise<unknown> {
  return s.all([{}, ...PET_STATUSES.map((status) => ({ status }))], async (parameters) =>
    s.api.list(await largePage(s, { ...parameters, limit: 100 })),
  );
}

const noneUnderWay = (): { count: number } => ({ count: 0 });

/** Sends creations, and lists once the last of those in flight is done: they show whether a rejected one was stored anyway. */
export async function sendCreations(s: Session, creations: readonly OpenCreation[]): Promise<void> {
  const underWay = s.knowledge.remember(noneUnderWay);
  underWay.count += 1;
  try {
    await s.all(creations, async ({ question, body, options }) =>
      s.api.create(body(await s.fixtures.plain()), { ...options, domain: 'open', note: question }),
    );
  } finally {
    underWay.count -= 1;
    if (underWay.count === 0) await ignoringHalts(() => sendLists(s));
  }
}

function createdIn({ exchange: { outcome } }: Event): JsonObject | undefined {
  if (outcome.kind === 'failed' || outcome.answer.status !== 201) return undefined;
  const { json } = outcome.answer;
  return json.ok && isJsonObject(json.value) ? json.value : undefined;
}

/** The result of a creation that the document leaves open, as behavior.json keeps it. */
export function choiceOf(event: Event, describe: OpenCreation['describe'] = () => 'accepted'): string {
  const created = createdIn(event);
  if (created !== undefined) return describe(created, event);
  const status = statusOf(event.exchange);
  if (status === undefined) return 'no complete response';
  return status < 400 ? `returned ${status} without an animal` : `rejected with ${status}`;
}

export function observeCreations(events: readonly Event[], creations: readonly OpenCreation[]): readonly Observation[] {
  return creations.flatMap(({ question, describe }) => {
    const event = events.find(({ intent }) => intent.bodyNote === question);
    return event === undefined ? [] : [{ question, answer: choiceOf(event, describe) }];
  });
}
