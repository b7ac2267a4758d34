import type { PassingCheck } from '../clause/run-record.ts';
import type { OpenSession } from '../session/open-session.ts';
import type { RedactedExchange } from '../wire/redact.ts';

/** Different requests of a check that are kept. */
const MOST_OF_A_CHECK = 10;
/** Exchanges of a run that are kept: a few kilobytes each, and every report of the run holds them. */
const MOST = 1_000;

type Kept = { readonly exchanges: Map<string, RedactedExchange>; readonly leftOut: Set<string> };

/** What was asked, whatever trace it had. */
function requestOf({ method, url, requestHeaders, requestBody, credential }: RedactedExchange): string {
  return JSON.stringify([method, url, requestHeaders, requestBody, credential]);
}

/**
 * Keeps the exchanges of checks while a session is judged: the first requests of each that differ, and of equal ones the last, as a service may
 * take its time to show what it has stored.
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
    // To the end: whatever it reads was made before it.
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
