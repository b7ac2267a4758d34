import { describe, expect, test } from 'vitest';
import { sampleExchange, sampleRecord } from '../../test/report/sample-record.ts';
import type { CheckRecord, ReportedFinding, RunRecord } from '../clause/run-record.ts';
import { brokenClauses, describeBroken, extentOf, waitingText, waivedClauses } from './broken-clauses.ts';

const EXPECTED = ['400 with an Error body'];

function accepted(number: number, name: string): ReportedFinding {
  const body = `{"name":${name},"categoryId":1}`;
  const answer = `{"id":${number},"name":"x","categoryId":1}`;
  const exchange = sampleExchange({ number, request: 'POST /pets', body, status: 201, answer, intent: { operation: 'createPet' } });
  return { summary: `POST /pets accepted the name ${name}`, expected: EXPECTED, received: '201', exchanges: [exchange] };
}

/** The record with these checks for `create.success`, and the others unchanged. */
function withChecks(...checks: readonly Partial<CheckRecord>[]): RunRecord {
  const record = sampleRecord();
  const base = { id: 'create.success/any', clause: 'create.success', kind: 'check', title: '', verdict: 'fail', note: '' } as const;
  return {
    ...record,
    clauses: record.clauses.map((clause) => (clause.id === base.clause ? { ...clause, verdict: 'fail' as const } : clause)),
    checks: [...record.checks, ...checks.map((check) => ({ ...base, findings: [], observations: [], duration: 1, ...check }))],
  };
}

function brokenOf(record: RunRecord) {
  const broken = brokenClauses(record).find(({ clause }) => clause.id === 'create.success');
  if (broken === undefined) throw new Error('create.success is not among the broken clauses');
  return broken;
}

describe('brokenClauses', () => {
  test('counts an exchange once, whichever checks and invariants of the clause show it', () => {
    const findings = [accepted(901, '42'), accepted(902, 'true')];
    const cases = findings.map(({ summary }, index) => ({ summary, exchange: 901 + index }));
    const more = { summary: 'a third', exchange: 903 };
    const broken = brokenOf(
      withChecks({ findings, cases }, { findings, cases: [...cases, more], kind: 'invariant', evidence: { judged: 6, broken: 3 } }),
    );
    expect(broken.total).toBe(3);
    expect(broken.cases.map(({ summary }) => summary)).toEqual(findings.map(({ summary }) => summary));
    expect(extentOf(broken)).toBe('3 of 6 bodies were accepted');
  });

  test('merges requests that differ only in generated names and got the same response', () => {
    const broken = brokenOf(
      withChecks({ findings: [accepted(901, '["conformanceabc"]'), accepted(902, '["conformancedef"]'), accepted(903, '1')] }),
    );
    expect(broken.cases.map(({ times }) => times)).toEqual([2, 1]);
    expect(broken.total).toBe(3);
  });

  test('states a share only if an invariant has seen every case', () => {
    const invariant = { kind: 'invariant', evidence: { judged: 6, broken: 1 } } as const;
    const broken = brokenOf(withChecks({ findings: [accepted(901, '42')] }, { findings: [accepted(902, '42')], ...invariant }));
    expect(extentOf(broken)).toBe('2 bodies were accepted');
  });

  test('says what was found of a single case', () => {
    const broken = brokenOf(withChecks({ findings: [{ ...accepted(901, '42'), exchanges: [] }] }));
    expect(describeBroken(broken)).toBe('POST /pets accepted the name 42');
  });

  test('shows a plain request before an earlier odd one', () => {
    const [odd, plain] = [accepted(901, JSON.stringify('x'.repeat(500))), accepted(902, '7')];
    const broken = brokenOf(withChecks({ findings: [odd, plain] }));
    expect(broken.found).toBe(plain.summary);
    expect(broken.cases.map(({ summary }) => summary)).toEqual([plain.summary, odd.summary]);
  });

  test('puts first what the most checks wait for, then what a check looked for, then by level, and warnings last', () => {
    const waiting = { verdict: 'inconclusive', why: 'waits', blockedBy: 'errors.answers', clause: 'get.success' } as const;
    const broken = brokenClauses(withChecks({ findings: [accepted(901, '42')] }, { ...waiting, id: 'get.success/one' }));
    expect(broken.map(({ clause, total, waiting: waits }) => [clause.id, total, clause.level, waits])).toEqual([
      ['create.success', 1, 'required', 2],
      ['errors.answers', 1, 'implied', 1],
      ['list.limit-maximum', 2, 'required', 0],
      ['create.round-trip', 1, 'implied', 0],
      ['record.pet', 3, 'required', 0],
      ['auth.challenge', 1, 'advised', 0],
    ]);
    expect(broken.map(waitingText).slice(0, 3)).toEqual(['2 checks wait for this', '1 check waits for this', '']);
    expect(broken.at(-1)?.standing).toBe('warns');
  });

  test('follows the likely causes if there are any', () => {
    const cause = { id: 'x', title: 'x', explains: [{ clause: 'errors.answers' }], waiting: 0, evidence: [], advice: 'x' } as const;
    expect(brokenClauses(sampleRecord(), { causes: [cause] })[0]?.clause.id).toBe('errors.answers');
  });

  test('reads a record that has no list of cases', () => {
    expect(brokenClauses(sampleRecord()).find(({ clause }) => clause.id === 'list.limit-maximum')?.total).toBe(2);
  });
});

test('waivedClauses has what a waiver keeps from failing the run', () => {
  expect(waivedClauses(sampleRecord()).map(({ clause, standing }) => [clause.id, standing])).toEqual([['auth.precedence', 'neutral']]);
});
