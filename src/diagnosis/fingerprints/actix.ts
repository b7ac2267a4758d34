import type { Fingerprint } from './fingerprint.ts';

const PHRASES = [
  'Json deserialize error: ',
  'Query deserialize error: ',
  'Path deserialize error: ',
  'Content type error',
  'can not parse ',
];

export const actix: readonly Fingerprint[] = [
  {
    product: 'Actix Web',
    writer: "Actix Web's extractor errors",
    source: 'actix/actix-web, actix-web/src/error/mod.rs and actix-router/src/de.rs',
    advice: 'Set error_handler on JsonConfig, QueryConfig and PathConfig, and default_service for what no route takes',
    matches: ({ contentType, text }) => contentType.startsWith('text/plain') && PHRASES.some((phrase) => text.startsWith(phrase)),
  },
];
