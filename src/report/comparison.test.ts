import { describe, expect, test } from 'vitest';
import { sampleRecord } from '../../test/report/sample-record.ts';
import type { Verdict } from '../clause/outcome.ts';
import type { RunRecord } from '../clause/run-record.ts';
import { behaviorOf } from './behavior.ts';
import {
  type Comparison,
  compareBehaviors,
  driftFrom,
  headlineOf,
  isSame,
  renderComparisonJson,
  renderComparisonMarkdown,
  renderComparisonText,
} from './comparison.ts';

const BEFORE = behaviorOf(sampleRecord());

function compared(changes: (record: RunRecord) => Partial<RunRecord>): Comparison {
  const record = sampleRecord();
  return compareBehaviors(BEFORE, behaviorOf({ ...record, ...changes(record) }));
}

function withVerdict(id: string, verdict: Verdict) {
  return ({ clauses }: RunRecord): Partial<RunRecord> => ({ clauses: clauses.map((one) => (one.id === id ? { ...one, verdict } : one)) });
}

describe('compareBehaviors', () => {
  test('finds no difference between a run and itself', () => {
    const comparison = compared(() => ({}));
    expect(isSame(comparison)).toBe(true);
    expect(comparison.worse).toBe(false);
    expect(headlineOf(comparison)).toBe('A and B behave the same');
  });

  test.each([
    ['list.success', 'fail', 'worse', true],
    ['list.success', 'waived', 'worse', true],
    ['list.success', 'inconclusive', 'unknown', false],
    ['record.pet', 'pass', 'better', false],
    ['record.pet', 'waived', 'unknown', false],
    ['auth.precedence', 'fail', 'unknown', false],
    ['auth.header-only', 'fail', 'unknown', false],
  ] as const)('says that %s, now %s, is %s; worse: %s', (id, verdict, direction, worse) => {
    const comparison = compared(withVerdict(id, verdict));
    expect(comparison.clauses).toMatchObject([{ id, after: verdict, direction }]);
    expect(comparison.worse).toBe(worse);
  });

  test('does not call broken advised clauses, other choices, new names, or slowness worse', () => {
    const advised = compareBehaviors(behaviorOf({ ...sampleRecord(), ...withVerdict('auth.challenge', 'pass')(sampleRecord()) }), BEFORE);
    expect(advised.clauses).toMatchObject([{ direction: 'worse', level: 'advised' }]);
    expect(advised.worse).toBe(false);
  });

  test('finds observations, statuses, members and headers that are new or gone', () => {
    const comparison = compared((record) => ({
      checks: record.checks.map((check) =>
        check.clause === 'list.order' ? { ...check, observations: [{ question: 'list.order: what it gets', answer: 'by name' }] } : check,
      ),
      operations: record.operations.map((one) =>
        one.operation === 'getPet' ? { ...one, statuses: { '200': 1, '404': 1, '500': 2 } } : one,
      ),
      traits: { headers: { 'listPets 200': ['content-type', 'etag'] }, members: { pet: ['categoryId', 'id', 'name', 'status', 'tag'] } },
    }));
    expect(comparison.observations).toEqual([
      { clause: 'list.order', question: 'list.order: what it gets', before: 'returned 400 invalid_request', after: 'by name' },
    ]);
    expect(comparison.names).toEqual([
      { kind: 'statuses', where: 'getPet', added: ['500'], removed: ['401', 'failed'] },
      { kind: 'headers', where: 'getPet 404', added: [], removed: ['content-type', 'date'] },
      { kind: 'headers', where: 'listPets 200', added: ['etag'], removed: ['date'] },
      { kind: 'members', where: 'error', added: [], removed: ['code', 'message', 'status'] },
      { kind: 'members', where: 'pet', added: ['tag'], removed: [] },
    ]);
    expect(comparison.worse).toBe(false);
  });

  test.each([
    [1.1, 0],
    [2.5, 6],
    [0.4, 6],
  ])('reports latency times %d as %d shifts beyond noise', (factor, shifts) => {
    const slower = ({ operations }: RunRecord): Partial<RunRecord> => ({
      operations: operations.map((one) => ({ ...one, durations: one.durations.map((duration) => duration * factor) })),
    });
    expect(compared(slower).latency).toHaveLength(shifts);
  });

  test('compares no latency of a few requests', () => {
    const few = ({ operations }: RunRecord): Partial<RunRecord> => ({
      operations: operations.map((one) => ({ ...one, durations: [900, 950, 990] })),
    });
    expect(compared(few).latency).toEqual([]);
  });
});

describe('driftFrom', () => {
  test('says which observation differs from the baseline, and is silent on what one side did not observe', () => {
    const record = sampleRecord();
    const checks = record.checks
      .filter(({ clause }) => clause !== 'errors.codes')
      .map((check) =>
        check.clause === 'list.order' ? { ...check, observations: [{ question: 'list.order: what it gets', answer: 'by id' }] } : check,
      );
    expect(driftFrom(BEFORE, behaviorOf({ ...record, checks }))).toEqual([
      `list.order, "list.order: what it gets": the baseline has "returned 400 invalid_request" and the service now does "by id"`,
    ]);
    expect(driftFrom(BEFORE, BEFORE)).toEqual([]);
  });
});

describe('the renderings of a comparison', () => {
  const comparison = compared((record) => ({
    ...withVerdict('list.success', 'fail')(record),
    operations: record.operations.map((one) => ({ ...one, durations: one.durations.map((duration) => duration * 3) })),
    traits: { headers: {}, members: { pet: ['<b>|`x'] } },
  }));

  test('show every difference as text, the outcome last', () => {
    const text = renderComparisonText(comparison, { width: 80 });
    expect(text).toContain('  list.success  required  pass → fail  worse\n');
    expect(text).toContain('Latency beyond noise\n  createPet  p50');
    expect(text.trimEnd().split('\n').at(-1)).toMatch(/^B is worse than A: 1 verdict, /);
  });

  test('show them as Markdown and as JSON', () => {
    const markdown = renderComparisonMarkdown(comparison);
    expect(markdown).toContain('## ❌ B is worse than A');
    expect(markdown).toContain('| `list.success` | required | pass → fail | worse |');
    expect(markdown).not.toContain('<b>');
    expect(JSON.parse(renderComparisonJson(comparison))).toMatchObject({ worse: true });
  });
});
