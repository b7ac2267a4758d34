import { describe, expect, test } from 'vitest';
import { sampleRecord } from '../../test/report/sample-record.ts';
import type { CheckRecord } from '../clause/run-record.ts';
import { describeGroup, inconclusiveGroups } from './tally.ts';

function inconclusive(...changes: readonly Partial<CheckRecord>[]) {
  const record = sampleRecord();
  const base = record.checks.find(({ verdict }) => verdict === 'inconclusive');
  if (base === undefined) throw new Error('the sample has an inconclusive check');
  const { blockedBy: _none, ...free } = base;
  return inconclusiveGroups({ ...record, checks: changes.map((change) => ({ ...free, ...change })) }).map(describeGroup);
}

describe('inconclusiveGroups', () => {
  test('groups what waits for one clause, whatever the text of each check, the largest group first', () => {
    const one = { why: 'service', note: 'the store asked to wait' } as const;
    const two = { why: 'waits', blockedBy: 'errors.shape' } as const;
    expect(inconclusive(one, { ...two, note: 'a 401' }, { ...two, note: 'a 404' })).toEqual([
      '2 checks wait for errors.shape',
      'auth.header-only/sample: the store asked to wait',
    ]);
  });

  test('groups what has one reason', () => {
    const one = { why: 'choice', note: 'the write budget is spent' } as const;
    expect(inconclusive(one, one)).toEqual([`2 checks: ${one.note} (auth.header-only)`]);
  });

  test('escapes ids, which are those of a file', () => {
    const blockedBy = 'errors.shape\u001b[31m' as CheckRecord['blockedBy'];
    if (blockedBy === undefined) throw new Error('it is named');
    expect(inconclusive({ why: 'waits', blockedBy })).toEqual(['auth.header-only/sample waits for errors.shape\\u001b[31m']);
  });

  test('names no clause as an explanation that is not broken', () => {
    const why = 'circumstance';
    expect(
      inconclusive(
        { why, note: '3 cases are explained by list.success' },
        { why, note: '1 exchange judged; 4 more are explained by list.limit-maximum, list.success' },
        { why, note: '1 case is explained by media.transport, which is not selected' },
      ),
    ).toEqual([
      'auth.header-only/sample: 3 cases are explained by other findings',
      'auth.header-only/sample: 1 exchange judged; 4 more are explained by list.limit-maximum',
      'auth.header-only/sample: 1 case is explained by media.transport, which is not selected',
    ]);
  });

  test('names a single check', () => {
    expect(inconclusive({ why: 'waits', blockedBy: 'errors.shape' })).toEqual(['auth.header-only/sample waits for errors.shape']);
  });
});
