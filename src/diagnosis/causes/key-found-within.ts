import { REDACTED, type RedactedExchange } from '../../wire/redact.ts';
import type { CauseRule } from '../cause.ts';
import { statusOf } from './reads.ts';

function isAccepted(exchange: RedactedExchange): boolean {
  return statusOf(exchange) >= 200 && statusOf(exchange) < 300;
}

const KEY = REDACTED.replace(/[[\]]/g, '\\$&');
const AMONG = new RegExp(`^(?!Bearer ${KEY}$)(?:.*\\s)?Bearer\\s+${KEY}(?:$|[\\s,=])`);

/** The Authorization header where "Bearer" and the API key are a part of it; undefined otherwise. */
function longerHeader({ requestHeaders }: RedactedExchange): string | undefined {
  const header = requestHeaders.find(([name]) => name === 'authorization')?.[1] ?? '';
  return AMONG.test(header) ? header : undefined;
}

export const keyFoundWithin: CauseRule = {
  id: 'key-found-within',
  title: 'The key is taken out of an Authorization header that may hold more than "Bearer" and the key',
  advice:
    'Compare the whole header with "Bearer " and the key, or reject a header with anything besides (a pattern: ^ and $ at its ends, a split: exactly two parts)',
  clauses: ['auth.wrong-key', 'auth.wrong-scheme'],
  sign: ({ exchange }) => {
    const header = isAccepted(exchange) ? longerHeader(exchange) : undefined;
    return header === undefined ? undefined : `${exchange.method} with Authorization: ${header} returned ${statusOf(exchange)}`;
  },
  // A key that is compared by its beginning, or not at all, lets in more than that, and so does one that any word may stand before.
  suffices: (signs, run) => {
    const shown = new Set(signs.map(({ failure }) => failure));
    return run
      .failed('auth.wrong-key', 'auth.wrong-scheme', 'auth.missing-credential')
      .every((failure) => shown.has(failure) || !isAccepted(failure.exchange));
  },
};
