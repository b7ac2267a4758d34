// Runs of the probe against a server that is started for them, one after the other, as the monitor takes them.

import { isBinding } from '../src/clause/clause.ts';
import { judgeTurn, type ProbeResult } from '../src/probe/turn.ts';
import { nextTurn, startOf, stateAfter, type TurnLimits, type TurnPlan } from '../src/probe/turn-state.ts';
import type { SessionOptions } from '../src/session/session.ts';
import { PROBE, turnsOf } from '../suites/plan/smoke.ts';
import { sessionOptions } from './judge-reference.ts';
import type { Setting } from './judge-server.ts';

/** The default of a target. */
export const BUDGET = 20;
const MINUTE = 60_000;
const DEADLINE = 48_000;
const FIRST = Date.UTC(2026, 10, 29);

const PLAN: TurnPlan = { ...turnsOf(), consentsOf: PROBE.consentsOf };

export type ProbeShown = {
  /** Runs until a clause was broken for sure; all of them if none was. */
  readonly runs: number;
  readonly last: ProbeResult;
  /** Broken clauses that fail a run, and all that any run has seen broken; and which of them are required or implied. */
  readonly confirmed: readonly string[];
  readonly seen: readonly string[];
  readonly binding: ReadonlySet<string>;
  readonly notes: Readonly<Record<string, string>>;
  readonly requests: number;
};

export type ProbeAsked = {
  readonly runs: number;
  readonly limits?: Partial<TurnLimits>;
  /** Ends with the first run that fails. */
  readonly untilFailed?: boolean;
};

export async function probeServer(
  start: Setting['start'],
  session: Partial<SessionOptions>,
  { runs, limits: changes = {}, untilFailed = false }: ProbeAsked,
): Promise<ProbeShown> {
  const server = await start();
  const options = sessionOptions(server.baseUrl, { depth: 'quick', ...session, concurrency: 2, consistencyWindow: 0 });
  const seen = new Map<string, string>();
  const confirmed = new Set<string>();
  const binding = new Set(PROBE.clauses.filter(isBinding).map(({ id }) => id as string));
  let state = startOf(PLAN, 1);
  let requests = 0;
  try {
    for (let run = 1; ; run += 1) {
      const limits: TurnLimits = { budget: BUDGET, nearMisses: true, now: FIRST + run * MINUTE, ...changes };
      const planned = nextTurn(state, limits, PLAN);
      const turn = limits.budget === 0 ? {} : { turn: { ...limits, planned } };
      const last = await judgeTurn({ ...PROBE, ...turn, options: { ...options, seed: run }, deadline: DEADLINE });
      state = stateAfter(state, { planned, sent: last.sent, limits, plan: PLAN });
      requests += last.requests;
      for (const { clause, note, verdict } of last.verdicts) if (verdict === 'fail') seen.set(clause.id, note);
      for (const id of last.confirmed) confirmed.add(id);
      if (run >= runs || (untilFailed && confirmed.size > 0))
        return {
          ...{ runs: run, last, requests, confirmed: [...confirmed], seen: [...seen.keys()], notes: Object.fromEntries(seen) },
          binding,
        };
    }
  } finally {
    await server.close();
  }
}
