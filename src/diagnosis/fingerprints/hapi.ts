import type { Fingerprint } from './fingerprint.ts';

export const hapi: readonly Fingerprint[] = [
  {
    product: 'hapi',
    writer: "hapi's Boom errors",
    source: 'hapijs/boom, lib/index.js; hapijs/hapi, lib/headers.js',
    advice: 'Rewrite Boom errors in an onPreResponse extension',
    // Fastify writes the same members, but no Cache-Control.
    matches: (traces) => traces.members === 'statusCode,error,message' && traces.header('cache-control') === 'no-cache',
  },
];
