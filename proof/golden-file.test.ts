import { describe, expect, test } from 'vitest';
import { parseGolden, renderGolden } from './golden-file.ts';
import type { Result } from './result.ts';

const NOTHING = {
  red: [],
  advised: [],
  notes: {},
  departures: [],
  causes: [],
  when: '',
  situations: {},
  requestsUntilFound: 1,
  requests: 9,
  created: 0,
  milliseconds: 1,
  exitCode: 0,
  headline: '',
  lines: 30,
};

function resultOf(kind: Result['kind'], name: string, verdicts: Readonly<Record<string, string>>): Result {
  return {
    ...NOTHING,
    kind,
    name,
    clauses: Object.fromEntries(Object.entries(verdicts).map(([clause, verdict]) => [clause, { verdict }])),
  };
}

const RESULTS = [
  resultOf('variant', 'slow-creation', { 'list.paging': 'pass', 'list.success': 'pass' }),
  resultOf('fault', 'limit-ignored', { 'list.paging': 'fail', 'list.success': 'pass' }),
  resultOf('fault', 'get-answers-array', { 'list.success': 'inconclusive' }),
  resultOf('fault', 'answer-name-empty', { 'list.paging': 'pass', 'list.success': 'pass' }),
];

/** Lines of the second text that the first one does not have. */
function changedLines(before: string, after: string): readonly string[] {
  const known = new Set(before.split('\n'));
  return after.split('\n').filter((line) => !known.has(line));
}

test('The verdicts that are written are read again, absent ones among them', () => {
  const { servers, clauses, verdict, broken } = parseGolden(renderGolden(RESULTS));
  expect(servers).toEqual(['fault answer-name-empty', 'fault get-answers-array', 'fault limit-ignored', 'variant slow-creation']);
  expect(clauses).toEqual(['list.paging', 'list.success']);
  expect(servers.map((server) => clauses.map((clause) => verdict(server, clause)))).toEqual([
    ['pass', 'pass'],
    ['absent', 'inconclusive'],
    ['fail', 'pass'],
    ['pass', 'pass'],
  ]);
  expect(verdict('fault unknown', 'list.success')).toBeUndefined();
  expect(verdict('fault limit-ignored', 'list.unknown')).toBe('absent');
  expect(Object.fromEntries(broken)).toEqual({ 'answer-name-empty': [], 'get-answers-array': [], 'limit-ignored': ['list.paging'] });
});

describe('the text of the verdicts', () => {
  const text = renderGolden(RESULTS);

  test('does not depend on the order in which servers were judged', () => {
    expect(renderGolden(RESULTS.toReversed())).toBe(text);
  });

  test('has another line for a server with another verdict, and no other change', () => {
    const changed = RESULTS.map((result) => (result.name === 'limit-ignored' ? { ...result, clauses: RESULTS[0]?.clauses ?? {} } : result));
    expect(changedLines(text, renderGolden(changed))).toEqual(['    "fault limit-ignored": {},']);
  });

  test('has one more line for a new clause, and another line for each server with an unusual verdict on it', () => {
    const more = RESULTS.map((result) => ({
      ...result,
      clauses: { ...result.clauses, 'list.read-only': { verdict: result.name === 'limit-ignored' ? 'fail' : 'pass' } },
    }));
    expect(changedLines(text, renderGolden(more))).toEqual([
      '    "list.read-only": "pass",',
      '    "fault limit-ignored": {"fail":["list.paging","list.read-only"]},',
    ]);
  });

  test('keeps the changes that were accepted, and the reason', () => {
    const accepted = { reason: 'a new clause', changes: ['fault limit-ignored: list.paging pass -> fail'] };
    expect(JSON.parse(renderGolden(RESULTS, accepted))).toMatchObject({ accepted });
  });
});
