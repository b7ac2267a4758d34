import { judgeReference } from '../test/prove/judge-reference.ts';
import type { Result } from '../test/prove/result.ts';

/** Requests that each check sends to a conforming server, by its id. */
export async function requestsByCheck(): Promise<ReadonlyMap<string, number>> {
  const requests = new Map<string, number>();
  await judgeReference(
    {},
    {
      onExchange({ request: { asker } }) {
        if (asker !== undefined) requests.set(asker, (requests.get(asker) ?? 0) + 1);
      },
    },
  );
  return requests;
}

type Judged = Pick<Result, 'name' | 'parts' | 'requestsUntilFound' | 'requests'>;

/** The check that finds the most faults per request. */
function bestOf(requests: ReadonlyMap<string, number>, left: ReadonlySet<Judged>): string | undefined {
  let best: { readonly check: string; readonly yield: number } | undefined;
  for (const [check, cost] of requests) {
    const found = [...left].filter(({ parts }) => parts[check]?.verdict === 'fail').length / cost;
    if (found > (best?.yield ?? 0)) best = { check, yield: found };
  }
  return best?.check;
}

/**
 * A lower bound, not a run: the requests until each fault is found if the next check is always the one that finds the most faults per
 * request, and no check waits for its preconditions. Faults that only invariants show count as in the run.
 */
export function inBestOrder(
  faults: readonly Judged[],
  requests: ReadonlyMap<string, number>,
): readonly Pick<Judged, 'name' | 'requestsUntilFound' | 'requests'>[] {
  const checks = new Map(requests);
  const left = new Set(faults);
  const until = new Map<Judged, number>();
  let sent = 0;
  for (let check = bestOf(checks, left); check !== undefined; check = bestOf(checks, left)) {
    sent += checks.get(check) ?? 0;
    checks.delete(check);
    for (const fault of left) {
      if (fault.parts[check]?.verdict !== 'fail') continue;
      until.set(fault, sent);
      left.delete(fault);
    }
  }
  return faults.map((fault) => ({ ...fault, requestsUntilFound: until.get(fault) ?? fault.requestsUntilFound }));
}
