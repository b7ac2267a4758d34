import { expect, test } from 'vitest';
import { sampleClause, sampleRecord } from '../../test/support/judge-samples.ts';
import type { CheckRecord } from '../clause/run-record.ts';
import type { Waiver } from './waiver-file.ts';
import { applyWaivers, unwaived } from './waivers.ts';

const registry = [
  sampleClause('list.limit-maximum', { checks: ['each', 'with-status'], invariants: ['every-list'] }),
  sampleClause('get.success'),
  sampleClause('list.order', { level: 'open' }),
];
const today = new Date('2026-11-21T23:59:00Z');
const waiver = (id: string, more: Partial<Waiver> = {}): Waiver => ({ id, reason: 'the old gateway', expires: '2026-11-21', ...more });
const apply = (checks: readonly CheckRecord[], ...waivers: Waiver[]) => applyWaivers(checks, waivers, { registry, today });

test('applyWaivers makes a waived failure keep its findings and show reason, ticket and expiry on the last day that it holds', () => {
  const { checks, staleWaivers } = apply([sampleRecord('get.success/a', 'fail')], waiver('get.success/a', { ticket: 'OPS-7' }));
  expect(staleWaivers).toEqual([]);
  expect(checks[0]).toMatchObject({
    verdict: 'waived',
    note: 'the old gateway (OPS-7, until 2026-11-21)',
    findings: [{ summary: 'broken' }],
  });
});

test('applyWaivers shows no ticket if there is none, and leaves alone what does not fail', () => {
  const records = [sampleRecord('get.success/a', 'fail'), sampleRecord('list.limit-maximum/each', 'inconclusive')];
  const { checks } = apply(records, waiver('get.success'), waiver('list.limit-maximum'));
  expect(checks.map(({ verdict, note }) => [verdict, note])).toEqual([
    ['waived', 'the old gateway (until 2026-11-21)'],
    ['inconclusive', 'a note'],
  ]);
});

test('applyWaivers calls an entry no longer needed whatever the state of others', () => {
  const records = [sampleRecord('list.limit-maximum/each', 'pass'), sampleRecord('list.limit-maximum/with-status', 'fail')];
  const needless = expect.stringMatching(/^the waiver of list\.limit-maximum\/each is no longer needed/);
  expect(apply(records, waiver('list.limit-maximum/each')).staleWaivers).toEqual([needless]);
  expect(apply(records, waiver('list.limit-maximum/with-status')).staleWaivers).toEqual([]);
});

test('applyWaivers covers all checks and invariants of a clause by the id of the clause, and no others', () => {
  const records = ['list.limit-maximum/each', 'list.limit-maximum/every-list', 'get.success/a'].map((id) => sampleRecord(id, 'fail'));
  const { checks } = apply(records, waiver('list.limit-maximum'));
  expect(checks.map(({ verdict }) => verdict)).toEqual(['waived', 'waived', 'fail']);
  expect(unwaived(checks).map(({ id }) => id)).toEqual(['get.success']);
});

test('applyWaivers prefers the entry of a check to that of its clause', () => {
  const entries = [waiver('get.success', { reason: 'the clause' }), waiver('get.success/a', { reason: 'the check' })];
  expect(apply([sampleRecord('get.success/a', 'fail')], ...entries).checks[0]?.note).toContain('the check');
});

test('applyWaivers leaves a failure standing when its entry has expired, and says so', () => {
  const { checks, staleWaivers } = apply([sampleRecord('get.success/a', 'fail')], waiver('get.success', { expires: '2026-11-20' }));
  expect(checks[0]?.verdict).toBe('fail');
  expect(staleWaivers).toEqual([
    'the waiver of get.success expired on 2026-11-20 ("the old gateway"): fix the failure, or set a later date if the reason still holds',
  ]);
});

test('applyWaivers names an entry that matches nothing, and what may have been meant', () => {
  expect(apply([], waiver('list.limit-max')).staleWaivers).toEqual([
    expect.stringMatching(
      /^the waiver of list\.limit-max matches no clause and no check \(did you mean list\.limit-maximum.*: correct its id or remove it$/,
    ),
  ]);
});

test.each([
  ['passes', ['pass', 'pass', 'pass'], 1],
  ['is an open question', ['observed', 'observed', 'observed'], 1],
  ['still fails in part', ['pass', 'fail', 'pass'], 0],
  ['was inconclusive in part', ['pass', 'inconclusive', 'pass'], 0],
  ['was left out in part', ['pass', 'pass'], 0],
  ['was left out', [], 0],
] as const)(
  'applyWaivers calls an entry no longer needed only if all that it waives was judged and passes: it %s',
  (_case, verdicts, staleWaivers) => {
    const ids = ['list.limit-maximum/each', 'list.limit-maximum/with-status', 'list.limit-maximum/every-list'];
    const records = verdicts.map((verdict, index) => sampleRecord(ids[index] ?? '', verdict));
    expect(apply(records, waiver('list.limit-maximum')).staleWaivers).toHaveLength(staleWaivers);
  },
);
