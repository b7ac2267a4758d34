import { describe, expect, test } from 'vitest';
import { sampleExchange, sampleRecord } from '../../test/report/sample-record.ts';
import type { ClauseId } from '../clause/clause.ts';
import type { ClauseRecord } from '../clause/clause-record.ts';
import type { RunRecord } from '../clause/run-record.ts';
import { breakagesOf, byWeight, weightOf, weightOfAll } from './repair-order.ts';

type Law = { readonly clause: ClauseId; readonly exchanges: readonly number[]; readonly judged?: number; readonly flaky?: true };

/** A record in which only these clauses are broken, on these exchanges. */
function recordOf(...laws: readonly Law[]): RunRecord {
  const record = sampleRecord();
  const [clause] = record.clauses;
  if (clause === undefined) throw new Error('the sample has no clause');
  const clauses = laws.map(({ clause: id, exchanges, judged = 100, flaky }): ClauseRecord => {
    const cases = exchanges.map((exchange) => ({ summary: `exchange ${exchange}`, exchange }));
    const findings = exchanges.slice(0, 1).map((number) => ({
      ...{ summary: `exchange ${number}`, expected: [], received: '' },
      exchanges: [sampleExchange({ number, request: 'GET /pets', status: 500 })],
    }));
    const evidence = { judged, broken: exchanges.length };
    return { ...clause, id, level: 'required', verdict: 'fail', ...(flaky === true ? { flaky } : {}), cases, findings, evidence };
  });
  return { ...record, clauses };
}

const consequences = (...laws: readonly Law[]) =>
  breakagesOf(recordOf(...laws)).map(({ clause, consequenceOf }) => [clause.id, consequenceOf]);

describe('breakagesOf', () => {
  const failed: Law = { clause: 'errors.no-server-error', exchanges: [3, 4, 5] };

  test('treats a clause as a consequence if each of its cases is an unserved request', () => {
    expect(consequences({ clause: 'media.json', exchanges: [3, 5] }, failed)).toEqual([
      ['media.json', 'errors.no-server-error'],
      ['errors.no-server-error', undefined],
    ]);
  });

  test('does not treat a clause with a case of its own as a consequence', () => {
    expect(consequences({ clause: 'media.json', exchanges: [3, 6] }, failed)[0]).toEqual(['media.json', undefined]);
    expect(consequences({ clause: 'media.json', exchanges: [7] }, failed)[0]).toEqual(['media.json', undefined]);
  });

  test('treats a request as unserved if its response says so, whoever counts it', () => {
    expect(consequences({ clause: 'auth.wrong-key', exchanges: [6, 3] }, failed)[0]).toEqual(['auth.wrong-key', 'errors.no-server-error']);
  });

  test('does not treat a failure that recurs as a consequence of one that did not', () => {
    expect(consequences({ clause: 'media.json', exchanges: [3] }, { ...failed, flaky: true })[0]).toEqual(['media.json', undefined]);
    expect(consequences({ clause: 'media.json', exchanges: [3], flaky: true }, { ...failed, flaky: true })[0]).toEqual([
      'media.json',
      'errors.no-server-error',
    ]);
  });

  test('treats a failure that recurs as a consequence where so many requests were not served that this was chance', () => {
    const cause = { ...failed, flaky: true } as const;
    expect(consequences({ clause: 'media.json', exchanges: [3, 4, 5] }, cause)[0]).toEqual(['media.json', 'errors.no-server-error']);
    expect(consequences({ clause: 'media.json', exchanges: [3, 4] }, cause)[0]).toEqual(['media.json', undefined]);
  });

  test('takes a case of which only the number is kept for one like the others if nine of ten are shared', () => {
    const many = Array.from({ length: 19 }, (_unused, index) => index + 1);
    const cause: Law = { clause: 'errors.no-server-error', exchanges: many };
    expect(consequences({ clause: 'media.json', exchanges: [...many, 70] }, cause)[0]).toEqual(['media.json', 'errors.no-server-error']);
    expect(consequences({ clause: 'media.json', exchanges: [...many, 70, 71, 72] }, cause)[0]).toEqual(['media.json', undefined]);
  });

  test.each([
    [9, false],
    [10, true],
  ])('calls %i failures among a hundred requests widespread: %s', (failures, widespread) => {
    const exchanges = Array.from({ length: failures }, (_unused, index) => index);
    expect(breakagesOf(recordOf({ clause: 'errors.no-server-error', exchanges }))[0]?.isWidespread).toBe(widespread);
    expect(breakagesOf(recordOf({ clause: 'media.json', exchanges }))[0]?.isWidespread).toBe(false);
  });
});

test.each([
  [['deprecation.replacement', 'list.filter-complete'], 'list.filter-complete'],
  [['deprecation.replacement', 'list.complete'], undefined],
] as const)('of %j, the replacement of what is deprecated rests on %s', (clauses, rested) => {
  const [first] = breakagesOf(recordOf(...clauses.map((clause) => ({ clause, exchanges: [1] }))));
  expect([first?.restsOn, first?.repeats]).toEqual([rested, rested]);
});

test('the replacement does not repeat a filter that another response shows broken', () => {
  const [first] = breakagesOf(
    recordOf({ clause: 'deprecation.replacement', exchanges: [1, 2] }, { clause: 'list.filter-complete', exchanges: [1, 3] }),
  );
  expect([first?.restsOn, first?.repeats]).toEqual(['list.filter-complete', undefined]);
});

describe('byWeight', () => {
  const plain = weightOf({ level: 'required' });
  const ordered = [
    { ...plain, isWidespread: true },
    { ...plain, waiting: 30, level: 'implied' as const },
    { ...plain, waiting: 2 },
    plain,
    { ...plain, level: 'implied' as const, total: 7 },
    { ...plain, level: 'implied' as const },
    { ...plain, isFlaky: true, total: 90 },
    { ...plain, restsOn: 'list.filter-complete' as const, total: 900 },
  ];

  test('puts first what did not work at all, then what the most situations wait for', () => {
    expect(ordered.toReversed().toSorted(byWeight)).toEqual(ordered);
  });

  test('weighs a cause by everything that it explains', () => {
    expect(
      weightOfAll([
        { ...plain, level: 'implied', waiting: 3 },
        { ...plain, waiting: 4 },
      ]),
    ).toEqual({ ...plain, waiting: 7, total: 2 });
  });
});
