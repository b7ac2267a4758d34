import { expect, test } from 'vitest';
import { sampleExchange } from '../../test/report/sample-record.ts';
import type { CheckRecord, ReportedFinding } from '../clause/run-record.ts';
import { boundFindings } from './record.ts';

function finding(number: number): ReportedFinding {
  return { summary: `number ${number}`, expected: [], received: '', exchanges: [sampleExchange({ number, request: 'GET /pets' })] };
}

function check(id: CheckRecord['id'], clause: CheckRecord['clause'], numbers: readonly number[]): CheckRecord {
  const findings = numbers.map(finding);
  return { id, clause, kind: 'check', title: id, verdict: 'fail', note: '', findings, observations: [], duration: 0 };
}

const numbersOf = (checks: readonly CheckRecord[]): number[][] =>
  checks.map(({ findings }) => findings.map(({ exchanges }) => exchanges[0]?.number ?? 0));

const many = Array.from({ length: 30 }, (_, index) => index + 1);

test('boundFindings keeps twenty findings per clause, including the first of each check', () => {
  const bounded = boundFindings([
    check('list.order/as-ids', 'list.order', many),
    check('list.order/stable', 'list.order', [101, 102]),
    check('list.success/one', 'list.success', many),
  ]);
  expect(numbersOf(bounded)).toEqual([many.slice(0, 18), [101, 102], many.slice(0, 20)]);
});

test('boundFindings drops repeated findings, except the first of a check', () => {
  const bounded = boundFindings([check('list.order/as-ids', 'list.order', [1, 2, 3]), check('list.order/stable', 'list.order', [1, 2, 4])]);
  expect(numbersOf(bounded)).toEqual([
    [1, 2, 3],
    [1, 4],
  ]);
});

test('boundFindings shows each exchange before it shows what else is wrong with one', () => {
  const omitting = check('list.complete/created', 'list.complete', [1]);
  const animals = many.map((animal) => ({ ...finding(1), summary: `omits ${animal}` }));
  const bounded = boundFindings([{ ...omitting, findings: [...animals, finding(2)] }]);
  expect(bounded[0]?.findings.map(({ summary }) => summary).slice(0, 3)).toEqual(['omits 1', 'omits 2', 'omits 3']);
  expect(bounded[0]?.findings).toContainEqual(finding(2));
  expect(bounded[0]?.findings).toHaveLength(20);
});
