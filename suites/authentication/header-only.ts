import { defineClause } from '../define.ts';
import { elsewhere } from '../shared/credentials.ts';
import { inTurn, judgeRefusal, refusedCreations, refusedLists, refusedReads } from '../shared/refusals.ts';

export const headerOnly = defineClause({
  id: 'auth.header-only',
  chapter: 'authentication',
  section: 'Authentication',
  level: 'required',
  demands: 'The key in a query parameter, in another header or in a cookie is no credential: 401 with an Error body.',
  hint: 'A gateway or framework looks for the key in several places (api_key, X-API-Key, a session cookie). Keys in URLs end in logs.',
  checks: [
    {
      id: 'lists',
      title: 'Lists with the key in a query parameter, another header or a cookie are answered 401',
      step: 'read',
      effect: 'intrusive',
      fault: 'key-in-query-api-key-accepted',
      run: (s) => refusedLists(s, inTurn(elsewhere(s.options.apiKey))),
    },
    {
      id: 'reads',
      title: 'An animal read with the key in a query parameter, another header or a cookie is answered 401',
      step: 'read',
      effect: 'intrusive',
      fault: 'key-in-query-accepted-on-get-only',
      run: (s) => refusedReads(s, elsewhere(s.options.apiKey)),
    },
    {
      id: 'create',
      title: 'POST /pets with a good body and the key elsewhere than in the Authorization header is answered 401',
      step: 'write',
      effect: 'write',
      fault: 'key-in-x-api-key-accepted',
      run: (s) => refusedCreations(s, s.options.intrusive ? elsewhere(s.options.apiKey) : []),
    },
  ],
  invariants: [
    {
      id: 'always',
      title: 'Every request with the key elsewhere and with nothing else wrong is answered 401',
      fault: 'key-in-cookie-accepted',
      judge: judgeRefusal('elsewhere'),
    },
  ],
});
