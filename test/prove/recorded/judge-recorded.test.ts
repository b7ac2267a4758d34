import { describe, expect, test } from 'vitest';
import type { Rule } from '../../../src/oracle/rule.ts';
import type { SuiteClause } from '../../../suites/define.ts';
import { clauses } from '../../../suites/index.ts';
import { ownFolder } from '../../support/own-folder.ts';
import type { RegistrySubject } from '../result.ts';
import { readHistory } from './history-file.ts';
import { judgeReadRun, judgeRecorded, recordSubject } from './judge-recorded.ts';

const LONG = 300_000;

describe('what was recorded is judged as it was judged then', () => {
  // Found by rules; read through a departure that is confirmed in the course of the run; conforming.
  test.each<RegistrySubject>([
    { kind: 'fault', name: 'deprecation-not-announced' },
    { kind: 'fault', name: 'list-wrapped-in-items' },
    { kind: 'variant', name: 'no-reason-phrase' },
  ])('$kind $name', { timeout: LONG }, async (subject) => {
    const folder = ownFolder();
    const then = await recordSubject(folder, subject);
    // Not only the verdicts: notes, causes, and how the report looks.
    expect(judgeRecorded(folder, subject)).toEqual({ now: then, then });
  });
});

test('A check that ran then and only sends today is judged by its rules.', { timeout: LONG }, async () => {
  const folder = ownFolder();
  const subject = { kind: 'variant', name: 'no-reason-phrase' } as const;
  const { parts } = await recordSubject(folder, subject);
  const passed = clauses.flatMap((clause) => clause.checks.map((check) => ({ clause, check })));
  const askers = new Set(readHistory(folder, subject).runs.flatMap(({ exchanges }) => exchanges.map(({ request }) => request.asker)));
  const ran = passed.find(({ check: { id, run } }) => run !== undefined && parts[id]?.verdict === 'pass' && askers.has(id));
  if (ran === undefined) throw new Error('no check runs any more: neither this test nor what it holds is needed');
  const { run: _run, ...kept } = ran.check;

  /** The verdict on the check where its clause has that rule. */
  function verdictBy(judge: NonNullable<Rule['judge']>): string | undefined {
    const [recorded] = readHistory(folder, subject).runs;
    if (recorded === undefined || ran === undefined) throw new Error('no run was recorded');
    const turned: SuiteClause = {
      ...ran.clause,
      rules: [{ layer: 'history', judge }],
      checks: ran.clause.checks.map((check) => (check === ran.check ? { ...kept, send: async () => undefined } : check)),
    };
    const { records } = judgeReadRun(
      recorded,
      clauses.map((clause) => (clause === ran.clause ? turned : clause)),
    );
    return records.find(({ id }) => id === kept.id)?.verdict;
  }

  expect(verdictBy(() => 'holds')).toBe('pass');
  expect(verdictBy(() => ({ summary: 's', expected: ['e'], received: 'r' }))).toBe('fail');
  expect(verdictBy(() => 'not-applicable')).toBe('inconclusive');
});
