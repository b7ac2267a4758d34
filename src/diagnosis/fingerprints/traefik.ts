import type { Fingerprint } from './fingerprint.ts';
import { reasonPhrase } from './traces.ts';

export const traefik: readonly Fingerprint[] = [
  {
    product: undefined,
    writer: 'a proxy that sends the reason phrase alone, as Traefik does',
    source: 'traefik/traefik, pkg/proxy/httputil/proxy.go (ErrorHandler); doc.traefik.io, Errors middleware',
    advice: 'Let the proxy write Error bodies where it gets no response (Traefik: the errors middleware, with a service that returns them)',
    // Its 404 is that of Go's net/http. A framework that passes on such an error writes the same.
    matches: (traces) =>
      [502, 504].includes(traces.status) && traces.contentType === 'text/plain; charset=utf-8' && traces.text === reasonPhrase(traces),
  },
];
