// Which faults still show on a server that has others, too.

import { casesOf } from '../src/oracle/blame.ts';
import { SUITE } from '../suites/plan/index.ts';
import { faultySetting, runSuiteOn } from './judge-server.ts';
import { faultCalled } from './server.ts';

/** Whether a response to what is sent for the clause breaks it, whatever explains that. */
async function breaks(clause: string, faults: readonly string[]): Promise<boolean> {
  const { start, session } = faultySetting(faults);
  const own = SUITE.clauses.filter(({ id }) => id === clause);
  const { world } = await runSuiteOn(start, session, { only: new Set(own.map(({ id }) => id)) });
  const cases = [...casesOf(own, world).values()].flat();
  return cases.some(({ breach }) => breach !== undefined);
}

/** Those of the faults whose clause is broken on a server with all of them, and not on one with the others alone. */
export async function faultsThatShow({
  faults,
  of,
}: {
  readonly faults: readonly string[];
  readonly of: readonly string[];
}): Promise<readonly string[]> {
  const showing: string[] = [];
  for (const fault of of) {
    const { clause } = faultCalled(fault);
    const others = faults.filter((one) => one !== fault);
    if ((await breaks(clause, faults)) && !(await breaks(clause, others))) showing.push(fault);
  }
  return showing;
}
