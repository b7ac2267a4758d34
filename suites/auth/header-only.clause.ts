import { inconclusive, notApplicable } from '../../src/clause/halt.ts';
import type { Outcome } from '../../src/clause/outcome.ts';
import type { Credential } from '../../src/session/client/api.ts';
import type { Have } from '../../src/session/fixtures/haves.ts';
import type { Session } from '../../src/session/session.ts';
import type { Exchange } from '../../src/wire/exchange.ts';
import { cookieCredential, elsewhere } from '../cases/credentials-elsewhere.ts';
import { LISTS } from '../cases/lists.ts';
import { NO_HEADER } from '../cases/no-header.ts';
import { defineClause } from '../define.ts';
import { judgeRows } from '../judging/judge-rows.ts';
import { postRefused } from './post-refused.ts';
import { readTarget } from './read-target.ts';
import { requireRejected } from './require-rejected.ts';
import { notUnauthorized } from './unauthorized.ts';
import { refusedCreations } from './unauthorized-creations.ts';
import { inTurn, refusedLists } from './unauthorized-lists.ts';
import { refusedReads } from './unauthorized-reads.ts';

/** Halts when the operation accepts requests without an Authorization header: the key elsewhere makes no difference then. */
async function requireHeaderNeeded(s: Session, ask: (options: { readonly credential: Credential }) => Promise<Exchange>): Promise<void> {
  await requireRejected(s, await ask({ credential: NO_HEADER }), 'auth.missing-credential');
}

/** A valid body with the key in additional properties: a service that ignores unknown properties sees a plain NewPet. */
async function inBody(s: Session): Promise<Outcome> {
  if (!s.options.intrusive) return inconclusive('the run may send the API key only in the Authorization header', 'choice');
  const { apiKey } = s.options;
  const value = { ...(await s.fixtures.plain()), api_key: apiKey, apiKey, access_token: apiKey };
  await requireHeaderNeeded(s, async (options) => postRefused(s, await s.fixtures.plain(), options.credential));
  return judgeRows(s, {
    rows: [value],
    judge: async (body) => notUnauthorized(await s.api.create({ value: body }, { domain: 'open', credential: NO_HEADER })),
    evidence: 'a body with the API key as api_key, apiKey, and access_token returned 401',
  });
}

/** The cookies that responses to the API key set, as a browser sends them back. */
async function cookiesOf(s: Session, exchange: Exchange): Promise<readonly string[]> {
  const answers = [exchange, await s.api.list({ limit: 1 })];
  const set = answers.flatMap(({ outcome }) => (outcome.kind === 'answered' ? outcome.answer.headers : []));
  const pairs = set.filter(([name]) => name === 'set-cookie').map(([, value]) => value.split(';')[0]?.trim() ?? '');
  return [...new Set(pairs.filter((pair) => pair.includes('=')))];
}

/** A session that the service opened for the API key does not replace it. */
async function behindCookies(s: Session, { petList }: Have<['petList']>): Promise<Outcome> {
  const cookies = await cookiesOf(s, petList.exchange);
  if (cookies.length === 0) return notApplicable('no response to the API key sets a cookie');
  await requireHeaderNeeded(s, (options) => s.api.list({ limit: 4, status: 'available' }, options));
  return refusedLists(
    s,
    LISTS.map((list) => ({ credential: cookieCredential(cookies), list })),
    { contrasted: true },
  );
}

export const headerOnly = defineClause({
  id: 'auth.header-only',
  chapter: 'authentication',
  section: 'Authentication',
  quote: [
    'The API key is sent as the bearer credential in the `Authorization` header, in the form `Authorization: Bearer <API_KEY>`.',
    'When the key is missing or invalid, the service answers `401` with an Error body.',
  ],
  level: 'required',
  requirement:
    'Requests with the API key only in a query parameter, in another header, or in a cookie return 401 with an Error body, and so do requests with nothing but cookies that the service has set.',
  likelyCause:
    'A gateway or framework looks for the key in several places (api_key, X-API-Key, a session cookie). Keys in URLs end up in logs.',
  checks: [
    {
      id: 'list',
      title: 'Lists with the API key in a query parameter, another header, or a cookie return 401',
      step: 'read',
      given: ['pets', 'rejection'],
      effect: 'intrusive',
      fault: 'key-in-query-api-key-accepted',
      run: async (s) => {
        await requireHeaderNeeded(s, (options) => s.api.list({ limit: 4, status: 'available' }, options));
        return refusedLists(s, inTurn(elsewhere(s.options.apiKey)), { contrasted: true });
      },
    },
    {
      id: 'get',
      title: 'Reads with the API key in a query parameter, another header, or a cookie return 401',
      step: 'read',
      given: ['animal', 'read', 'rejection'],
      effect: 'intrusive',
      fault: 'key-in-query-accepted-on-get-only',
      run: async (s) => {
        const { id, judged } = await readTarget(s);
        await requireHeaderNeeded(s, async (options) => judged(await s.api.get(id, { ...options, rawQuery: 'token=' })));
        return refusedReads(s, elsewhere(s.options.apiKey), { contrasted: true });
      },
    },
    {
      id: 'create',
      title: 'POST /pets with a valid body and the API key outside the Authorization header returns 401',
      step: 'first-page',
      given: ['pets', 'rejection'],
      effect: 'write',
      fault: 'key-in-cookie-accepted',
      run: async (s) => {
        await requireHeaderNeeded(s, async (options) => postRefused(s, await s.fixtures.plain(), options.credential));
        return refusedCreations(s, s.options.intrusive ? elsewhere(s.options.apiKey) : []);
      },
    },
    {
      id: 'session-cookies',
      title: 'Lists with only the cookies that the service has set return 401',
      step: 'read',
      given: ['petList', 'rejection'],
      fault: 'session-cookie-accepted',
      run: behindCookies,
    },
    {
      id: 'key-in-body',
      title: 'POST /pets with the API key in the body and without an Authorization header returns 401',
      step: 'first-page',
      given: ['pets', 'rejection'],
      effect: 'write',
      fault: 'key-in-body-accepted',
      run: inBody,
    },
  ],
});
