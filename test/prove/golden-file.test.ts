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
  requestsUntilFound: 1,
  requests: 9,
  created: 0,
  milliseconds: 1,
  exitCode: 0,
  headline: '',
  lines: 30,
  failAlone: [],
};

function resultOf(kind: Result['kind'], name: string, verdicts: Readonly<Record<string, string>>): Result {
  return { ...NOTHING, kind, name, parts: Object.fromEntries(Object.entries(verdicts).map(([part, verdict]) => [part, { verdict }])) };
}

const RESULTS = [
  resultOf('variant', 'slow-creation', { 'list.paging/pages': 'pass', 'list.success/first': 'pass' }),
  resultOf('fault', 'limit-ignored', { 'list.paging/pages': 'fail', 'list.success/first': 'pass' }),
  resultOf('fault', 'get-answers-array', { 'list.success/first': 'inconclusive' }),
  resultOf('fault', 'answer-name-empty', { 'list.paging/pages': 'pass', 'list.success/first': 'pass' }),
];

/** Lines of the second text that the first one does not have. */
function changedLines(before: string, after: string): readonly string[] {
  const known = new Set(before.split('\n'));
  return after.split('\n').filter((line) => !known.has(line));
}

test('The verdicts that are written are read again, absent ones among them', () => {
  const { servers, parts, verdict, broken } = parseGolden(renderGolden(RESULTS));
  expect(servers).toEqual(['fault answer-name-empty', 'fault get-answers-array', 'fault limit-ignored', 'variant slow-creation']);
  expect(parts).toEqual(['list.paging/pages', 'list.success/first']);
  expect(servers.map((server) => parts.map((part) => verdict(server, part)))).toEqual([
    ['pass', 'pass'],
    ['absent', 'inconclusive'],
    ['fail', 'pass'],
    ['pass', 'pass'],
  ]);
  expect(verdict('fault unknown', 'list.success/first')).toBeUndefined();
  expect(verdict('fault limit-ignored', 'list.success/unknown')).toBe('absent');
  expect(Object.fromEntries(broken)).toEqual({ 'answer-name-empty': [], 'get-answers-array': [], 'limit-ignored': ['list.paging'] });
});

describe('the text of the verdicts', () => {
  const text = renderGolden(RESULTS);

  test('does not depend on the order in which servers were judged', () => {
    expect(renderGolden(RESULTS.toReversed())).toBe(text);
  });

  test('has another line for a server with another verdict, and no other change', () => {
    const changed = RESULTS.map((result) => (result.name === 'limit-ignored' ? { ...result, parts: RESULTS[0]?.parts ?? {} } : result));
    expect(changedLines(text, renderGolden(changed))).toEqual(['    "fault limit-ignored": {},']);
  });

  test('has one more line for a new part, and another line for each server with an unusual verdict on it', () => {
    const more = RESULTS.map((result) => ({
      ...result,
      parts: { ...result.parts, 'list.read-only/twice': { verdict: result.name === 'limit-ignored' ? 'fail' : 'pass' } },
    }));
    expect(changedLines(text, renderGolden(more))).toEqual([
      '    "list.read-only/twice": "pass",',
      '    "fault limit-ignored": {"fail":["list.paging/pages","list.read-only/twice"]},',
    ]);
  });

  test('keeps the changes that were accepted, and the reason', () => {
    const accepted = { reason: 'a new part', changes: ['fault limit-ignored: list.paging/pages pass -> fail'] };
    expect(JSON.parse(renderGolden(RESULTS, accepted))).toMatchObject({ accepted });
  });
});
