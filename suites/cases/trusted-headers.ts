import type { Credential } from '../../src/session/client/api.ts';

type Header = readonly [name: string, value: string];

/** Headers that proxies set, or that override the request, and that a service may trust from any client. */
type HeaderGroup = { readonly what: string; readonly headers: readonly Header[] };

const LOCAL = '127.0.0.1';
const USER = 'admin';

export const ORIGINS: HeaderGroup = {
  what: 'headers that claim a local client',
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

/** A path that differs from the request line, and is public in many services. */
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

/** A method that differs from the request line; never one that changes or removes anything. */
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

export const PLAIN_HTTP: HeaderGroup = {
  what: 'headers of a proxy that was reached over plain HTTP',
  headers: [
    ['x-forwarded-proto', 'http'],
    ['x-forwarded-protocol', 'http'],
    ['x-forwarded-scheme', 'http'],
    ['x-forwarded-ssl', 'off'],
    ['x-forwarded-port', '80'],
    ['x-scheme', 'http'],
    ['x-url-scheme', 'http'],
    ['front-end-https', 'off'],
  ],
};

export const FORWARDING_HEADERS: readonly HeaderGroup[] = [ORIGINS, IDENTITIES, pathsTo('/health'), methodsTo('OPTIONS')];

/** What a browser sends in a CORS preflight request, here on an ordinary request. */
const PREFLIGHT: HeaderGroup = {
  what: 'headers of a CORS preflight request',
  headers: [
    ['origin', 'http://localhost'],
    ['access-control-request-method', 'GET'],
    ['access-control-request-headers', 'authorization'],
  ],
};

/** Headers by which frameworks mark internal requests so that middleware does not run twice, and browsers those of the same site. */
const INNER: HeaderGroup = {
  what: 'headers that mark internal requests of a framework, or requests of the same site',
  headers: [
    ['x-middleware-subrequest', Array.from({ length: 5 }, () => 'middleware').join(':')],
    ['x-requested-with', 'XMLHttpRequest'],
    ['x-purpose', 'preview'],
    ['sec-fetch-site', 'same-origin'],
    ['sec-fetch-mode', 'cors'],
    ['sec-fetch-dest', 'empty'],
  ],
};

/** The User-Agent of a health check, which can't send a key. */
function healthCheck(agent: string): HeaderGroup {
  return { what: `the User-Agent ${agent}`, headers: [['user-agent', agent]] };
}

export const TRUSTED_HEADERS: readonly HeaderGroup[] = [
  ORIGINS,
  IDENTITIES,
  pathsTo('/health'),
  methodsTo('OPTIONS'),
  methodsTo('HEAD'),
  PREFLIGHT,
  INNER,
  ...['kube-probe/1.30', 'ELB-HealthChecker/2.0', 'GoogleHC/1.0'].map(healthCheck),
];

/** No Authorization header, and headers that a service may trust instead. The document leaves open any response that shows no animal. */
export function trusting({ what, headers }: HeaderGroup): Credential {
  return { note: `no Authorization header, but ${what}`, standing: 'open', headers };
}
