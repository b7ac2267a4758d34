import type { Fingerprint } from './fingerprint.ts';

const PHRASES = ['upstream connect error or disconnect/reset before headers', 'no healthy upstream', 'RBAC: access denied', 'Jwt '];

export const envoy: readonly Fingerprint[] = [
  {
    product: 'Envoy',
    writer: "Envoy's local replies",
    source: 'envoyproxy/envoy, source/common/router/router.cc; envoyproxy.io, Local reply modification',
    advice: 'Set local_reply_config with a json_format of code, message and status',
    matches: ({ text, header }) => header('server')?.includes('envoy') === true && PHRASES.some((phrase) => text.startsWith(phrase)),
  },
];
