import type { Fingerprint } from './fingerprint.ts';

const PHRASES = [
  'Failed to parse the request body as JSON',
  'Failed to deserialize the JSON body into the target type',
  'Expected request with `Content-Type: application/json`',
  'Failed to deserialize query string',
  'Invalid URL: Cannot parse ',
];

export const axum: readonly Fingerprint[] = [
  {
    product: 'axum',
    writer: "axum's extractor rejections",
    source: 'tokio-rs/axum, axum/src/extract/rejection.rs and axum/src/extract/path/mod.rs',
    advice:
      'Wrap the extractors (WithRejection of axum-extra, or #[from_request(via(...), rejection(...))]), and return 400 with an Error body',
    validates: true,
    matches: ({ contentType, text }) => contentType.startsWith('text/plain') && PHRASES.some((phrase) => text.startsWith(phrase)),
  },
];
