import type { CauseRule } from '../cause.ts';
import { describeExchange } from '../describe.ts';
import { tracesOf } from '../fingerprints/traces.ts';
import type { Failure } from '../run-view.ts';

function isPageForBrowser({ exchange }: Failure): boolean {
  const accept = exchange.requestHeaders.find(([name]) => name === 'accept')?.[1] ?? '';
  const traces = tracesOf(exchange);
  return (
    accept.includes('text/html') &&
    traces !== undefined &&
    (traces.contentType.startsWith('text/html') || [302, 303].includes(traces.status))
  );
}

export const browsersGetPages: CauseRule = {
  id: 'browsers-get-pages',
  title: 'Clients that accept text/html get pages or redirects instead of JSON',
  advice: 'Return JSON whatever the Accept header says: switch off content negotiation, error pages and login redirects for these paths',
  clauses: ['media.json', 'auth.missing-credential', 'errors.answers'],
  sign: (failure) => (isPageForBrowser(failure) ? `${describeExchange(failure.exchange)} to a client that accepts text/html` : undefined),
};
