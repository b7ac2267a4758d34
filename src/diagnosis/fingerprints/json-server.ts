import type { Fingerprint } from './fingerprint.ts';

export const jsonServer: readonly Fingerprint[] = [
  {
    product: 'json-server',
    writer: 'the mock server json-server',
    source: 'typicode/json-server v0.17, src/server/router/index.js and src/server/defaults.js',
    advice: 'This is a mock server: judge the service itself',
    matches: (traces) =>
      traces.status === 404 &&
      traces.text === '{}' &&
      traces.header('x-powered-by') === 'Express' &&
      traces.header('access-control-allow-credentials') === 'true',
  },
];
