import type { Fingerprint } from './fingerprint.ts';

export const hapi: readonly Fingerprint[] = [
  {
    product: 'hapi',
    writer: "hapi's Boom errors",
    source:
      'hapijs/boom, lib/index.js (unauthorized, reformat); hapijs/hapi, lib/headers.js, lib/validation.js and API.md (Error transformation)',
    advice: 'Replace Boom errors (request.response.isBoom) in an onPreResponse extension',
    // Fastify writes the first three members too, but no Cache-Control. A scheme adds attributes, a rejected request validation.
    matches: ({ members, header }) =>
      /^statusCode,error,message(?:,attributes|,validation)?$/.test(members) && header('cache-control') === 'no-cache',
  },
];
