import type { Fingerprint } from './fingerprint.ts';
import { isRecord, reasonPhrase } from './traces.ts';

export const hono: readonly Fingerprint[] = [
  {
    product: 'Hono',
    writer: "Hono's default not-found handler",
    source: 'honojs/hono, src/hono-base.ts',
    advice: 'Set app.notFound to a handler that writes Error bodies',
    matches: ({ contentType, text }) => text === '404 Not Found' && contentType === 'text/plain; charset=UTF-8',
  },
  {
    product: 'Hono',
    writer: "Hono's HTTPException",
    source: 'honojs/hono, src/http-exception.ts and src/middleware/bearer-auth/index.ts',
    advice: 'Set app.onError to a handler that turns HTTPException into Error bodies',
    matches: (traces) =>
      traces.contentType === 'text/plain;charset=UTF-8' && [reasonPhrase(traces), 'Malformed JSON in request body'].includes(traces.text),
  },
  {
    product: 'Hono',
    writer: '@hono/zod-validator',
    source: 'honojs/middleware, packages/zod-validator/src/index.ts',
    advice: 'Give zValidator a third argument, the hook that writes the response when validation fails',
    matches: ({ json, members }) =>
      members === 'success,error' && isRecord(json) && isRecord(json['error']) && json['error']['name'] === 'ZodError',
  },
];
