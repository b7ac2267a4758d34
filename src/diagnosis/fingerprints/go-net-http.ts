import type { Fingerprint } from './fingerprint.ts';
import { reasonPhrase } from './traces.ts';

export const goNetHttp: readonly Fingerprint[] = [
  {
    product: 'Go net/http',
    writer: "the router of Go's net/http (or of Traefik, which uses it)",
    source: 'golang/go, src/net/http/server.go (NotFound, Error, ServeMux)',
    advice: 'Wrap the ServeMux: give it a handler for "/", and write Error bodies for 404 and 405',
    matches: (traces) =>
      traces.header('x-content-type-options') === 'nosniff' &&
      traces.contentType === 'text/plain; charset=utf-8' &&
      ['404 page not found', reasonPhrase(traces)].includes(traces.text.trimEnd()) &&
      traces.text.endsWith('\n'),
  },
];
