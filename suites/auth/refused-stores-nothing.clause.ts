import type { Case, Event, World } from '../../src/oracle/world.ts';
import { type PetView, petViews } from '../../src/schema/pet.ts';
import type { Credential } from '../../src/session/client/api.ts';
import { NO_CREDENTIAL } from '../../src/session/client/sending.ts';
import { describeRequest, describeResponse, statusOf } from '../../src/session/read-exchange.ts';
import type { Session } from '../../src/session/session.ts';
import { PET_STATUSES } from '../../src/wire/exchange.ts';
import { LEAST_ERROR, LEAST_REJECTION, NOT_FOUND } from '../../src/wire/statuses.ts';
import { randomToken, wrongSchemes } from '../cases/credentials.ts';
import { defineRules } from '../define.ts';
import { largePage } from '../stimuli/lists.ts';
import { nameSent } from './rejections.ts';
import { postWith } from './requests.ts';

const PART = 'auth.refused-stores-nothing/lists-and-nearby-ids';
const MOST_NEIGHBORS = 40;

/**
 * The rejected creations without the key, by names that no other creation has sent. Without a complete response, a creation proves nothing,
 * and neither does a redirection that creations with the key get as well.
 */
function rejectedByName({ events }: World): ReadonlyMap<string, Event> {
  const rejected = new Map<string, Event>();
  const others = new Set<string>();
  const usual = new Set(
    events.flatMap(({ intent, status }) =>
      intent.operation === 'createPet' && intent.body === 'plain' && intent.credential === 'valid' ? status : [],
    ),
  );
  const isRejection = ({ intent, status = 0 }: Event): boolean =>
    intent.credential === 'refused' && status >= LEAST_REJECTION && (status >= LEAST_ERROR || !usual.has(status));
  for (const event of events) {
    const name = event.intent.operation === 'createPet' ? nameSent(event) : undefined;
    if (name === undefined) continue;
    if (isRejection(event)) rejected.set(name, event);
    else others.add(name);
  }
  return new Map([...rejected].filter(([name]) => !others.has(name)));
}

function animalsIn({ exchange }: Event): readonly (PetView | undefined)[] | undefined {
  const { outcome } = exchange;
  if (statusOf(exchange) !== 200 || outcome.kind === 'failed' || !outcome.answer.json.ok) return undefined;
  const { value } = outcome.answer.json;
  return petViews(Array.isArray(value) ? value : [value]);
}

function judgeAbsence(world: World): readonly Case[] {
  const rejected = rejectedByName(world);
  if (rejected.size === 0) return [];
  const first = Math.min(...[...rejected.values()].map(({ number }) => number));
  return world.events.flatMap((event): Case[] => {
    const { intent, exchange, number } = event;
    if (number < first || intent.undocumented === true) return [];
    if (intent.operation === 'createPet') return event.pet === undefined || intent.credential !== 'valid' ? [] : [{ event }];
    const pets = animalsIn(event);
    if (pets === undefined) return statusOf(exchange) === NOT_FOUND && intent.petId !== undefined ? [{ event, animal: intent.petId }] : [];
    const index = pets.findIndex((pet) => pet?.name !== undefined && rejected.has(pet.name));
    const pet = pets[index];
    const creation = rejected.get(pet?.name ?? '');
    if (pet === undefined || creation === undefined) return [{ event }];
    const breach = {
      summary: `${describeRequest(exchange)} shows ${pet.name}, an animal whose creation was rejected for its credential (${creation.status})`,
      expected: ['no animal with that name'],
      received: describeResponse(exchange),
      pointer: intent.operation === 'listPets' ? `/${index}` : '',
      failureKinds: [{ operation: 'createPet', place: 'animal', expected: 'not stored', received: 'stored' }],
      exchanges: [creation.exchange, exchange],
    } as const;
    return [{ event, breach, animal: pet.id }];
  });
}

/** Ids between two animals that the run has not created: if ids count up, a stored rejected creation has one of them. */
function idsBetween([one, other]: readonly [bigint, bigint], created: ReadonlyMap<string, unknown>): readonly bigint[] {
  const [low, high] = one < other ? [one, other] : [other, one];
  const between = Array.from({ length: MOST_NEIGHBORS }, (_unused, index) => low + 1n + BigInt(index));
  return between.filter((id) => id < high && !created.has(String(id)));
}

/**
 * Whether the requests of the part would reveal a stored animal: a list that shows the animal created after the rejected ones, an id
 * between the two, or two ids so close together that all ids between them were read.
 */
function wouldShow({ event, breach, animal }: Case, { events }: World): boolean {
  if (event.asker !== PART) return false;
  if (breach !== undefined) return true;
  const own = events.filter(({ asker, intent, pet }) => asker === PART && intent.credential === 'valid' && pet !== undefined);
  const ids = own.filter(({ intent }) => intent.operation === 'createPet').flatMap(({ pet }) => pet?.id ?? []);
  const [before, after] = [ids[0], ids.at(-1)];
  if (before === undefined || after === undefined || before === after) return false;
  const [low, high] = before < after ? [before, after] : [after, before];
  if (event.pets !== undefined) return event.pets.some(({ id }) => id === after);
  if (animal !== undefined) return animal > low && animal < high;
  return event.pet?.id === after && high - low <= BigInt(MOST_NEIGHBORS);
}

/**
 * Creates one animal before the rejected ones and one after them: a list that shows the later one also shows the rejected ones, if they
 * were stored.
 */
async function sendBetweenCreations(s: Session): Promise<void> {
  const { apiKey, seed } = s.options;
  const before = await s.fixtures.create('available');
  const credentials: readonly Credential[] = [NO_CREDENTIAL, randomToken(apiKey, seed), ...wrongSchemes(apiKey).slice(0, 1)];
  await s.all(credentials, async (credential) => postWith(s, await s.fixtures.plain('available'), credential));
  const after = await s.fixtures.create('available');
  const queries = [{}, { limit: 100 }, ...PET_STATUSES.map((status) => ({ limit: 100, status }))];
  await s.all(queries, async (query) => s.api.list(await largePage(s, query)));
  await s.all(idsBetween([before.id, after.id], s.knowledge.created), (id) => s.api.get(id));
}

export const refusedStoresNothing = defineRules({
  id: 'auth.refused-stores-nothing',
  chapter: 'authentication',
  section: 'Authentication',
  quote: [
    'Every operation requires authentication (see Authentication).',
    'When the key is missing or invalid, the service answers `401` with an Error body.',
  ],
  level: 'implied',
  derivation:
    'Every operation requires the key, and 401 is the failure without it. An operation that failed for lack of a key was not carried out, so the animal of a rejected POST does not exist.',
  requirement: 'A creation that is rejected for its credential stores nothing.',
  likelyCause: 'The handler runs before or in parallel with the authentication check, which replaces only its response.',
  rules: [{ layer: 'history', judgeAll: judgeAbsence }],
  sent: [
    {
      id: 'lists-and-nearby-ids',
      title: 'Animals of POSTs without the API key appear in no list and under no nearby id',
      step: 'write',
      needs: ['pets'],
      accepts: 'createPet',
      exhaustive: true,
      effect: 'write',
      send: sendBetweenCreations,
      cases: wouldShow,
      unmet: 'the lists do not show new animals, and consecutive creations received ids that are far apart',
    },
  ],
  met: [
    {
      id: 'every-response',
      title: 'No response shows an animal whose POST was rejected for its credential',
    },
  ],
});
