import type { Fingerprint } from './fingerprint.ts';
import { textMember } from './traces.ts';

export const prism: readonly Fingerprint[] = [
  {
    product: 'Prism',
    writer: 'the mock server Prism',
    source: 'stoplightio/prism, packages/http/src/types.ts, docs/guides/01-mocking.md and docs/guides/06-errors.md',
    advice:
      'This is a mock server: judge the service itself (Prism returns a 401, 422 or 400 that the OpenAPI file describes, and its own for a path that is not in the file)',
    matches: (traces) => textMember(traces, 'type').startsWith('https://stoplight.io/prism/errors#'),
  },
];
