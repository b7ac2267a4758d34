import type { PassingCheck } from '../clause/run-record.ts';
import type { OpenSession } from '../session/open-session.ts';
import type { RedactedExchange } from '../wire/redact.ts';

/** The number of different requests of a check that are kept. */
const MOST_OF_A_CHECK = 10;
/** The number of exchanges of a run that are kept: a few kilobytes each, in every report of the run. */
const MOST = 1_000;

type Kept = { readonly exchanges: Map<string, RedactedExchange>; readonly leftOut: Set<string> };

/** What makes requests equal: everything except the trace. */
function requestOf({ method, url, requestHeaders, requestBody, credential }: RedactedExchange): string {
  return JSON.stringify([method, url, requestHeaders, requestBody, credential]);
}

/**
 * Keeps the exchanges of checks while a session is judged: the first different requests of each, and the last of equal ones, because a
 * service may take time to show what it has stored.
 */
export function keepExchanges(open: OpenSession, checks: ReadonlySet<string>): { kept(): readonly PassingCheck[] } {
  const byCheck = new Map<string, Kept>();
  let total = 0;

  function keep(check: string, exchange: RedactedExchange): void {
    const kept = byCheck.get(check) ?? { exchanges: new Map<string, RedactedExchange>(), leftOut: new Set<string>() };
    byCheck.set(check, kept);
    const request = requestOf(exchange);
    const known = kept.exchanges.has(request);
    if (!known && (kept.exchanges.size >= MOST_OF_A_CHECK || total >= MOST)) return void kept.leftOut.add(request);
    if (!known) total += 1;
    // Moved to the end: whatever it reads was created before it.
    kept.exchanges.delete(request);
    kept.exchanges.set(request, exchange);
  }

  if (checks.size > 0) {
    open.recorder.onEveryExchange((exchange) => {
      const check = exchange.request.asker;
      if (check !== undefined && checks.has(check)) keep(check, open.redact(exchange));
    });
  }
  return {
    kept: () =>
      [...byCheck].map(([check, { exchanges, leftOut }]) => ({
        check: check as PassingCheck['check'],
        exchanges: [...exchanges.values()],
        leftOut: leftOut.size,
      })),
  };
}
