import { describe, expect, test } from 'vitest';
import { sampleExchange } from '../../test/report/sample-record.ts';
import { sampleClauses, sampleRecord } from '../../test/support/judge-samples.ts';
import type { ClauseRecord, ReportedFinding, ReportedKind } from './clause-record.ts';
import type { PartRecord } from './part-record.ts';

function finding(number: number): ReportedFinding {
  return { summary: `number ${number}`, expected: [], received: '', exchanges: [sampleExchange({ number, request: 'GET /pets' })] };
}

const found = (id: string, numbers: readonly number[]): PartRecord => ({ ...sampleRecord(id, 'fail'), findings: numbers.map(finding) });

function joined(...parts: readonly PartRecord[]): ClauseRecord {
  const [clause] = sampleClauses(parts);
  if (clause === undefined) throw new Error('there is no clause');
  return clause;
}

const numbersOf = ({ findings }: ClauseRecord): readonly (number | undefined)[] => findings.map(({ exchanges }) => exchanges[0]?.number);
const many = Array.from({ length: 30 }, (_, index) => index + 1);

describe('joinParts', () => {
  test('keeps twenty findings of a clause, including the first of each part', () => {
    const clause = joined(found('list.order/as-ids', many), found('list.order/stable', [101, 102]));
    expect(numbersOf(clause)).toEqual([...many.slice(0, 18), 101, 102]);
  });

  test('has a finding once that several parts show', () => {
    expect(numbersOf(joined(found('list.order/as-ids', [1, 2, 3]), found('list.order/stable', [1, 2, 4])))).toEqual([1, 2, 3, 4]);
  });

  test('shows each exchange before it shows what else is wrong with one', () => {
    const animals = many.map((animal) => ({ ...finding(1), summary: `omits ${animal}` }));
    const { findings } = joined({ ...found('list.complete/created', []), findings: [...animals, finding(2)] });
    expect(findings.map(({ summary }) => summary).slice(0, 3)).toEqual(['omits 1', 'omits 2', 'omits 3']);
    expect(findings).toContainEqual(finding(2));
    expect(findings).toHaveLength(20);
  });

  test('makes each part a must with its verdict and note', () => {
    const { musts, verdict, note } = joined(
      { ...sampleRecord('a.a/one', 'pass'), note: 'seen' },
      { ...sampleRecord('a.a/two', 'inconclusive'), why: 'waits', blockedBy: 'list.success', note: 'missing' },
    );
    expect(musts).toEqual([
      { title: 'one holds', verdict: 'pass', note: 'seen' },
      { title: 'two holds', verdict: 'inconclusive', note: 'missing', why: 'waits', blockedBy: 'list.success' },
    ]);
    expect([verdict, note]).toEqual(['pass', 'seen']);
  });

  test('says of an undecided clause the reason that says most', () => {
    const clause = joined(
      { ...sampleRecord('a.a/one', 'inconclusive'), why: 'choice', note: 'left out' },
      { ...sampleRecord('a.a/two', 'inconclusive'), why: 'waits', blockedBy: 'list.success', note: 'explained' },
    );
    expect(clause).toMatchObject({ verdict: 'inconclusive', why: 'waits', blockedBy: 'list.success', note: 'explained' });
  });

  test('has each kind of failure and each case once, and numbers them anew', () => {
    const kind = (received: string): ReportedKind => ({ operation: 'listPets', place: 'body', expected: 'x', received, cases: 1 });
    const one = { ...sampleRecord('a.a/one', 'fail'), failureKinds: [kind('a')], cases: [{ summary: 's', exchange: 1 }] };
    const cases = [
      { summary: 's', exchange: 1, failureKinds: [1] },
      { summary: 't', exchange: 2, failureKinds: [0] },
    ];
    const { cases: all, failureKinds } = joined(one, { ...sampleRecord('a.a/two', 'fail'), failureKinds: [kind('b'), kind('a')], cases });
    expect(failureKinds).toEqual([kind('a'), kind('b')]);
    expect(all).toEqual([
      { summary: 's', exchange: 1, failureKinds: [0] },
      { summary: 't', exchange: 2, failureKinds: [1] },
    ]);
  });

  test('sums the evidence, and has the cases of failing parts alone where another is waived', () => {
    const waiver = { entry: 1, reason: 'known', expires: '2026-12-31' };
    const kind = { operation: 'listPets', place: 'body', expected: 'x', received: 'y', cases: 3 };
    const clause = joined(
      {
        ...sampleRecord('a.a/one', 'fail'),
        cases: [{ summary: 's', exchange: 1 }],
        evidence: { judged: 5, broken: 1 },
        failureKinds: [kind],
      },
      { ...sampleRecord('a.a/two', 'waived'), evidence: { judged: 7, broken: 3 }, failureKinds: [{ ...kind, waiver }] },
    );
    expect(clause.evidence).toEqual({ judged: 12, broken: 4 });
    expect(clause.cases).toEqual([{ summary: 's', exchange: 1, failureKinds: [0] }]);
    expect(clause.failureKinds).toEqual([
      { ...kind, cases: 1 },
      { ...kind, waiver },
    ]);
  });
});
