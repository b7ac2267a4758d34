import { expect, test } from 'vitest';
import type { Verdict } from '../clause/outcome.ts';
import { clauseVerdict } from './clause-verdict.ts';

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
