import type { Credential } from '../../src/session/client/api.ts';

type Header = readonly [name: string, value: string];

/** Headers that proxies set, or that ask for another request than the one that was sent, and that a service may trust from anybody. */
export type HeaderGroup = { readonly what: string; readonly headers: readonly Header[] };

const LOCAL = '127.0.0.1';
const USER = 'admin';

/** Where the request says that it comes from. */
const ORIGINS: HeaderGroup = {
  what: 'headers that call the client the machine itself',
  headers: [
    ['forwarded', `for=${LOCAL};host=localhost;proto=https`],
    ['x-forwarded-host', 'localhost'],
    ['x-forwarded-server', 'localhost'],
    ['x-client-ip', LOCAL],
    ['client-ip', LOCAL],
    ['true-client-ip', LOCAL],
    ['cf-connecting-ip', LOCAL],
    ['x-cluster-client-ip', LOCAL],
    ['x-originating-ip', LOCAL],
    ['x-remote-ip', LOCAL],
    ['x-remote-addr', LOCAL],
    ['x-custom-ip-authorization', LOCAL],
  ],
};

/** Whom a proxy in front claims to have authenticated. */
const IDENTITIES: HeaderGroup = {
  what: 'headers of a proxy that has authenticated the client',
  headers: [
    ['x-forwarded-user', USER],
    ['x-remote-user', USER],
    ['remote-user', USER],
    ['x-webauth-user', USER],
    ['x-auth-request-user', USER],
    ['x-authenticated-user', USER],
    ['x-authenticated-userid', USER],
    ['x-user-id', '1'],
    ['x-consumer-username', USER],
    ['x-consumer-id', '1'],
    ['x-credential-identifier', USER],
    ['x-ssl-client-verify', 'SUCCESS'],
    ['x-client-verify', 'SUCCESS'],
    ['x-internal-request', 'true'],
    ['x-envoy-internal', 'true'],
  ],
};

/** Another path than the one in the request line: one that is public in many services. */
function pathsTo(target: string): HeaderGroup {
  return {
    what: `headers that name ${target} as the path`,
    headers: [
      ['x-original-url', target],
      ['x-original-uri', target],
      ['x-original-path', target],
      ['x-rewrite-url', target],
      ['x-forwarded-uri', target],
      ['x-forwarded-path', target],
      ['x-forwarded-prefix', target],
      ['x-envoy-original-path', target],
    ],
  };
}

/** Another method than the one in the request line: never one that changes or removes anything. */
function methodsTo(method: 'OPTIONS' | 'HEAD'): HeaderGroup {
  return {
    what: `headers that name ${method} as the method`,
    headers: [
      ['x-http-method-override', method],
      ['x-http-method', method],
      ['x-method-override', method],
      ['x-forwarded-method', method],
      ['x-original-method', method],
    ],
  };
}

/** What a browser sends before a request of another origin, on a request that is none of these. */
const PREFLIGHT: HeaderGroup = {
  what: 'headers of a CORS preflight request',
  headers: [
    ['origin', 'http://localhost'],
    ['access-control-request-method', 'GET'],
    ['access-control-request-headers', 'authorization'],
  ],
};

/** What frameworks mark their own inner requests with, so that middleware does not run twice. */
const INNER: HeaderGroup = {
  what: 'headers that mark the inner requests of a framework',
  headers: [
    ['x-middleware-subrequest', Array.from({ length: 5 }, () => 'middleware').join(':')],
    ['x-requested-with', 'XMLHttpRequest'],
    ['x-purpose', 'preview'],
  ],
};

/** Headers without which a request has no credential, and with which it has none either. */
export const TRUSTED_HEADERS: readonly HeaderGroup[] = [
  ORIGINS,
  IDENTITIES,
  pathsTo('/health'),
  methodsTo('OPTIONS'),
  methodsTo('HEAD'),
  PREFLIGHT,
  INNER,
];

/** The most common ones. */
export const FORWARDING_HEADERS: readonly HeaderGroup[] = [ORIGINS, IDENTITIES, pathsTo('/health'), methodsTo('OPTIONS')];

/** No Authorization header, and headers that a service may trust instead. What else comes back than an animal is open. */
export function trusting({ what, headers }: HeaderGroup): Credential {
  return { note: `no credential: ${what}`, standing: 'open', headers };
}

/** Spellings of `/pets` that a router may read as it, and a middleware that compares paths may not. */
export const LIST_PATHS: readonly string[] = [
  '/pets/',
  '//pets',
  '/./pets',
  '/pets/.',
  '/x/../pets',
  '/x/..;/pets',
  '/;/pets',
  '/pets;v=1',
  '/pets;/',
  '/%70ets',
  '/%2570ets',
  '/pets%2f',
  '/pets%00',
  '/PETS',
  '/pets.json',
];

/** Spellings of `/pets/{petId}` that a router may read as it. */
export function readPaths(id: bigint): readonly string[] {
  const digits = String(id);
  const encoded = [...digits].map((digit) => `%${digit.charCodeAt(0).toString(16)}`).join('');
  return [
    `/pets/${digits}/`,
    `//pets/${digits}`,
    `/pets//${digits}`,
    `/./pets/${digits}`,
    `/pets/./${digits}`,
    `/pets/${digits};v=1`,
    `/%70ets/${digits}`,
    `/pets/${encoded}`,
    `/pets/%20${digits}`,
    `/Pets/${digits}`,
    `/pets/${digits}.json`,
  ];
}

/** Spellings of `/pets` that a creation is sent to. */
export const CREATE_PATHS: readonly string[] = ['/pets/', '//pets', '/%70ets', '/pets;v=1'];
