import { NO_CREDENTIAL } from '../../src/session/client/sending.ts';
import type { Session } from '../../src/session/session.ts';
import type { Exchange } from '../../src/wire/exchange.ts';
import { cookieCredential, elsewhere, IN_BODY } from '../cases/credentials.ts';
import { defineRules } from '../define.ts';
import { LISTS } from '../stimuli/lists.ts';
import { blameOf, rejects } from './rejections.ts';
import { postWith, sendCreations, sendElsewhere, sendLists, sendReads } from './requests.ts';

/**
 * A meaningless query: routers and caches match queries, so a request with the key in its query is compared with one that has a query too.
 */
const TWIN = { rawQuery: 'nothing=' };

async function sendTwins(s: Session, lists: typeof LISTS): Promise<void> {
  await s.all(s.portion(lists), (list) => s.api.list(list, { ...TWIN, credential: NO_CREDENTIAL }));
}

async function cookiesOf(s: Session, exchange: Exchange): Promise<readonly string[]> {
  const responses = [exchange, await s.api.list({ limit: 1 })];
  const set = responses.flatMap(({ outcome }) => (outcome.kind === 'answered' ? outcome.answer.headers : []));
  const pairs = set.filter(([name]) => name === 'set-cookie').map(([, value]) => value.split(';')[0]?.trim() ?? '');
  return [...new Set(pairs.filter((pair) => pair.includes('=')))];
}

/** A valid body with the key in additional properties: a service that ignores unknown properties sees a plain NewPet. */
async function sendInBody(s: Session): Promise<void> {
  const { apiKey } = s.options;
  await postWith(s, await s.fixtures.draft(), NO_CREDENTIAL);
  const value = { ...(await s.fixtures.draft()), api_key: apiKey, apiKey, access_token: apiKey };
  await s.api.create({ value }, { domain: 'plain', credential: IN_BODY });
}

export const headerOnly = defineRules({
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
  rules: [rejects('elsewhere', blameOf('auth.missing-credential'))],
  sent: [
    {
      id: 'list',
      title: 'Lists with the API key in a query parameter, another header, or a cookie return 401',
      step: 'more-reads',
      needs: ['pets'],
      accepts: 'listPets',
      effect: 'intrusive',
      send: async (s) => {
        await sendTwins(s, LISTS);
        await sendElsewhere(s);
      },
    },
    {
      id: 'get',
      title: 'Reads with the API key in a query parameter, another header, or a cookie return 401',
      step: 'more-reads',
      needs: ['pets'],
      accepts: 'getPet',
      effect: 'intrusive',
      send: async (s, { pets }) => {
        await sendReads(s, pets, [NO_CREDENTIAL], TWIN);
        await sendReads(s, pets, elsewhere(s.options.apiKey, s.options));
      },
    },
    {
      id: 'create',
      title: 'POST /pets with a valid body and the API key outside the Authorization header returns 401',
      step: 'first-page',
      needs: ['pets'],
      accepts: 'createPet',
      effect: 'write',
      intrusive: true,
      send: async (s) => {
        await postWith(s, await s.fixtures.draft(), NO_CREDENTIAL);
        for (const status of [undefined, 'available'] as const) await postWith(s, await s.fixtures.draft(status), NO_CREDENTIAL, TWIN);
        await sendCreations(s, elsewhere(s.options.apiKey, s.options));
      },
    },
    {
      id: 'session-cookies',
      title: 'Lists with only the cookies that the service has set return 401',
      step: 'read',
      needs: ['petList'],
      accepts: 'listPets',
      send: async (s, { petList }) => {
        const cookies = await cookiesOf(s, petList.exchange);
        if (cookies.length === 0) return;
        await sendTwins(s, LISTS.slice(0, 1));
        await sendLists(
          s,
          LISTS.map((list) => ({ credential: cookieCredential(cookies), list })),
        );
      },
      absent: 'no response to the API key sets a cookie',
    },
    {
      id: 'key-in-body',
      title: 'POST /pets with the API key in the body and without an Authorization header returns 401',
      step: 'first-page',
      needs: ['pets'],
      accepts: 'createPet',
      effect: 'write',
      intrusive: true,
      send: sendInBody,
    },
  ],
});
