import { describe, expect, test } from 'vitest';
import { sampleRecord } from '../../test/report/sample-record.ts';
import type { MustRecord } from '../clause/clause-record.ts';
import { describeGroup, inconclusiveGroups } from './tally.ts';

function inconclusive(...changes: readonly Partial<MustRecord>[]) {
  const record = sampleRecord();
  const clause = record.clauses.find(({ verdict }) => verdict === 'inconclusive');
  const must = { title: 'a title', verdict: 'inconclusive', note: 'a note' } as const;
  if (clause === undefined) throw new Error('the sample has an inconclusive clause');
  const musts = changes.map((change): MustRecord => ({ ...must, ...change }));
  const clauses = record.clauses.map((one) => ({ ...one, musts: one === clause ? musts : [] }));
  return inconclusiveGroups({ ...record, clauses }).map(describeGroup);
}

describe('inconclusiveGroups', () => {
  test('groups what waits for one clause, whatever the text of each, the largest group first', () => {
    const one = { why: 'service', note: 'the store asked to wait' } as const;
    const two = { why: 'waits', blockedBy: 'errors.shape' } as const;
    expect(inconclusive(one, { ...two, note: 'a 401' }, { ...two, note: 'a 404' })).toEqual([
      '2 situations wait for errors.shape',
      'auth.header-only, "a title": the store asked to wait',
    ]);
  });

  test('groups what has one reason', () => {
    const one = { why: 'choice', note: 'the write budget is spent' } as const;
    expect(inconclusive(one, one)).toEqual([`2 situations: ${one.note} (auth.header-only)`]);
  });

  test('escapes ids, which are those of a file', () => {
    const blockedBy = 'errors.shape\u001b[31m' as MustRecord['blockedBy'];
    if (blockedBy === undefined) throw new Error('it is named');
    expect(inconclusive({ why: 'waits', blockedBy })).toEqual(['auth.header-only, "a title" waits for errors.shape\\u001b[31m']);
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
      'auth.header-only, "a title": 3 cases are explained by other findings',
      'auth.header-only, "a title": 1 exchange judged; 4 more are explained by list.limit-maximum',
      'auth.header-only, "a title": 1 case is explained by media.transport, which is not selected',
    ]);
  });

  test('names a single one', () => {
    expect(inconclusive({ why: 'waits', blockedBy: 'errors.shape' })).toEqual(['auth.header-only, "a title" waits for errors.shape']);
  });
});
