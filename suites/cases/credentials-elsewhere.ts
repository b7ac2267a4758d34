import type { Credential } from '../../src/session/client/api.ts';

const SET_COOKIES = 'the cookies that the service has set';

/** Further places where services look for keys: each list is sent with a single request. */
const QUERY_PARAMETERS = ['access_token', 'api_key', 'apiKey', 'key'];

const OTHER_PARAMETERS = [
  'apikey',
  'api-key',
  'x-api-key',
  'token',
  'auth',
  'auth_token',
  'authToken',
  'bearer',
  'bearer_token',
  'authorization',
];

const OTHER_HEADERS = ['apikey', 'api-key', 'api_key', 'x-access-token', 'x-token', 'token', 'x-session-token'];

const BEARER_HEADERS = ['authentication', 'x-authorization', 'x-forwarded-authorization', 'x-original-authorization'];

const COOKIES = ['token', 'access_token', 'auth_token', 'jwt', 'session', 'Authorization'];

function inQuery(names: readonly string[], key: string): string {
  return names.map((name) => `${name}=${encodeURIComponent(key)}`).join('&');
}

/** The API key anywhere except in the Authorization header. */
export function elsewhere(key: string): readonly Credential[] {
  const none = { standing: 'refused', headers: [] } as const;
  const note = (text: string): string => `the API key ${text}`;
  const cookies = COOKIES.map((name) => `${name}=${encodeURIComponent(key)}`).join('; ');
  const headers: readonly (readonly [name: string, value: string])[] = [
    ['x-api-key', key],
    ['x-auth-token', key],
    ['cookie', `api_key=${encodeURIComponent(key)}`],
    ['proxy-authorization', `Bearer ${key}`],
  ];
  return [
    ...QUERY_PARAMETERS.map((name) => ({ ...none, note: note(`in the query parameter ${name}`), query: inQuery([name], key) })),
    ...headers.map(([name, value]) => ({ ...none, note: note(`in the header ${name}`), headers: [[name, value] as const] })),
    {
      ...none,
      note: note(`in the query parameters ${OTHER_PARAMETERS.join(', ')}`),
      query: inQuery(OTHER_PARAMETERS, key),
    },
    {
      ...none,
      note: note(`in the headers ${[...OTHER_HEADERS, ...BEARER_HEADERS].join(', ')}`),
      headers: [...OTHER_HEADERS.map((name) => [name, key] as const), ...BEARER_HEADERS.map((name) => [name, `Bearer ${key}`] as const)],
    },
    { ...none, note: note(`in the cookies ${COOKIES.join(', ')}`), headers: [['cookie', cookies]] },
  ];
}

/** No Authorization header, but the key among the members of the body. */
export const IN_BODY: Credential = { note: 'the API key in the body', standing: 'refused', headers: [] };

/** No Authorization header, but the cookies that responses to the API key have set. */
export function cookieCredential(cookies: readonly string[]): Credential {
  return {
    note: SET_COOKIES,
    standing: 'refused',
    headers: [['cookie', cookies.join('; ')]],
  };
}
