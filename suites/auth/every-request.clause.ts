import type { Breach } from '../../src/clause/clause.ts';
import type { Case, Event, Rule, World } from '../../src/oracle/world.ts';
import type { PetView } from '../../src/schema/pet.ts';
import type { CallOptions, Credential, ListParameters } from '../../src/session/client/api.ts';
import { NO_CREDENTIAL } from '../../src/session/client/sending.ts';
import { createRandom } from '../../src/session/numbers.ts';
import { describeResponse } from '../../src/session/read-exchange.ts';
import type { Session } from '../../src/session/session.ts';
import { type Exchange, isSuccess, OPERATIONS, type Operation } from '../../src/wire/exchange.ts';
import { randomToken } from '../cases/credentials.ts';
import { defineRules } from '../define.ts';
import { onConnection } from '../stimuli/sending.ts';
import { isDecided, judgeRejection, lacksOnlyKey, SAME_CREDENTIAL, situation } from './rejections.ts';
import { readTarget } from './requests.ts';

function requestBefore({ number, exchange }: Event, { events }: World): Exchange | undefined {
  const { path, query } = exchange.request;
  const before = events.filter(
    ({ intent, status, ...other }) => intent.credential === 'valid' && isSuccess(status) && other.number < number,
  );
  const same = before.findLast(({ exchange: { request } }) => request.path === path && request.query === query);
  return (same ?? before.at(-1))?.exchange;
}

/**
 * A request without the API key, sent on purpose after one with it, gets 401. If the same credential was accepted before any request with
 * the key, nothing is carried over: the clause of the credential explains it.
 */
const BY_ITSELF: Rule = {
  layer: 'failure',
  contrasted: true,
  simpler: {
    clauses: ['auth.missing-credential', 'auth.wrong-key'],
    isTwin: (simpler, own) => simpler.intent.before === 'nothing' && SAME_CREDENTIAL.isTwin(simpler, own),
    explains: SAME_CREDENTIAL.explains,
  },
  judge(event, world): 'not-applicable' | 'holds' | Breach {
    if (event.intent.before !== 'the API key' || !lacksOnlyKey(event, world)) return 'not-applicable';
    const judgement = judgeRejection(event, ' after a request with the API key');
    if (judgement === 'holds') return 'holds';
    const before = requestBefore(event, world);
    return before === undefined ? judgement : { ...judgement, exchanges: [before, event.exchange] };
  },
};

/** A single success after the key may be chance. */
const TELLING = 2;

/** Whether all requests without the key of one part succeeded after a request with it, while all sent before any got 401. */
function isCarriedOver(marked: readonly Event[]): boolean {
  const before = marked.filter(({ intent }) => intent.before === 'nothing');
  const after = Map.groupBy(
    marked.filter(({ intent }) => intent.before === 'the API key'),
    ({ asker }) => asker,
  );
  const isRejected = before.length > 0 && before.every(({ status }) => status === 401);
  return isRejected && after.values().some((events) => events.length >= TELLING && events.every(({ status }) => isSuccess(status)));
}

function isAccepted({ intent, status, response }: Event): boolean {
  if (intent.before !== undefined || response === undefined || intent.credential === 'valid') return false;
  return intent.credential === 'refused' ? status !== 401 : isSuccess(status);
}

/**
 * If the service carries over what a request with the key may do, that may be why any other request without the key did not get 401: an
 * exchange does not show connections or caches. Creations count if both listPets and getPet are affected.
 */
function judgeCarriedOver({ events }: World): readonly Case[] {
  const marked = events.filter((event) => event.intent.before !== undefined && isDecided(event));
  const reads = (['listPets', 'getPet'] as const).filter((operation) =>
    isCarriedOver(marked.filter(({ intent }) => intent.operation === operation)),
  );
  const operations: readonly Operation[] = reads.length === 2 ? OPERATIONS : reads;
  return events
    .filter((event) => operations.includes(event.intent.operation) && isAccepted(event))
    .map((event): Case => {
      const summary = `${situation(event)} returned ${event.status} after requests with the API key`;
      return { event, breach: { summary, expected: ['401 with an Error body'], received: describeResponse(event.exchange) } };
    });
}

type Ask = (options: CallOptions) => Promise<Exchange>;

const credentialsOf = (s: Session): readonly [Credential, Credential] => [NO_CREDENTIAL, randomToken(s.options.apiKey, s.options.seed)];

/** A read of an animal at a URL that no other request uses: no cache holds it. */
const freshly =
  (s: Session, id: bigint): Ask =>
  (options) =>
    s.api.get(id, { ...options, rawQuery: 'fresh=' });

const noStrangers = (): { count: number } => ({ count: 0 });

async function asNewClient(s: Session, work: (client: CallOptions) => Promise<unknown>): Promise<void> {
  const strangers = s.knowledge.remember(noStrangers);
  strangers.count += 1;
  const mark = Math.floor(createRandom(s.options.seed + strangers.count)() * 1e9).toString(36);
  await onConnection(s, (connection) => work({ connection, headers: [['user-agent', `petstore-conformance-${mark}`]] }));
}

/** Lists whose parameters have an order that no other request uses: if one is accepted, that is not due to a cache. */
const listed = (limit: number): ListParameters => ({ status: 'available', limit });

const FIRST = { before: 'nothing' } as const;
const LATER = { before: 'the API key' } as const;

async function sendOnOneConnection(s: Session, pets: readonly PetView[]): Promise<void> {
  const id = await readTarget(s, pets);
  const [none, wrong] = credentialsOf(s);
  await asNewClient(s, async (client) => {
    for (const credential of [none, wrong]) {
      await s.api.list(listed(41), { ...client, ...FIRST, credential });
      await freshly(s, id)({ ...client, ...FIRST, credential });
    }
    await s.api.list({}, client);
    for (const credential of [none, wrong]) {
      await s.api.list(listed(42), { ...client, ...LATER, credential });
      await s.api.get(id, { ...client, ...LATER, credential });
    }
  });
}

async function sendAfterCreation(s: Session, pets: readonly PetView[]): Promise<void> {
  const id = await readTarget(s, pets);
  const value = await s.fixtures.plain();
  const [none, wrong] = credentialsOf(s);
  await asNewClient(s, async (client) => {
    await s.api.list(listed(43), { ...client, ...FIRST, credential: none });
    await freshly(s, id)({ ...client, ...FIRST, credential: wrong });
  });
  await asNewClient(s, async (client) => {
    // The first request on its connection: a POST that meets a closed connection can't be sent again.
    await s.api.create({ value }, { ...client, domain: 'plain' });
    await s.api.list(listed(44), { ...client, ...LATER, credential: none });
    await s.api.get(id, { ...client, ...LATER, credential: wrong });
  });
}

async function sendToSameAddress(s: Session, { id }: PetView): Promise<void> {
  const list =
    (limit: number): Ask =>
    (options) =>
      s.api.list(listed(limit), options);
  const asks = [
    { fresh: list(63), ask: list(64) },
    { fresh: freshly(s, id), ask: (options: CallOptions) => s.api.get(id, options) },
  ];
  const rows = asks.flatMap((pair) => credentialsOf(s).map((credential) => ({ ...pair, credential })));
  await s.all(s.portion(rows), async ({ fresh, ask, credential }) => {
    await asNewClient(s, (client) => fresh({ ...client, ...FIRST, credential }));
    await ask({});
    await ask({ ...LATER, credential });
  });
}

async function sendConcurrently(s: Session, pets: readonly PetView[]): Promise<void> {
  const id = pets[0]?.id ?? 0n;
  const [none, wrong] = credentialsOf(s);
  await asNewClient(s, async (client) => {
    await s.api.list({ status: 'sold', limit: 61 }, { ...client, ...FIRST, credential: none });
    await s.api.list({ status: 'sold', limit: 62 }, { ...client, ...FIRST, credential: wrong });
    for (const credential of [none, wrong]) await freshly(s, id)({ ...client, ...FIRST, credential });
  });
  const rows = [71, 72, 73, 74].flatMap((limit, index) => {
    const [one, other] = index % 2 === 0 ? [none, wrong] : [wrong, none];
    return [
      () => s.api.list({ limit, status: 'pending' }),
      () => s.api.list({ limit, status: 'sold' }, { ...LATER, credential: one }),
      () => s.api.get(id),
      () => s.api.get(id, { ...LATER, credential: other }),
    ];
  });
  await s.all(s.portion(rows), (ask) => ask());
}

export const everyRequest = defineRules({
  id: 'auth.every-request',
  chapter: 'authentication',
  section: 'Authentication',
  quote: [
    'The API key is sent as the bearer credential in the `Authorization` header, in the form `Authorization: Bearer <API_KEY>`.',
    'The requirement applies globally, to every operation.',
  ],
  level: 'implied',
  derivation:
    'The requirement applies to every operation, and the key is sent with the request. So each request counts by itself, whatever came before it on the same connection, from the same client, or for the same URL.',
  requirement: 'A request without the API key returns 401 even after, or concurrently with, a request that has it.',
  likelyCause:
    'A cache or proxy does not vary on Authorization, or the result of authentication is kept per connection, client, or thread.',
  rules: [BY_ITSELF, { layer: 'failure', judgeAll: judgeCarriedOver }],
  sent: [
    {
      id: 'same-connection',
      title: 'A request without the API key returns 401 on a connection that has carried the key',
      step: 'read',
      needs: ['pets'],
      accepts: 'listPets',
      send: (s, { pets }) => sendOnOneConnection(s, pets),
    },
    {
      id: 'after-creation',
      title: 'A request without the API key returns 401 on a connection that has carried a creation with the key',
      step: 'write',
      needs: ['pets'],
      accepts: 'createPet',
      effect: 'write',
      send: (s, { pets }) => sendAfterCreation(s, pets),
    },
    {
      id: 'same-address',
      title: 'A request without the API key returns 401 for a URL that was requested with the key',
      step: 'more-reads',
      needs: ['readable'],
      accepts: 'listPets',
      exhaustive: true,
      send: (s, { readable }) => sendToSameAddress(s, readable),
    },
    {
      id: 'concurrently',
      title: 'Requests without the API key return 401 among concurrent ones with the key',
      step: 'more-reads',
      needs: ['petList'],
      accepts: 'listPets',
      exhaustive: true,
      send: (s, { petList }) => sendConcurrently(s, petList.pets),
    },
  ],
});
