import { expect, test } from 'vitest';
import type { RunResult } from '../src/judge/run.ts';
import { clauses } from '../suites/clauses/index.ts';
import { KEY } from './judge-reference.ts';
import { runSuiteOn } from './judge-server.ts';
import { startReference } from './server.ts';

/** Requests of a quick run of all clauses. */
const QUICK = 400;

function run(only?: ReadonlySet<string>): Promise<RunResult> {
  const chosen = clauses.map(({ id }) => id).filter((id) => only?.has(id));
  return runSuiteOn(
    () => startReference({ apiKey: KEY, seedAnimals: 7 }),
    { timeout: 10_000 },
    only === undefined ? {} : { only: new Set(chosen) },
  );
}

test('each clause alone meets what it meets in a whole run, with fewer requests than a quick one', async () => {
  const whole = await run();
  const rows: string[] = [];
  for (const { clause, met } of whole.verdicts) {
    const alone = await run(new Set([clause.id]));
    rows.push(`${clause.id.padEnd(34)}${[alone.requests, alone.created, met.length].map((count) => String(count).padStart(6)).join('')}`);
    expect(alone.verdicts.map((one) => [one.clause.id, one.met])).toEqual([[clause.id, met]]);
    expect(alone.requests).toBeLessThan(QUICK);
    expect(alone.created).toBeLessThanOrEqual(101);
  }
  console.log(`clause${' '.repeat(24)}requests animals musts\n${rows.join('\n')}`);
});
