import type { CauseRule } from '../cause.ts';
import { describeExchange, hasValidKey } from '../describe.ts';
import type { Failure } from '../run-view.ts';
import { adviceFor } from './advice-for.ts';
import { statusOf } from './reads.ts';

const ADVICE: Readonly<Record<string, string>> = {
  Hono: 'Check the header in a middleware of your own, which sends WWW-Authenticate: Bearer too: bearerAuth returns 400 for a header that it cannot read',
  'Spring Boot': 'Set an authenticationEntryPoint that returns 401: Spring Security returns 403 without one',
  'Django REST framework': 'Give the authentication class an authenticate_header: without one the framework returns 403',
  FastAPI: 'Use HTTPBearer(auto_error=False) and raise 401 yourself',
};

const isMissing = ({ clause }: Failure): boolean => clause.id === 'auth.missing-credential';

/** Missing, wrong or malformed credentials that get 400 or 403. */
export const credentialsRejectedOtherwise: CauseRule = {
  id: 'credentials-rejected-otherwise',
  title: (signs) =>
    `The authentication layer returns ${[...new Set(signs.map(({ failure }) => statusOf(failure.exchange)))].join(' or ')} where the document says 401`,
  advice: (_signs, { products }) =>
    adviceFor(products, ADVICE, 'Let the authentication layer return 401 for missing, wrong, and malformed credentials alike'),
  clauses: ['auth.missing-credential', 'auth.wrong-key', 'auth.wrong-scheme', 'auth.precedence', 'auth.header-only'],
  sign: ({ exchange }) => (!hasValidKey(exchange) && [400, 403].includes(statusOf(exchange)) ? describeExchange(exchange) : undefined),
  // With precedence alone it is the order that is wrong.
  suffices: (signs) =>
    signs.some(({ failure }) => isMissing(failure) || ['auth.wrong-key', 'auth.wrong-scheme'].includes(failure.clause.id)),
};
