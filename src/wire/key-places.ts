// Places other than the Authorization header at which services look for keys: the suite sends the key there, and reports mask it.

export type KeyPlace = { readonly kind: 'query parameter' | 'header' | 'cookie'; readonly name: string; readonly bearer?: true };

const places = (kind: KeyPlace['kind'], names: readonly string[]): readonly KeyPlace[] => names.map((name) => ({ kind, name }));
const bearers = (names: readonly string[]): readonly KeyPlace[] => names.map((name) => ({ kind: 'header', name, bearer: true }));

export const COMMON_PLACES: readonly KeyPlace[] = [
  ...places('query parameter', ['access_token', 'api_key', 'apiKey', 'key']),
  ...places('header', ['x-api-key', 'x-auth-token']),
  ...places('cookie', ['api_key']),
  ...bearers(['proxy-authorization']),
];

/** As many at a time as a request has room for. */
export const RARER_PLACES: readonly (readonly KeyPlace[])[] = [
  places('query parameter', [
    ...['apikey', 'api-key', 'x-api-key', 'token', 'auth', 'auth_token', 'authToken', 'bearer', 'bearer_token', 'authorization'],
    ...['api_token', 'apiToken', 'accessToken', 'auth_key', 'app_key', 'subscription-key', 'id_token', 'jwt', 'session', 'secret'],
  ]),
  [
    ...places('header', ['apikey', 'api-key', 'api_key', 'x-access-token', 'x-token', 'token', 'x-session-token']),
    ...places('header', ['x-auth', 'x-auth-key', 'x-api-token', 'api-token', 'x-app-key', 'x-functions-key', 'ocp-apim-subscription-key']),
    ...bearers(['authentication', 'x-authorization', 'x-forwarded-authorization', 'x-original-authorization']),
    ...bearers(['x-amzn-remapped-authorization', 'grpc-metadata-authorization']),
  ],
  places('cookie', ['token', 'access_token', 'auth_token', 'jwt', 'session', 'Authorization', 'apikey', 'api_token', 'id_token']),
];

const ALL: readonly KeyPlace[] = [...COMMON_PLACES, ...RARER_PLACES.flat()];

export const namesOfPlaces = (kind: KeyPlace['kind']): readonly string[] =>
  ALL.flatMap((place) => (place.kind === kind ? [place.name] : []));
