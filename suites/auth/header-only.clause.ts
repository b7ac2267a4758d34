import { inconclusive, pass } from '../../src/clause/halt.ts';
import type { Outcome } from '../../src/clause/outcome.ts';
import type { Credential } from '../../src/session/client/api.ts';
import type { Session } from '../../src/session/session.ts';
import type { Exchange } from '../../src/wire/exchange.ts';
import { cookieCredential, elsewhere, NO_HEADER } from '../cases/credentials.ts';
import { defineClause } from '../define.ts';
import { post } from '../judging/creations/read-back.ts';
import { judgeRows } from '../judging/judge-rows.ts';
import { readTarget } from './read-target.ts';
import {
  inTurn,
  LISTS,
  notUnauthorized,
  postRefused,
  provedRefused,
  refusedCreations,
  refusedLists,
  refusedReads,
} from './unauthorized-requests.ts';

/** Halts when the operation lets in whoever sends no Authorization header: then it is not the key elsewhere that is let in. */
async function proveNeedsHeader(s: Session, ask: (options: { readonly credential: Credential }) => Promise<Exchange>): Promise<void> {
  await provedRefused(s, await ask({ credential: NO_HEADER }), 'auth.missing-credential');
}

/** A good body with the key as further members: a service that ignores those it does not know sees a plain NewPet. */
async function inBody(s: Session): Promise<Outcome> {
  await s.fixtures.recognized();
  if (!s.options.intrusive) return inconclusive('the key is sent nowhere but in the Authorization header', 'choice');
  const { apiKey } = s.options;
  const value = { ...(await s.fixtures.plain()), api_key: apiKey, apiKey, access_token: apiKey };
  await proveNeedsHeader(s, async (options) => postRefused(s, await s.fixtures.plain(), options.credential));
  return judgeRows(s, {
    rows: [value],
    judge: async (body) => notUnauthorized(await post(s, { value: body }, { domain: 'open', credential: NO_HEADER })),
    evidence: 'a body with the key as api_key, apiKey and access_token, answered 401',
  });
}

/** The cookies that answers to the right key set, as a browser sends them back. */
async function cookiesOf(s: Session): Promise<readonly string[]> {
  const { exchange } = await s.fixtures.admitted();
  const answers = [exchange, await s.api.list({ limit: 1 })];
  const set = answers.flatMap(({ outcome }) => (outcome.kind === 'answered' ? outcome.answer.headers : []));
  const pairs = set.filter(([name]) => name === 'set-cookie').map(([, value]) => value.split(';')[0]?.trim() ?? '');
  return [...new Set(pairs.filter((pair) => pair.includes('=')))];
}

/** A session that the service has opened for the right key does not stand for it. */
async function behindCookies(s: Session): Promise<Outcome> {
  const cookies = await cookiesOf(s);
  if (cookies.length === 0) return pass('no answer to the right key sets a cookie');
  await proveNeedsHeader(s, (options) => s.api.list({ limit: 4, status: 'available' }, options));
  return refusedLists(
    s,
    LISTS.map((list) => ({ credential: cookieCredential(cookies), list })),
  );
}

export const headerOnly = defineClause({
  id: 'auth.header-only',
  chapter: 'authentication',
  section: 'Authentication',
  level: 'required',
  requirement:
    'The key in a query parameter, in another header or in a cookie is no credential, nor is a cookie that the service has set: 401 with an Error body.',
  likelyCause:
    'A gateway or framework looks for the key in several places (api_key, X-API-Key, a session cookie). Keys in URLs end in logs.',
  checks: [
    {
      id: 'lists',
      title: 'Lists with the key in a query parameter, another header or a cookie are answered 401',
      step: 'read',
      effect: 'intrusive',
      fault: 'key-in-query-api-key-accepted',
      run: async (s) => {
        await proveNeedsHeader(s, (options) => s.api.list({ limit: 4, status: 'available' }, options));
        return refusedLists(s, inTurn(elsewhere(s.options.apiKey)));
      },
    },
    {
      id: 'reads',
      title: 'An animal read with the key in a query parameter, another header or a cookie is answered 401',
      step: 'read',
      effect: 'intrusive',
      fault: 'key-in-query-accepted-on-get-only',
      run: async (s) => {
        const { id, judged } = await readTarget(s);
        await proveNeedsHeader(s, async (options) => judged(await s.api.get(id, { ...options, rawQuery: 'token=' })));
        return refusedReads(s, elsewhere(s.options.apiKey));
      },
    },
    {
      id: 'create',
      title: 'POST /pets with a good body and the key elsewhere than in the Authorization header is answered 401',
      step: 'write',
      effect: 'write',
      fault: 'key-in-cookie-accepted',
      run: async (s) => {
        await s.fixtures.recognized();
        await proveNeedsHeader(s, async (options) => postRefused(s, await s.fixtures.plain(), options.credential));
        return refusedCreations(s, s.options.intrusive ? elsewhere(s.options.apiKey) : []);
      },
    },
    {
      id: 'behind-cookies',
      title: 'The cookies that the service sets are no credential: lists with them alone are answered 401',
      step: 'read',
      fault: 'session-cookie-accepted',
      run: behindCookies,
    },
    {
      id: 'in-body',
      title: 'POST /pets with the key in the body and without an Authorization header is answered 401',
      step: 'write',
      effect: 'write',
      fault: 'key-in-body-accepted',
      run: inBody,
    },
  ],
});
