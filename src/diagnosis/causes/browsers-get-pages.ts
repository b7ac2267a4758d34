import type { CauseRule } from '../cause.ts';
import { describeExchange } from '../describe.ts';
import { tracesOf } from '../fingerprints/traces.ts';
import type { Failure } from '../run-view.ts';
import { adviceFor } from './advice-for.ts';

const ADVICE: Readonly<Record<string, string>> = {
  'Django REST framework': 'Set DEFAULT_RENDERER_CLASSES in REST_FRAMEWORK to JSONRenderer alone',
  Micronaut:
    'Set micronaut.security.redirect.enabled=false, and write errors in an ErrorResponseProcessor of your own: the default one writes pages',
};

function acceptsPages({ exchange }: Failure): boolean {
  return exchange.requestHeaders.some(([name, value]) => name === 'accept' && value.includes('text/html'));
}

function isPage({ exchange }: Failure): boolean {
  return tracesOf(exchange)?.contentType.startsWith('text/html') === true;
}

function isPageForBrowser(failure: Failure): boolean {
  const isRedirect = [302, 303].includes(tracesOf(failure.exchange)?.status ?? 0);
  return acceptsPages(failure) && (isPage(failure) || isRedirect);
}

export const browsersGetPages: CauseRule = {
  id: 'browsers-get-pages',
  title: 'Clients that accept text/html get pages or redirects instead of JSON',
  advice: (_signs, { products }) =>
    adviceFor(
      products,
      ADVICE,
      'Return JSON whatever the Accept header says: switch off content negotiation, error pages and login redirects for these paths',
    ),
  clauses: ['media.json', 'auth.missing-credential', 'errors.answers'],
  // Who gets pages whatever they accept has another problem.
  suffices: (_signs, { failures }) => !failures.some((failure) => isPage(failure) && !acceptsPages(failure)),
  sign: (failure) => (isPageForBrowser(failure) ? `${describeExchange(failure.exchange)} to a client that accepts text/html` : undefined),
};
