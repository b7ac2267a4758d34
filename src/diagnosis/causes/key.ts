// Causes about the API key, and when it is checked. That nothing can be judged at an address or with a key, the first contact says.
import { isSuccess } from '../../wire/exchange.ts';
import { REDACTED } from '../../wire/redact.ts';
import type { RedactedExchange } from '../../wire/redacted-exchange.ts';
import { adviceFor, type CauseRule, type Failure } from '../cause.ts';
import { describeExchange, hasValidKey, statusOf } from '../exchanges.ts';

const REJECTION_ADVICE: Readonly<Record<string, string>> = {
  Hono: 'Check the header in a middleware of your own, which sends WWW-Authenticate: Bearer too: bearerAuth returns 400 for a header that it cannot read',
  'Spring Boot': 'Set an authenticationEntryPoint that returns 401: Spring Security returns 403 without one',
  'Django REST framework': 'Give the authentication class an authenticate_header: without one the framework returns 403',
  FastAPI: 'Use HTTPBearer(auto_error=False) and raise 401 yourself',
};

const isMissing = ({ clause }: Failure): boolean => clause.id === 'auth.missing-credential';

export const credentialsRejectedOtherwise: CauseRule = {
  id: 'credentials-rejected-otherwise',
  title: (signs) =>
    `The authentication layer returns ${[...new Set(signs.map(({ failure }) => statusOf(failure.exchange)))].join(' or ')} where the document says 401`,
  advice: (_signs, { products }) =>
    adviceFor(products, REJECTION_ADVICE, 'Let the authentication layer return 401 for missing, wrong, and malformed credentials alike'),
  clauses: ['auth.missing-credential', 'auth.wrong-key', 'auth.wrong-scheme', 'auth.precedence', 'auth.header-only'],
  sign: ({ exchange }) => (!hasValidKey(exchange) && [400, 403].includes(statusOf(exchange)) ? describeExchange(exchange) : undefined),
  // If only precedence is broken, the order is wrong.
  suffices: (signs) =>
    signs.some(({ failure }) => isMissing(failure) || ['auth.wrong-key', 'auth.wrong-scheme'].includes(failure.clause.id)),
};

const ORDER_ADVICE: Readonly<Record<string, string>> = {
  Fastify:
    'Verify the key in an onRequest hook, and in frameworkErrors as well: preHandler runs after the body was parsed and validated, and no hook runs for a path that the router itself rejects',
  Express: 'Register the authentication middleware before express.json() and before the routes',
  NestJS:
    'Verify the key in a function that main.ts gives to app.use before any body parser: parsers run before guards, and before the middleware of modules',
  Flask: 'Verify the key in app.before_request: that of a blueprint runs only where one of its routes matches',
  FastAPI: 'Verify the key in a middleware: the body is read and validated together with the dependencies',
  'Spring Boot': 'Verify the key in a filter of the security chain, before the DispatcherServlet',
};

function isAccepted(exchange: RedactedExchange): boolean {
  return isSuccess(statusOf(exchange));
}

export const validatedBeforeAuthenticated: CauseRule = {
  id: 'validated-before-authenticated',
  title: 'Requests are validated before they are authenticated',
  advice: (_signs, { products }) =>
    adviceFor(
      products,
      ORDER_ADVICE,
      'Authenticate first, in a middleware or a filter: before routing to a handler, before the body is read and before parameters are parsed',
    ),
  clauses: ['auth.precedence'],
  sign: ({ exchange }) => {
    const status = statusOf(exchange);
    return !hasValidKey(exchange) && status >= 400 && status < 500 && ![401, 403, 429].includes(status)
      ? describeExchange(exchange)
      : undefined;
  },
  // If requests without credentials are accepted or get another status, or wrong keys are accepted, the order is not what is wrong. A header
  // that holds more than the key is a defect of its own.
  suffices: (_signs, run) =>
    run.failed('auth.missing-credential').length === 0 &&
    !run
      .failed('auth.wrong-key', 'auth.wrong-scheme', 'auth.every-request')
      .some(({ exchange }) => isAccepted(exchange) && longerHeader(exchange) === undefined),
};

const KEY = REDACTED.replace(/[[\]]/g, '\\$&');
const AMONG = new RegExp(`^(?!Bearer ${KEY}$)(?:.*\\s)?Bearer\\s+${KEY}(?:$|[\\s,=])`);

/** The Authorization header if it contains more than "Bearer" and the API key; undefined otherwise. */
function longerHeader({ requestHeaders }: RedactedExchange): string | undefined {
  const header = requestHeaders.find(([name]) => name === 'authorization')?.[1] ?? '';
  return AMONG.test(header) ? header : undefined;
}

export const keyFoundWithin: CauseRule = {
  id: 'key-found-within',
  title: 'The key is taken out of an Authorization header that may hold more than "Bearer" and the key',
  advice:
    'Trim the value of the header, because not every server does, and compare all of it with "Bearer " and the key, or reject a header with anything besides (a pattern: ^ and $ at its ends, a split: exactly two parts)',
  clauses: ['auth.wrong-key', 'auth.wrong-scheme'],
  sign: ({ exchange }) => {
    const header = isAccepted(exchange) ? longerHeader(exchange) : undefined;
    return header === undefined ? undefined : `${exchange.method} with Authorization: ${header} returned ${statusOf(exchange)}`;
  },
  // A service that compares only the beginning of the key, or does not compare it, accepts more than that; so does one that accepts any
  // word before it.
  suffices: (signs, run) => {
    const shown = new Set(signs.map(({ failure }) => failure));
    return run
      .failed('auth.wrong-key', 'auth.wrong-scheme', 'auth.missing-credential')
      .every((failure) => shown.has(failure) || !isAccepted(failure.exchange));
  },
};
