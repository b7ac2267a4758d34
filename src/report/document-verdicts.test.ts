import { describe, expect, test } from 'vitest';
import { sampleRecord } from '../../test/report/sample-record.ts';
import type { Level } from '../clause/clause.ts';
import { SENTENCES } from '../clause/interface-document.ts';
import type { Verdict } from '../clause/outcome.ts';
import type { RunRecord } from '../clause/run-record.ts';
import { countSentences, judgeSentences } from './document-verdicts.ts';

/** The sentence `default-status` has an open clause, a required one and an implied one. */
const AT_DEFAULT = ['create.default-status', 'create.status-optional', 'create.independent'] as const;
const LEVELS: Readonly<Record<string, Level>> = {
  'create.default-status': 'open',
  'create.status-optional': 'required',
  'create.independent': 'implied',
};

/** A run that judged the clauses of that sentence, each with this verdict; undefined if it did not judge it. */
function runWith(verdicts: readonly (Verdict | undefined)[], changes: Partial<RunRecord> = {}): RunRecord {
  const record = sampleRecord();
  const [clause] = record.clauses;
  if (clause === undefined) throw new Error('the sample has clauses');
  const clauses = AT_DEFAULT.flatMap((id, index) => {
    const verdict = verdicts[index];
    return verdict === undefined ? [] : [{ ...clause, id, verdict, level: LEVELS[id] ?? 'required' }];
  });
  return { ...record, clauses, ...changes };
}

const at = (record: RunRecord, id = 'default-status') => judgeSentences(record).get(id);

describe('judgeSentences', () => {
  test.each<readonly [verdicts: readonly (Verdict | undefined)[], expected: string]>([
    [['observed', 'pass', 'pass'], 'passed'],
    [['observed', 'pass', 'fail'], 'failed'],
    [['observed', 'inconclusive', 'fail'], 'failed'],
    [['observed', 'waived', 'pass'], 'waived'],
    [['observed', 'pass', 'inconclusive'], 'undecided'],
    [['inconclusive', 'pass', 'pass'], 'passed'],
    [['observed', 'not-applicable', 'pass'], 'passed'],
    [['observed', 'not-applicable', 'not-applicable'], 'not-applicable'],
    [['observed', 'pass', undefined], 'undecided'],
    [[undefined, undefined, undefined], 'undecided'],
  ])('an open, a required, and an implied clause with %j make a sentence %s', (verdicts, expected) => {
    expect(at(runWith(verdicts))?.verdict).toBe(expected);
  });

  test('a sentence with advised clauses alone warns, and fails in a strict run', () => {
    const record = sampleRecord();
    const id = 'headers-gap';
    const clauses = record.clauses.filter((clause) => clause.id === 'auth.challenge');
    expect(at({ ...record, clauses }, id)?.verdict).toBe('warning');
    expect(at({ ...record, clauses, options: { ...record.options, strict: true } }, id)?.verdict).toBe('failed');
  });

  test('a sentence with open clauses alone is observed, and undecided if nothing was observed', () => {
    const record = sampleRecord();
    const clauses = record.clauses.filter(({ id }) => id === 'list.limit-out-of-range');
    expect(at({ ...record, clauses }, 'limit-outside')).toMatchObject({ verdict: 'observed', telling: [{ status: 'observed' }] });
    const unseen = clauses.map((clause) => ({ ...clause, verdict: 'inconclusive' as const }));
    expect(at({ ...record, clauses: unseen }, 'limit-outside')?.verdict).toBe('undecided');
  });

  test('what is broken stands first, with its finding, and a clause of no verdict is there by its name', () => {
    const found = at(sampleRecord(), 'list-limit');
    expect(found?.telling[0]).toMatchObject({
      id: 'list.limit-maximum',
      status: 'failed',
      note: '2 cases: a limit of 5 returned 6 animals',
    });
    expect(found?.plain).toContainEqual({
      status: 'not-selected',
      clauses: expect.arrayContaining([expect.objectContaining({ id: 'list.limit-accepted' })]),
    });
  });

  test('has every sentence of the document, and each has a verdict or nothing to judge', () => {
    const judged = judgeSentences(sampleRecord());
    expect([...judged.keys()]).toEqual(SENTENCES.map(({ id }) => id));
    for (const { sentence, verdict } of judged.values()) expect('clauses' in sentence).toBe(verdict !== 'nothing-to-judge');
  });
});

test('countSentences counts each sentence once, and as judged what has a verdict', () => {
  const { all, judged, by } = countSentences(judgeSentences(sampleRecord()).values());
  expect(all).toBe(SENTENCES.length);
  expect(Object.values(by).reduce((sum, one) => sum + one, 0)).toBe(all);
  expect(judged).toBe(by.passed + by.failed + by.warning + by.waived + by.observed + by['not-applicable']);
  expect(by['nothing-to-judge']).toBe(SENTENCES.filter((sentence) => !('clauses' in sentence)).length);
});
