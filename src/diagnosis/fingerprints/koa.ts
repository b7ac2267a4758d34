import type { Fingerprint } from './fingerprint.ts';
import { reasonPhrase } from './traces.ts';

export const koa: readonly Fingerprint[] = [
  {
    product: 'Koa',
    writer: 'Koa, or another framework that sends the reason phrase alone',
    source: 'koajs/koa, lib/context.js (onerror) and lib/application.js (respond)',
    advice: 'Put a middleware first that catches what the others throw and writes Error bodies, for a missing route too',
    ambiguous: true,
    matches: (traces) => traces.contentType === 'text/plain; charset=utf-8' && traces.text === reasonPhrase(traces),
  },
];
