import type { Fingerprint } from './fingerprint.ts';

const PHRASES = ['upstream connect error or disconnect/reset before headers', 'no healthy upstream', 'RBAC: access denied', 'Jwt '];

export const envoy: readonly Fingerprint[] = [
  {
    product: 'Envoy',
    writer: "Envoy's local replies",
    source: 'envoyproxy/envoy, source/common/router/router.cc and docs/root/configuration/http/http_conn_man/local_reply.rst',
    advice:
      'Set local_reply_config of the HTTP connection manager: a body_format with a json_format of code, message and status, and mappers where the code differs by status',
    matches: ({ text, header }) => header('server')?.includes('envoy') === true && PHRASES.some((phrase) => text.startsWith(phrase)),
  },
];
