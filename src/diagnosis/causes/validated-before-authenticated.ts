import type { CauseRule } from '../cause.ts';
import { describeExchange, hasValidKey } from '../describe.ts';
import { adviceFor } from './advice-for.ts';
import { statusOf } from './reads.ts';

const ADVICE: Readonly<Record<string, string>> = {
  Fastify: 'Verify the key in an onRequest hook: preHandler runs after the body was parsed and validated',
  Express: 'Register the authentication middleware before express.json() and before the routes',
  NestJS:
    'Verify the key in a function that main.ts gives to app.use before any body parser: parsers run before guards, and before the middleware of modules',
  Flask: 'Verify the key in app.before_request: that of a blueprint runs only where one of its routes matches',
  FastAPI: 'Verify the key in a middleware: the body is read and validated together with the dependencies',
  'Spring Boot': 'Verify the key in a filter of the security chain, before the DispatcherServlet',
};

function isAccepted(exchange: Parameters<typeof statusOf>[0]): boolean {
  return statusOf(exchange) >= 200 && statusOf(exchange) < 300;
}

export const validatedBeforeAuthenticated: CauseRule = {
  id: 'validated-before-authenticated',
  title: 'Requests are validated before they are authenticated',
  advice: (_signs, { products }) =>
    adviceFor(
      products,
      ADVICE,
      'Authenticate first, in a middleware or a filter: before routing to a handler, before the body is read and before parameters are parsed',
    ),
  clauses: ['auth.precedence'],
  sign: ({ exchange }) => {
    const status = statusOf(exchange);
    return !hasValidKey(exchange) && status >= 400 && status < 500 && ![401, 403, 429].includes(status)
      ? describeExchange(exchange)
      : undefined;
  },
  // Where requests without credentials are let in or get another status, or wrong keys are accepted, the order is not what is wrong.
  suffices: (_signs, run) =>
    run.failed('auth.missing-credential').length === 0 &&
    !run.failed('auth.wrong-key', 'auth.wrong-scheme', 'auth.every-request').some(({ exchange }) => isAccepted(exchange)),
};
