import { mayBeRemoved, REMOVED_STATUSES } from '../../src/clause/removal.ts';
import type { Case, Event, World } from '../../src/oracle/world.ts';
import { type PetView, petView } from '../../src/schema/pet.ts';
import { INT64_MAX, INT64_MIN, isInt64 } from '../../src/schema/validators.ts';
import { createRandom } from '../../src/session/numbers.ts';
import { describeRequest, describeResponse } from '../../src/session/read-exchange.ts';
import type { Session } from '../../src/session/session.ts';
import { asReceived } from '../../src/wire/exchange.ts';
import { isJsonObject, type Json } from '../../src/wire/json.ts';
import { defineRules } from '../define.ts';
import { isOwnedElsewhere } from '../responses.ts';

const INT32 = 2n ** 32n;
const BEYOND_DOUBLE = 2n ** 53n;
/** What an id may be cut to: 8, 16, 24, 32, 48, 53, and 62 bits, and the digits of decimal columns. */
const BEYOND = [
  2n ** 8n,
  2n ** 16n,
  2n ** 24n,
  INT32,
  2n ** 48n,
  BEYOND_DOUBLE,
  2n ** 62n,
  ...[9n, 10n, 12n, 15n, 18n].map((digits) => 10n ** digits),
];
/** No store that counts its animals has reached these ids, and no other id scheme is dense here. */
const FAR = 2n ** 60n;
const RANDOM_IDS = 4;
const NEAR = 2;
const ALL_EXIST = 'every id that was tried belongs to an animal';

/** Whether an animal with that id is known to have existed by then. An animal that is created later may get the id. */
function isKnown({ known }: Pick<World, 'known'>, id: bigint, by: number): boolean {
  const created = known.created.get(String(id));
  return created === undefined ? known.seen.has(String(id)) : created.exchange.timings.startedAt < by;
}

function lacksId(value: Json): boolean {
  return isJsonObject(value) && 'name' in value && 'categoryId' in value && petView(value) === undefined;
}

/** Whether the response may show the animal with that id: in a text that is not JSON, or without an id, as reads of known animals show theirs, too. */
function mayShowOwn({ status, response, intent: { petId } }: Event, { events, known }: World): boolean {
  if (status !== 200 || response === undefined) return false;
  const { json, text } = response;
  if (!json.ok) return new RegExp(`"id":\\s*${petId}\\b`).test(text ?? '');
  if (!lacksId(json.value)) return false;
  return events.some(({ intent, status: got, response: other }) => {
    const isOfKnown = intent.operation === 'getPet' && known.created.has(String(intent.petId));
    return isOfKnown && got === 200 && other?.json.ok === true && lacksId(other.json.value);
  });
}

/** An id that no animal has gets 404. If it happens to exist and shows its own animal, that is not a finding. */
function judgeAbsent(event: Event, world: World) {
  const { exchange, intent, pet, done } = event;
  const { petId, operation, credential } = intent;
  const letter = asReceived(exchange);
  if (operation !== 'getPet' || credential !== 'valid' || petId === undefined || letter.outcome.kind === 'failed') return 'not-applicable';
  const { answer: response } = letter.outcome;
  if (isKnown(world, petId, done) || pet?.id === petId || mayShowOwn(event, world) || isOwnedElsewhere(response)) return 'not-applicable';
  if (mayBeRemoved(world.known.now) && REMOVED_STATUSES.includes(response.status)) return 'not-applicable';
  if (response.status === 404) return 'holds';
  return {
    summary: `${describeRequest(exchange)} returned ${pet === undefined ? response.status : `animal ${pet.id}`} for an id that no animal has; expected 404`,
    expected: ['404 with an Error body'],
    received: describeResponse(letter),
    ...(pet === undefined ? {} : { pointer: '/id' }),
  };
}

/** Random ids do not exist; a service that shows an animal for each of them invents animals. */
function madeUp({ events, known }: World): readonly Case[] {
  // A service may start counting from there: only drawn ids are random.
  const shown = events.filter(
    ({ asker, intent: { petId }, pet }) => asker === 'get.not-found/random' && pet !== undefined && pet.id === petId,
  );
  const listed = new Set(shown.length < 2 ? [] : events.flatMap(({ pets = [] }) => pets.map(({ id }) => id)));
  const alone = shown.filter(({ intent: { petId = 0n } }) => !listed.has(petId) && !known.created.has(String(petId)));
  const [event, ...others] = alone;
  if (event === undefined || new Set(alone.map(({ intent }) => intent.petId)).size < 2) return [];
  const summary = `${alone.length} random ids returned an animal: the service makes up an animal for any id`;
  const received = describeResponse(event.exchange);
  const exchanges = alone.map(({ exchange }) => exchange);
  return [{ event, others, breach: { summary, expected: ['404 with an Error body'], received, exchanges } }];
}

function randomIds(seed: number): readonly bigint[] {
  const random = createRandom(seed + 3);
  return Array.from({ length: RANDOM_IDS }, () => FAR + BigInt(Math.floor(random() * 2 ** 52)) * 517n + BigInt(Math.floor(random() * 500)));
}

function edges(known: bigint): readonly bigint[] {
  return [
    // The first numbers: what a service counts by itself may not be the ids that it shows.
    ...[0n, 1n, 2n, -1n, -known],
    ...[2n ** 31n - 1n, 2n ** 31n, -(2n ** 31n), -(2n ** 31n) - 1n, INT32 - 1n, INT32],
    ...BEYOND.map((width) => known + width),
    ...[BEYOND_DOUBLE + 1n, -BEYOND_DOUBLE - 1n, INT64_MIN + known],
    ...[INT64_MAX, INT64_MAX - 1n, INT64_MIN],
  ];
}

/** Near misses of a known id, which prefixes, patterns, and doubles confuse with it. */
function nearMisses(id: bigint): readonly bigint[] {
  const cut = String(id).slice(0, -1);
  return [BigInt(`${id}7`), BigInt(`${id}0`), id + 1n, id - 1n, ...(/\d/.test(cut) ? [BigInt(cut)] : [])];
}

/** Reads ids that no known animal has, and an animal that exists: if that is rejected too, a 404 proves nothing. */
async function readUnknown(s: Session, pets: readonly PetView[], ids: readonly bigint[]): Promise<void> {
  const unknown = [...new Set(ids)].filter((id) => isInt64(id) && !isKnown({ known: s.knowledge }, id, Number.POSITIVE_INFINITY));
  await s.all(s.portion(unknown), (id) => s.api.get(id));
  await s.all(pets.slice(0, 1), ({ id }) => s.fixtures.firstRead(id));
}

export const getNotFound = defineRules({
  id: 'get.not-found',
  chapter: 'get-pet',
  section: 'Endpoints: 3. Get an animal (deprecated)',
  quote: [
    'Path parameter: `petId`, required, integer, format int64: identifier of the animal.',
    '`404` with an Error body when the animal does not exist.',
  ],
  level: 'required',
  requirement:
    'getPet returns 404 with an Error body for every int64 id that no animal has, including ids beyond 32 and 53 bits and at the edges of int64.',
  likelyCause:
    'An empty result is returned as a success, the route accepts only positive or 32-bit numbers, or the id is truncated, wrapped, or rounded on its way to the store.',
  rules: [
    { layer: 'status', judge: judgeAbsent, simpler: { clauses: ['get.success', 'deprecation.still-works'] } },
    { layer: 'history', judgeAll: madeUp },
  ],
  sent: [
    {
      id: 'absent',
      title: 'Returns 404 for an id that no animal has',
      step: 'read',
      needs: ['pets'],
      smoke: true,
      send: async (s, { pets }) => readUnknown(s, pets, [await s.fixtures.absentId()]),
      cases: () => true,
      accepts: 'getPet',
      unmet: ALL_EXIST,
    },
    {
      id: 'random',
      title: 'Returns 404 for random ids beyond 2^60',
      step: 'read',
      needs: ['pets'],
      send: async (s, { pets }) => readUnknown(s, pets, randomIds(s.options.seed)),
      accepts: 'getPet',
      unmet: ALL_EXIST,
    },
    {
      id: 'edges',
      title:
        'Returns 404 for 0, 1, 2, negative ids, the edges of int32, doubles, and int64, and ids that equal a known one in their last bits or digits',
      step: 'read',
      needs: ['pets'],
      send: async (s, { pets }) => readUnknown(s, pets, edges(pets[0]?.id ?? 0n)),
      accepts: 'getPet',
      unmet: ALL_EXIST,
    },
    {
      id: 'near-misses',
      title: 'Returns 404 for ids adjacent to an existing id, or one digit longer or shorter',
      step: 'read',
      needs: ['pets'],
      send: async (s, { pets }) =>
        readUnknown(
          s,
          pets,
          (await s.fixtures.sample(NEAR)).flatMap(({ id }) => nearMisses(id)),
        ),
      accepts: 'getPet',
      unmet: ALL_EXIST,
    },
  ],
});
