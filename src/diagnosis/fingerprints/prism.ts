import type { Fingerprint } from './fingerprint.ts';
import { textMember } from './traces.ts';

export const prism: readonly Fingerprint[] = [
  {
    product: 'Prism',
    writer: 'the mock server Prism',
    source: 'stoplightio/prism, packages/http/src/router/errors.ts and docs/guides/errors.md',
    advice: 'This is a mock server: judge the service itself, or describe Error responses in the OpenAPI file that Prism serves',
    matches: (traces) => textMember(traces, 'type').startsWith('https://stoplight.io/prism/errors#'),
  },
];
