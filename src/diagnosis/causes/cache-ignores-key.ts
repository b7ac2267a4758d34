import type { CauseRule } from '../cause.ts';
import { describeExchange, hasValidKey } from '../describe.ts';
import type { Failure, RunView } from '../run-view.ts';
import { bodyOf, statusOf } from './reads.ts';

const CREDENTIALS = ['auth.every-request', 'auth.missing-credential', 'auth.wrong-key', 'auth.wrong-scheme', 'auth.header-only'] as const;
const STALE = ['list.complete', 'list.filter-complete', 'deprecation.replacement'] as const;

const isCredentials = ({ clause }: Failure): boolean => CREDENTIALS.some((id) => id === clause.id);

/** A response to nobody that is, to the byte, the one that the key got at the same address before. */
function isRepeated({ finding, exchange }: Failure): boolean {
  return finding.exchanges.some(
    (earlier) => hasValidKey(earlier) && earlier.url === exchange.url && bodyOf(earlier) !== '' && bodyOf(earlier) === bodyOf(exchange),
  );
}

/** What caches say of themselves (RFC 9111, section 5.1; X-Cache of CDNs). */
function saysCached({ exchange: { answer } }: Failure): boolean {
  if (answer.kind === 'failed') return false;
  return answer.headers.some(
    ([name, value]) => (name === 'age' && value !== '0') || (/^(?:x-cache|cf-cache-status)$/.test(name) && /hit/i.test(value)),
  );
}

function isCache(signs: readonly { readonly failure: Failure }[], run: RunView): boolean {
  const letIn = signs.map(({ failure }) => failure).filter(isCredentials);
  const everyRequest = letIn.filter(({ clause }) => clause.id === 'auth.every-request');
  if (letIn.some(({ exchange }) => exchange.method === 'POST')) return false;
  return everyRequest.length > 0 && everyRequest.every(isRepeated) && (letIn.some(saysCached) || run.failed(...STALE).length > 0);
}

/** A cache in front of the service that gives what the key was shown to whoever asks next. */
export const cacheIgnoresKey: CauseRule = {
  id: 'cache-ignores-key',
  title: 'A cache gives responses for the API key to requests without it',
  advice:
    'Send Cache-Control: private, no-store (or Vary: Authorization), and let the cache bypass requests with Authorization (RFC 9111, section 3.5)',
  clauses: [...CREDENTIALS, ...STALE],
  sign: (failure) => {
    const { exchange } = failure;
    const letIn = isCredentials(failure) && !hasValidKey(exchange) && statusOf(exchange) === 200;
    return letIn || STALE.some((id) => id === failure.clause.id) ? describeExchange(exchange) : undefined;
  },
  suffices: isCache,
};
