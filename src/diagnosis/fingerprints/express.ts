import type { Fingerprint } from './fingerprint.ts';

export const express: readonly Fingerprint[] = [
  {
    product: 'Express',
    writer: "Express's final handler",
    source: 'pillarjs/finalhandler, index.js',
    advice: 'Register a 404 handler after all routes and, last, an error handler with four parameters (err, req, res, next)',
    matches: ({ text }) => text.includes('<title>Error</title>') && text.includes('<pre>'),
  },
];
