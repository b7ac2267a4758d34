import type { Fingerprint } from './fingerprint.ts';
import { reasonPhrase, type Traces } from './traces.ts';

/** As http.Error writes, and what is made of it; Go sends no Server header. */
function isPlainError({ contentType, text, header }: Traces): boolean {
  return (
    header('x-content-type-options') === 'nosniff' &&
    header('server') === undefined &&
    contentType === 'text/plain; charset=utf-8' &&
    text.endsWith('\n')
  );
}

export const goNetHttp: readonly Fingerprint[] = [
  {
    product: 'Go net/http',
    writer: "Go's http.NotFound or the ServeMux (chi and Traefik use http.NotFound too)",
    source: 'golang/go, src/net/http/server.go (NotFound, Error, ServeMux.findHandler); go-chi/chi, mux.go (NotFoundHandler)',
    advice:
      'Write Error bodies in place of http.NotFound, and for what no route takes: for the ServeMux a handler of "/", for chi NotFound and MethodNotAllowed',
    matches: (traces) =>
      isPlainError(traces) &&
      ((traces.status === 404 && traces.text.trimEnd() === '404 page not found') ||
        (traces.status === 405 && traces.text.trimEnd() === reasonPhrase(traces))),
  },
  {
    product: 'Go net/http',
    writer: "Go's http.Error",
    source: 'golang/go, src/net/http/server.go (Error)',
    advice: 'Replace http.Error, in handlers and middleware, by a function of your own that writes an Error body as application/json',
    matches: isPlainError,
  },
];
