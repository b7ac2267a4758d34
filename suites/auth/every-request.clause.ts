import type { ClauseId } from '../../src/clause/clause.ts';
import { haltInconclusive } from '../../src/clause/halt.ts';
import type { Finding, Outcome } from '../../src/clause/outcome.ts';
import { answerOf, describeRequest, finding } from '../../src/expect/expect.ts';
import type { CallOptions, Connection, Credential } from '../../src/session/client/api.ts';
import { createRandom } from '../../src/session/fixtures/random.ts';
import type { Session } from '../../src/session/session.ts';
import type { Exchange } from '../../src/wire/exchange.ts';
import { NO_HEADER, randomToken } from '../cases/credentials.ts';
import { defineClause } from '../define.ts';
import { judgeRows } from '../judging/judge-rows.ts';
import { provedRefused, situation } from './unauthorized-requests.ts';

type Ask = (options: CallOptions) => Promise<Exchange>;

const MISSING = 'auth.missing-credential';
const WRONG = 'auth.wrong-key';

/** A finding when a credential is let in that was refused before somebody with the right key asked. */
function letIn(before: Exchange, exchange: Exchange): Finding | undefined {
  const { status } = answerOf(exchange);
  if (status === 401) return undefined;
  return finding([before, exchange], {
    summary: `${situation(exchange)} is answered ${status} after a request with the right key, not 401`,
    expected: ['401 with an Error body'],
  });
}

function admitted(exchange: Exchange): Exchange {
  if (answerOf(exchange).status === 401) haltInconclusive(`${describeRequest(exchange)} with the right key answered 401`, 'auth.valid-key');
  return exchange;
}

/** A client that the service has not seen: a connection and a User-Agent of its own. */
function stranger(s: Session, connection: Connection, index: number): CallOptions {
  const mark = Math.floor(createRandom(s.options.seed + index)() * 1e9).toString(36);
  return { connection, headers: [['user-agent', `petstore-conformance-${mark}`]] };
}

/** Refused, let in, refused again: one after the other on one connection. */
async function sameConnection(s: Session): Promise<Outcome> {
  const pets = await s.fixtures.recognized();
  const id = pets[0]?.id ?? 0n;
  const absent = await s.fixtures.absentId();
  const connection = s.api.connect();
  const client = stranger(s, connection, 2);
  const wrong = randomToken(s.options.apiKey, s.options.seed);
  try {
    await provedRefused(s, await s.api.list({ limit: 2 }, { ...client, credential: NO_HEADER }), MISSING);
    await provedRefused(s, await s.api.get(absent, { ...client, credential: NO_HEADER }), MISSING);
    const before = admitted(await s.api.list({}, client));
    const after = [
      await s.api.list({ limit: 2 }, { ...client, credential: NO_HEADER }),
      await s.api.get(id, { ...client, credential: NO_HEADER }),
      await s.api.list({}, { ...client, credential: wrong }),
    ];
    return await judgeRows(s, {
      rows: after,
      judge: async (exchange) => letIn(before, exchange),
      evidence: `${after.length} requests without the right key after one with it on the same connection, each answered 401`,
    });
  } finally {
    await connection.close();
  }
}

/** A creation with the right key, and then requests without it on the same connection. */
async function afterCreation(s: Session): Promise<Outcome> {
  const pets = await s.fixtures.recognized();
  const sent = await s.fixtures.plain();
  const connection = s.api.connect();
  try {
    await provedRefused(s, await s.api.list({ limit: 6 }, { credential: NO_HEADER }), MISSING);
    // The first request on its connection: a POST that meets a closed one can't be sent again.
    const before = admitted(await s.api.create({ value: sent }, { domain: 'plain', connection }));
    const after = [
      await s.api.list({ limit: 6 }, { connection, credential: NO_HEADER }),
      await s.api.get(pets[0]?.id ?? 0n, { connection, credential: randomToken(s.options.apiKey, s.options.seed) }),
    ];
    return await judgeRows(s, {
      rows: after,
      judge: async (exchange) => letIn(before, exchange),
      evidence: `${after.length} requests without the right key after a creation with it on the same connection, each answered 401`,
    });
  } finally {
    await connection.close();
  }
}

/** One address asked with the right key and then without it. `fresh` is an address that no cache can have: the control. */
async function sameAddress(s: Session, asks: readonly { fresh: Ask; ask: Ask }[]): Promise<Outcome> {
  await s.fixtures.recognized();
  const wrong = randomToken(s.options.apiKey, s.options.seed);
  const rows: { fresh: Ask; ask: Ask; credential: Credential; owner: ClauseId }[] = asks.flatMap((pair) => [
    { ...pair, credential: NO_HEADER, owner: MISSING },
    { ...pair, credential: wrong, owner: WRONG },
  ]);
  return judgeRows(s, {
    rows,
    judge: async ({ fresh, ask, credential, owner }) => {
      await provedRefused(s, await fresh({ credential }), owner);
      const before = admitted(await ask({}));
      return letIn(before, await ask({ credential }));
    },
    evidence: `${rows.length} addresses asked with the right key and then without it: 401`,
  });
}

/** An animal that never was: no cache can hold it. */
async function absentAsk(s: Session): Promise<Ask> {
  const id = await s.fixtures.absentId();
  return (options) => s.api.get(id, options);
}

async function caches(s: Session): Promise<Outcome> {
  const { id } = await s.fixtures.existing();
  // The order of the parameters makes addresses that no other check asks for.
  const list =
    (limit: number): Ask =>
    (options) =>
      s.api.list({ status: 'available', limit }, options);
  return sameAddress(s, [
    { fresh: list(63), ask: list(64) },
    { fresh: await absentAsk(s), ask: (options) => s.api.get(id, options) },
  ]);
}

/** Right and wrong keys at the same time: what one request is allowed must not be another's. */
async function concurrently(s: Session): Promise<Outcome> {
  const { exchange: before, pets } = await s.fixtures.admitted();
  const id = pets[0]?.id ?? 0n;
  const wrong = randomToken(s.options.apiKey, s.options.seed);
  await provedRefused(s, await s.api.list({ status: 'sold', limit: 61 }, { credential: NO_HEADER }), MISSING);
  await provedRefused(s, await s.api.list({ status: 'sold', limit: 62 }, { credential: wrong }), WRONG);
  await provedRefused(s, await s.api.get(await s.fixtures.absentId(), { credential: NO_HEADER }), MISSING);
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
    evidence: `${rows.length} requests at the same time, half of them without the right key: 401`,
  });
}

export const everyRequest = defineClause({
  id: 'auth.every-request',
  chapter: 'authentication',
  section: 'Authentication',
  level: 'implied',
  derivation:
    'The requirement applies to every operation and the key is sent with the request; so a request is judged by what it carries itself, not by an earlier one on the same connection, from the same client or to the same address.',
  requirement: 'A request without the right key is answered 401 even after, or at the same time as, a request with it.',
  likelyCause:
    'A cache or proxy in front does not vary on Authorization, or the result of authentication is kept per connection, client or thread.',
  checks: [
    {
      id: 'same-connection',
      title: 'After the right key on a connection a request without it is answered 401',
      step: 'read',
      fault: 'connection-stays-authenticated',
      run: sameConnection,
    },
    {
      id: 'after-creation',
      title: 'After a creation with the right key on a connection a request without it is answered 401',
      step: 'write',
      effect: 'write',
      fault: 'connection-authenticated-by-creation',
      run: afterCreation,
    },
    {
      id: 'same-address',
      title: 'After the right key on an address a request without it is answered 401',
      step: 'read',
      exhaustive: true,
      fault: 'list-cache-ignores-credential',
      run: caches,
    },
    {
      id: 'concurrently',
      title: 'Requests without the right key are answered 401 among concurrent ones with it',
      step: 'read',
      exhaustive: true,
      fault: 'url-stays-authenticated',
      run: concurrently,
    },
  ],
});
