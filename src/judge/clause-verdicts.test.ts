import { expect, test } from 'vitest';
import { sampleClause, sampleClauses, sampleRecord } from '../../test/support/judge-samples.ts';
import type { Level } from '../clause/clause.ts';
import { countClauses } from '../clause/clause-counts.ts';
import type { Verdict, Why } from '../clause/outcome.ts';
import type { PartRecord } from '../clause/part-record.ts';
import { clauseRecords } from './clause-verdicts.ts';
import { clauseVerdict, hiddenByWaivers, undecidedByService } from './must-counts.ts';

const MAY_WRITE = { readOnly: false };

test.each<[readonly Verdict[], Verdict]>([
  [['not-applicable'], 'not-applicable'],
  [['not-applicable', 'inconclusive'], 'inconclusive'],
  [['inconclusive', 'inconclusive'], 'inconclusive'],
  [['pass'], 'pass'],
  [['pass', 'inconclusive'], 'pass'],
  [['observed', 'inconclusive'], 'observed'],
  [['observed', 'pass'], 'pass'],
  [['waived', 'pass', 'inconclusive'], 'waived'],
  [['pass', 'fail', 'waived', 'inconclusive', 'observed'], 'fail'],
])('clauseVerdict of %j is %s', (verdicts, expected) => {
  expect(clauseVerdict(verdicts)).toBe(expected);
});

test('clauseRecords has a record for each clause with a judged part', () => {
  const clauses = [sampleClause('list.success'), sampleClause('get.success')];
  expect(clauseRecords(clauses, [sampleRecord('get.success/a', 'pass')], MAY_WRITE)).toMatchObject([
    { id: 'get.success', verdict: 'pass' },
  ]);
});

test('clauseRecords has the derivation of implied clauses only', () => {
  const stated = sampleClause('list.success');
  const implied = { ...sampleClause('get.success'), level: 'implied' as const, derivation: 'from two sentences' };
  const checks = [sampleRecord('list.success/a', 'pass'), sampleRecord('get.success/a', 'pass')];
  const [first, second] = clauseRecords([stated, implied], checks, MAY_WRITE);
  expect(first).not.toHaveProperty('derivation');
  expect(second).toMatchObject({ level: 'implied', derivation: 'from two sentences' });
});

test('clauseRecords does not pass a clause by what others sent if a check of its own was dropped, except in a read-only run', () => {
  const clauses = [sampleClause('create.success')];
  const parts = (why: Why): PartRecord[] => [
    { ...sampleRecord('create.success/every-body', 'pass'), kind: 'invariant' },
    { ...sampleRecord('create.success/own', 'inconclusive'), why },
  ];
  const verdictOf = (why: Why, readOnly: boolean) => clauseRecords(clauses, parts(why), { readOnly })[0]?.verdict;
  expect(verdictOf('choice', false)).toBe('inconclusive');
  expect(verdictOf('choice', true)).toBe('pass');
  expect(verdictOf('circumstance', false)).toBe('pass');
});

const undecided = (id: string, why: Why, more: object = {}) => ({ ...sampleRecord(id, 'inconclusive'), why, ...more });

test.each([
  [0, 10, false],
  [1, 10, false],
  [2, 10, true],
  [1, 9, true],
  [20, 200, false],
  [21, 200, true],
])('undecidedByService of %d situations among %d: too many is %s', (count, of, tooMany) => {
  const parts = Array.from({ length: of }, (_unused, index) =>
    index < count ? undecided(`a.a/${index}`, 'service') : sampleRecord(`a.a/${index}`, 'pass'),
  );
  expect(undecidedByService(sampleClauses(parts))).toEqual({ undecided: count, of, tooMany });
});

test('undecidedByService counts only situations of required and implied clauses, and only those undecided because of the service', () => {
  const levels = { 'r.r': 'required', 'i.i': 'implied', 'a.a': 'advised', 'o.o': 'open' } as const satisfies Record<string, Level>;
  const parts = [
    ...Object.keys(levels).map((id) => undecided(`${id}/a`, 'service')),
    ...(['choice', 'circumstance', 'waits'] as const).map((why) => undecided(`r.r/${why}`, why)),
    sampleRecord('i.i/b', 'pass'),
  ];
  expect(undecidedByService(sampleClauses(parts, levels))).toMatchObject({ undecided: 2, of: 6 });
});

test('countClauses counts each clause once, an undecided one by the reason that says most', () => {
  const parts = [
    sampleRecord('a.a/b', 'pass'),
    undecided('a.a/a', 'service'),
    sampleRecord('b.b/a', 'waived'),
    sampleRecord('c.c/a', 'observed'),
    sampleRecord('d.d/a', 'not-applicable'),
    undecided('e.e/a', 'choice'),
    undecided('e.e/b', 'service'),
    undecided('f.f/a', 'choice'),
    undecided('g.g/a', 'circumstance'),
    undecided('g.g/b', 'waits'),
  ];
  expect(countClauses(sampleClauses(parts))).toEqual({
    all: 7,
    judged: 3,
    notApplicable: 1,
    undecided: 3,
    by: { service: 1, waits: 1, circumstance: 0, choice: 1 },
  });
});

test('hiddenByWaivers counts what waits for a waived clause, and nothing else', () => {
  const parts = [
    undecided('b.b/a', 'waits', { blockedBy: 'a.a' }),
    undecided('b.b/b', 'waits', { blockedBy: 'b.b' }),
    undecided('b.b/c', 'service'),
    sampleRecord('a.a/a', 'waived'),
  ];
  expect(hiddenByWaivers(sampleClauses(parts))).toBe(1);
});
