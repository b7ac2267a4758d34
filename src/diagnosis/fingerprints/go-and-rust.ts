// Frameworks of Go and Rust.
import type { Fingerprint } from './fingerprint.ts';
import { reasonPhrase, type Traces, textMember } from './traces.ts';

export const gin: readonly Fingerprint[] = [
  {
    product: 'gin',
    writer: "gin's router",
    source: 'gin-gonic/gin, gin.go (default404Body, default405Body)',
    advice: 'Set NoRoute and NoMethod, and HandleMethodNotAllowed to true',
    matches: ({ contentType, text }) => contentType === 'text/plain' && ['404 page not found', '405 method not allowed'].includes(text),
  },
  {
    product: 'gin',
    writer: "gin's BindJSON, which sets the media type of the 400 before the handler writes its body",
    source: 'gin-gonic/gin, context.go (MustBindWith, AbortWithError)',
    advice: 'Call ShouldBindJSON in place of BindJSON, and write the response yourself',
    matches: ({ status, contentType, text }) =>
      status === 400 &&
      contentType === 'text/plain; charset=utf-8' &&
      /Field validation for|json: cannot unmarshal|invalid character '|unexpected EOF|"EOF"/.test(text),
  },
];

/** The output of http.Error, and bodies derived from it; Go sends no Server header. */
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

/** KeyAuth of v4 and of v5, and echo-jwt. */
const ECHO_PHRASES = [
  ...['missing key in request header', 'invalid key in the request header', 'missing key'],
  ...['missing or malformed jwt', 'invalid or expired jwt'],
];

export const echo: readonly Fingerprint[] = [
  {
    product: 'Echo',
    writer: "Echo's default HTTP error handler",
    source: 'labstack/echo, echo.go (DefaultHTTPErrorHandler), json.go and middleware/key_auth.go; labstack/echo-jwt, jwt.go',
    advice: 'Set e.HTTPErrorHandler to a function that writes Error bodies',
    // Its encoder ends a body with a line feed, unlike the gateways that write the same member.
    matches: (traces) =>
      traces.members === 'message' &&
      traces.text.endsWith('\n') &&
      [...ECHO_PHRASES, reasonPhrase(traces)].includes(textMember(traces, 'message')),
  },
];

const AXUM_PHRASES = [
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
    matches: ({ contentType, text }) => contentType.startsWith('text/plain') && AXUM_PHRASES.some((phrase) => text.startsWith(phrase)),
  },
];

const ACTIX_PHRASES = [
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
    matches: ({ contentType, text }) => contentType.startsWith('text/plain') && ACTIX_PHRASES.some((phrase) => text.startsWith(phrase)),
  },
];
