import type { Fingerprint } from './fingerprint.ts';
import { reasonPhrase } from './traces.ts';

export const express: readonly Fingerprint[] = [
  {
    product: 'Express',
    writer: "Express's final handler",
    source: 'pillarjs/finalhandler, index.js',
    advice: 'Register a 404 handler after all routes and, last, an error handler with four parameters (err, req, res, next)',
    matches: ({ text }) => text.includes('<title>Error</title>') && text.includes('<pre>'),
  },
  {
    product: 'Express',
    writer: "Express's res.sendStatus",
    source: 'expressjs/express, lib/response.js (sendStatus)',
    advice: 'Replace res.sendStatus by res.status and res.json with an Error body',
    matches: (traces) =>
      traces.header('x-powered-by') === 'Express' &&
      traces.contentType === 'text/plain; charset=utf-8' &&
      traces.text === reasonPhrase(traces),
  },
];
