import type { ClauseId } from '../../src/clause/clause.ts';
import { haltInconclusive } from '../../src/clause/halt.ts';
import type { Finding, Outcome } from '../../src/clause/outcome.ts';
import { answerOf, describeRequest, finding } from '../../src/expect/expect.ts';
import type { CallOptions, Connection, Credential } from '../../src/session/client/api.ts';
import type { Have } from '../../src/session/fixtures/haves.ts';
import { createRandom } from '../../src/session/fixtures/random.ts';
import type { Session } from '../../src/session/session.ts';
import type { Exchange } from '../../src/wire/exchange.ts';
import { NO_HEADER } from '../cases/no-header.ts';
import { randomToken } from '../cases/random-token.ts';
import { defineClause } from '../define.ts';
import { judgeRows } from '../judging/judge-rows.ts';
import { onConnection } from '../judging/on-connection.ts';
import { requireRejected } from './require-rejected.ts';
import { situation } from './situation.ts';

type Ask = (options: CallOptions) => Promise<Exchange>;

const MISSING = 'auth.missing-credential';
const WRONG = 'auth.wrong-key';

/** A finding when a credential is accepted that was rejected before a request with the API key. */
function letIn(before: Exchange, exchange: Exchange): Finding | undefined {
  const { status } = answerOf(exchange);
  if (status === 401) return undefined;
  return finding([before, exchange], {
    summary: `${situation(exchange)} returned ${status} after a request with the API key; expected 401`,
    expected: ['401 with an Error body'],
  });
}

/** Judges requests without the API key that followed one with it on its connection. */
function judgeAfter(s: Session, { before, after, what }: { before: Exchange; after: readonly Exchange[]; what: string }): Promise<Outcome> {
  return judgeRows(s, {
    rows: after,
    judge: async (exchange) => letIn(before, exchange),
    evidence: `${after.length} requests without the API key after ${what} on the same connection, each of which returned 401`,
  });
}

function admitted(exchange: Exchange): Exchange {
  if (answerOf(exchange).status === 401) haltInconclusive(`${describeRequest(exchange)} with the API key returned 401`, 'auth.valid-key');
  return exchange;
}

/** A client that is new to the service: a connection and a User-Agent of its own. */
function stranger(s: Session, connection: Connection): CallOptions {
  const mark = Math.floor(createRandom(s.options.seed + 2)() * 1e9).toString(36);
  return { connection, headers: [['user-agent', `petstore-conformance-${mark}`]] };
}

/** Rejected, accepted, rejected again, sequentially on one connection. */
async function sameConnection(s: Session, { pets }: Have<['pets']>): Promise<Outcome> {
  const id = pets[0]?.id ?? 0n;
  const absent = await s.fixtures.absentId();
  const wrong = randomToken(s.options.apiKey, s.options.seed);
  return onConnection(s, async (connection) => {
    const client = stranger(s, connection);
    const keyless = { ...client, credential: NO_HEADER };
    const wrongly = { ...client, credential: wrong };
    await requireRejected(s, await s.api.list({ limit: 2 }, keyless), MISSING);
    await requireRejected(s, await s.api.get(absent, keyless), MISSING);
    await requireRejected(s, await s.api.list({ limit: 2 }, wrongly), WRONG);
    const before = admitted(await s.api.list({}, client));
    const after = [await s.api.list({ limit: 2 }, keyless), await s.api.get(id, keyless), await s.api.list({}, wrongly)];
    return judgeAfter(s, { before, after, what: 'one with it' });
  });
}

/** A creation with the API key, then requests without it on the same connection. */
async function afterCreation(s: Session, { pets }: Have<['pets']>): Promise<Outcome> {
  const sent = await s.fixtures.plain();
  const wrong = randomToken(s.options.apiKey, s.options.seed);
  return onConnection(s, async (connection) => {
    await requireRejected(s, await s.api.list({ limit: 6 }, { credential: NO_HEADER }), MISSING);
    await requireRejected(s, await s.api.get(await s.fixtures.absentId(), { credential: wrong }), WRONG);
    // The first request on its connection: a POST that meets a closed connection can't be sent again.
    const before = admitted(await s.api.create({ value: sent }, { domain: 'plain', connection }));
    const after = [
      await s.api.list({ limit: 6 }, { connection, credential: NO_HEADER }),
      await s.api.get(pets[0]?.id ?? 0n, { connection, credential: wrong }),
    ];
    return judgeAfter(s, { before, after, what: 'a creation with it' });
  });
}

/** One URL requested with the API key and then without it. `fresh` is a URL that no cache can hold: the control. */
async function sameAddress(s: Session, asks: readonly { fresh: Ask; ask: Ask }[]): Promise<Outcome> {
  const wrong = randomToken(s.options.apiKey, s.options.seed);
  const rows: { fresh: Ask; ask: Ask; credential: Credential; owner: ClauseId }[] = asks.flatMap((pair) => [
    { ...pair, credential: NO_HEADER, owner: MISSING },
    { ...pair, credential: wrong, owner: WRONG },
  ]);
  return judgeRows(s, {
    rows,
    judge: async ({ fresh, ask, credential, owner }) => {
      await requireRejected(s, await fresh({ credential }), owner);
      const before = admitted(await ask({}));
      return letIn(before, await ask({ credential }));
    },
    evidence: `${rows.length} URLs requested with the API key and then without it, which returned 401`,
  });
}

async function caches(s: Session, { readable: { id } }: Have<['readable']>): Promise<Outcome> {
  // The order of the parameters makes URLs that no other check requests, and no cache can hold an animal that never existed.
  const list = (limit: number, options: CallOptions): Promise<Exchange> => s.api.list({ status: 'available', limit }, options);
  const absent = await s.fixtures.absentId();
  return sameAddress(s, [
    { fresh: (options) => list(63, options), ask: (options) => list(64, options) },
    { fresh: (options) => s.api.get(absent, options), ask: (options) => s.api.get(id, options) },
  ]);
}

/** Correct and wrong keys concurrently: what one request may do must not extend to another. */
async function concurrently(s: Session, { petList: { exchange: before, pets } }: Have<['petList']>): Promise<Outcome> {
  const id = pets[0]?.id ?? 0n;
  const wrong = randomToken(s.options.apiKey, s.options.seed);
  await requireRejected(s, await s.api.list({ status: 'sold', limit: 61 }, { credential: NO_HEADER }), MISSING);
  await requireRejected(s, await s.api.list({ status: 'sold', limit: 62 }, { credential: wrong }), WRONG);
  await requireRejected(s, await s.api.get(await s.fixtures.absentId(), { credential: NO_HEADER }), MISSING);
  const rows = [71, 72, 73, 74].flatMap((limit, index) => [
    { ask: () => s.api.list({ limit, status: 'pending' }), right: true },
    { ask: () => s.api.list({ limit, status: 'sold' }, { credential: index % 2 === 0 ? NO_HEADER : wrong }), right: false },
    { ask: () => s.api.get(id), right: true },
    { ask: () => s.api.get(id, { credential: index % 2 === 0 ? wrong : NO_HEADER }), right: false },
  ]);
  return judgeRows(s, {
    rows,
    judge: async ({ ask, right }) => {
      const exchange = await ask();
      return right ? undefined : letIn(before, exchange);
    },
    evidence: `${rows.length} concurrent requests, half of them without the API key, which returned 401`,
  });
}

export const everyRequest = defineClause({
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
  checks: [
    {
      id: 'same-connection',
      title: 'A request without the API key returns 401 on a connection that has carried the key',
      step: 'read',
      given: ['pets', 'rejection', 'auth.wrong-key'],
      fault: 'connection-stays-authenticated',
      run: sameConnection,
    },
    {
      id: 'after-creation',
      title: 'A request without the API key returns 401 on a connection that has carried a creation with the key',
      step: 'write',
      given: ['pets', 'rejection', 'auth.wrong-key'],
      effect: 'write',
      fault: 'connection-authenticated-by-creation',
      run: afterCreation,
    },
    {
      id: 'same-address',
      title: 'A request without the API key returns 401 for a URL that was requested with the key',
      step: 'read',
      given: ['readable', 'rejection', 'auth.wrong-key'],
      exhaustive: true,
      fault: 'list-cache-ignores-credential',
      run: caches,
    },
    {
      id: 'concurrently',
      title: 'Requests without the API key return 401 among concurrent ones with the key',
      step: 'read',
      given: ['petList', 'rejection', 'auth.wrong-key'],
      exhaustive: true,
      fault: 'url-stays-authenticated',
      run: concurrently,
    },
  ],
});
