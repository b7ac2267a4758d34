import type { Call } from '../../core/parts.ts';
import { Problem } from '../../core/problem.ts';
import { FEW, faultsOf, WRITES } from '../fault.ts';
import { rewriteIf } from '../helpers/replies.ts';
import { header, reject } from '../helpers/requests.ts';

function forbidIf(condition: (call: Call) => boolean) {
  return reject(({ call }) => (condition(call) ? new Problem(403, 'forbidden', 'This client is not welcome') : undefined));
}

/** Clients that are rejected, or served differently, because of what they are. */
export const mediaAnyClient = faultsOf('media.any-client', {
  'user-agent-missing-forbidden': [
    'The firewall forbids requests without a User-Agent.',
    forbidIf((call) => header(call, 'user-agent') === ''),
  ],
  'curl-forbidden': ['The firewall treats curl as an attack.', forbidIf((call) => header(call, 'user-agent').startsWith('curl/'))],
  'browser-sent-to-login': [
    'Browsers are redirected to the login page.',
    rewriteIf(
      (reply, { call }) => reply.status === 200 && header(call, 'user-agent').startsWith('Mozilla/'),
      () => ({ status: 302, headers: { location: '/login' }, body: '' }),
    ),
  ],
  'wildcard-subtype-not-acceptable': [
    'application/* does not match any type that the framework writes: 406.',
    reject((context) =>
      header(context.call, 'accept') === 'application/*' ? new Problem(406, 'not_acceptable', 'Accept application/json') : undefined,
    ),
  ],
  'forwarded-host-rejected': [
    'X-Forwarded-Host is trusted as the host, and unlisted hosts return 400.',
    reject(({ call }) =>
      header(call, 'x-forwarded-host') === '' ? undefined : new Problem(400, 'disallowed_host', 'The host is not allowed'),
    ),
  ],
  'overridden-method-honored': [
    'X-HTTP-Method-Override turns any request into one of another method.',
    rewriteIf(
      (_reply, { call }) => header(call, 'x-http-method-override') === 'OPTIONS',
      () => ({ status: 204, headers: { allow: 'GET, POST' }, body: '' }),
    ),
    FEW,
  ],
  'plain-proxy-redirected': [
    'X-Forwarded-Proto is trusted from any client, and http is sent to https.',
    rewriteIf(
      (_reply, { call }) => header(call, 'x-forwarded-proto') === 'http',
      () => ({ status: 301, headers: { location: 'https://pets.example/v1/pets' }, body: '' }),
    ),
    FEW,
  ],
  'tenant-of-forwarded-user': [
    'X-Forwarded-User selects the tenant: others see an empty store.',
    rewriteIf(
      (reply, { call }) => reply.status === 200 && header(call, 'x-forwarded-user') !== '',
      () => ({ body: '[]' }),
    ),
    FEW,
  ],
  'chunked-body-needs-length': [
    'The proxy requires a Content-Length: a chunked body returns 411.',
    reject(({ call }) =>
      header(call, 'transfer-encoding') === 'chunked' ? new Problem(411, 'length_required', 'Content-Length is missing') : undefined,
    ),
    WRITES,
  ],
});
