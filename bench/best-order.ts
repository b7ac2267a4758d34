import { runDirect } from '../src/judge/run-direct.ts';
import { startReference } from '../src/reference/server.ts';
import { openSession } from '../src/session/open-session.ts';
import { clauses } from '../suites/index.ts';
import { KEY, sessionOptions } from '../test/prove/judge-reference.ts';
import type { Result } from '../test/prove/result.ts';

/** Requests that each check sends to a conforming server, by its id. */
export async function requestsByCheck(): Promise<ReadonlyMap<string, number>> {
  const server = await startReference({ apiKey: KEY });
  const open = await openSession(sessionOptions(server.baseUrl));
  const requests = new Map<string, number>();
  open.recorder.onExchange(({ request: { asker } }) => {
    if (asker !== undefined) requests.set(asker, (requests.get(asker) ?? 0) + 1);
  });
  try {
    await open.start();
    await runDirect(open, { clauses, onEvidence: () => undefined, effects: ['read', 'intrusive', 'write'] });
    return requests;
  } finally {
    await open.session.close();
    await server.close();
  }
}

type Judged = Pick<Result, 'name' | 'parts' | 'requestsUntilFound' | 'requests'>;

/** The check that finds most of the faults for each of its requests. */
function bestOf(requests: ReadonlyMap<string, number>, left: ReadonlySet<Judged>): string | undefined {
  let best: { readonly check: string; readonly yield: number } | undefined;
  for (const [check, cost] of requests) {
    const found = [...left].filter(({ parts }) => parts[check]?.verdict === 'fail').length / cost;
    if (found > (best?.yield ?? 0)) best = { check, yield: found };
  }
  return best?.check;
}

/**
 * A bound, not a run: the requests until each fault is found if whoever knows the faults always takes the check next that finds most of them for each
 * request, and no check waits for what it needs. What only invariants show counts as in the run.
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
