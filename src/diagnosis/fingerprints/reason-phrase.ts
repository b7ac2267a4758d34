import type { Fingerprint } from './fingerprint.ts';
import { reasonPhrase } from './traces.ts';

export const reasonPhraseAlone: readonly Fingerprint[] = [
  {
    product: undefined,
    writer: 'a framework that sends the reason phrase alone',
    source: 'koajs/koa, lib/context.js (onerror) and lib/application.js (respond), and others',
    advice: 'Write Error bodies in the outermost handler or middleware, for what others throw and for a missing route',
    matches: (traces) => traces.contentType === 'text/plain; charset=utf-8' && traces.text === reasonPhrase(traces),
  },
];
