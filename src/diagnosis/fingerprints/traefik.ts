import type { Fingerprint } from './fingerprint.ts';
import { reasonPhrase } from './traces.ts';

export const traefik: readonly Fingerprint[] = [
  {
    product: 'Traefik',
    writer: "Traefik's proxy (or another that is made of Go's reverse proxy)",
    source: 'traefik/traefik, pkg/proxy/httputil/proxy.go (ErrorHandler)',
    advice: 'Add the errors middleware to the router, with a service that writes Error bodies',
    // Its 404 is that of Go's net/http.
    matches: (traces) =>
      [502, 504].includes(traces.status) && traces.contentType === 'text/plain; charset=utf-8' && traces.text === reasonPhrase(traces),
  },
];
