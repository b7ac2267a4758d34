import { describe, expect, test } from 'vitest';
import { sampleRecord } from '../../test/report/sample-record.ts';
import { behaviorOf, driftFrom, parseBehavior, renderBehavior } from './behavior.ts';
import { renderJson } from './render-json.ts';

describe('parseBehavior', () => {
  test('reads a behavior.json, and derives one from a report', () => {
    const record = sampleRecord();
    expect(parseBehavior(renderBehavior(record))).toEqual({ ok: true, behavior: behaviorOf(record) });
    expect(parseBehavior(renderJson(record))).toEqual({ ok: true, behavior: behaviorOf(record) });
  });

  test.each([
    ['no json', 'it is not JSON'],
    ['[]', 'it is neither behavior.json nor report.json, but an array'],
    ['null', 'it is neither behavior.json nor report.json, but null'],
    ['{}', 'it is neither behavior.json nor report.json'],
    ['{"kind":"behavior","version":2}', 'the behavior has version 2, and this release reads version 1'],
    ['{"kind":"behavior","version":1,"clauses":{}}', 'behavior.json has no object "observations"'],
    ['{"clauses":[],"checks":[],"version":9}', 'the report has version 9'],
    ['{"clauses":[],"checks":[],"version":1,"target":{},"tool":{},"traits":{}}', 'the report has no "operations"'],
    ['{"clauses":[1],"version":3,"target":{},"tool":{},"traits":{},"operations":[]}', 'the report is damaged'],
    ['{"clauses":[1],"checks":[2],"version":1,"target":{},"tool":{},"traits":{},"operations":[]}', 'the report is damaged'],
  ])('reports for %s: %s', (text, problem) => {
    const parsed = parseBehavior(text);
    expect(parsed.ok ? '' : parsed.problem).toContain(problem);
  });
});

test('driftFrom says which observation differs from the baseline, and is silent on what one side did not observe', () => {
  const record = sampleRecord();
  const baseline = behaviorOf(record);
  const clauses = record.clauses
    .filter(({ id }) => id !== 'errors.codes')
    .map((clause) =>
      clause.id === 'list.order' ? { ...clause, observations: [{ question: 'list.order: what it gets', answer: 'by id' }] } : clause,
    );
  expect(driftFrom(baseline, behaviorOf({ ...record, clauses }))).toEqual([
    `list.order, "list.order: what it gets": the baseline has "returned 400 invalid_request" and the service now does "by id"`,
  ]);
  expect(driftFrom(baseline, baseline)).toEqual([]);
});
