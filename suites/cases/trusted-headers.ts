import type { Credential } from '../../src/session/client/api.ts';
import { type HeaderGroup, IDENTITIES, methodsTo, ORIGINS, pathsTo } from './forwarding-headers.ts';

/** What a browser sends in a CORS preflight request, here on an ordinary request. */
const PREFLIGHT: HeaderGroup = {
  what: 'headers of a CORS preflight request',
  headers: [
    ['origin', 'http://localhost'],
    ['access-control-request-method', 'GET'],
    ['access-control-request-headers', 'authorization'],
  ],
};

/** Headers by which frameworks mark internal requests so that middleware does not run twice. */
const INNER: HeaderGroup = {
  what: 'headers that mark internal requests of a framework',
  headers: [
    ['x-middleware-subrequest', Array.from({ length: 5 }, () => 'middleware').join(':')],
    ['x-requested-with', 'XMLHttpRequest'],
    ['x-purpose', 'preview'],
  ],
};

/** Headers that do not make up for a missing credential. */
export const TRUSTED_HEADERS: readonly HeaderGroup[] = [
  ORIGINS,
  IDENTITIES,
  pathsTo('/health'),
  methodsTo('OPTIONS'),
  methodsTo('HEAD'),
  PREFLIGHT,
  INNER,
];

/** No Authorization header, and headers that a service may trust instead. The document leaves open any response that shows no animal. */
export function trusting({ what, headers }: HeaderGroup): Credential {
  return { note: `no Authorization header, but ${what}`, standing: 'open', headers };
}
