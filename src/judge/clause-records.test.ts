import { describe, expect, test } from 'vitest';
import { sessionOptions } from '../../proof/judge-reference.ts';
import { clauses } from '../../suites/clauses/index.ts';
import { error, history, KEY, NAME, pet } from '../../test/support/history.ts';
import { type ClauseId, isBinding } from '../clause/clause.ts';
import type { ClauseRecord } from '../clause/clause-record.ts';
import { judgeHistory } from '../oracle/verdicts.ts';
import type { Depth } from '../session/session.ts';
import type { Sent, Vector } from '../session/vector.ts';
import { type Again, NOT_REPEATED } from './again.ts';
import { clauseRecordsOf } from './clause-records.ts';
import type { Condition } from './condition.ts';

type Run = ReturnType<typeof history>;
type More = {
  readonly conditions?: readonly Condition[];
  readonly again?: readonly Again[];
  readonly vectorOf?: (sent: Sent) => Vector | undefined;
  readonly asOf?: string;
  readonly curtailed?: ReadonlySet<ClauseId>;
  readonly stopped?: string;
  readonly depth?: Depth;
};

const session = sessionOptions('http://localhost/v1');

function recordsOf(run: Run, more: More = {}): readonly ClauseRecord[] {
  const { conditions = [], again = [], vectorOf = () => undefined, asOf, curtailed = new Set<ClauseId>(), stopped, depth } = more;
  const world = run.now();
  const versionsOf = (vector: Vector): readonly string[] => (vector.op === 'list' && vector.limit === 7 ? ['3.4'] : ['2.0']);
  const told = { world, verdicts: judgeHistory(clauses, world), conditions, again, vectorOf, curtailed, stopped };
  return clauseRecordsOf(told, { session: { ...session, ...(depth === undefined ? {} : { depth }) }, versionsOf, asOf });
}

function recordOf(run: Run, id: ClauseId, more: More = {}): ClauseRecord {
  const record = recordsOf(run, more).find((one) => one.id === id);
  if (record === undefined) throw new Error(`there is no record of ${id}`);
  return record;
}

const limited = (limit: number, status: number) => [{ target: `/pets?limit=${limit}` }, error(status)] as const;

/** A service that has shown an animal, and rejects two limits, one of them in another way. */
function rejecting(): Run {
  const run = history();
  run.add({}, { status: 200, body: [pet(1)] });
  run.add({ credential: undefined }, error(401));
  run.add({ target: '/pets?limit=20' }, { status: 200, body: [pet(1)] });
  for (const limit of [7, 8, 9]) run.add(...limited(limit, 400));
  run.add(...limited(8, 404));
  return run;
}

describe('clauseRecordsOf', () => {
  test('leaves no situation undecided of a clause that does not apply', () => {
    const record = recordOf(rejecting(), 'errors.infrastructure-errors');
    expect([record, ...record.musts].map(({ verdict }) => verdict)).toEqual(['not-applicable', 'not-applicable']);
  });

  test('has the verdict of each situation of a clause, by the cases that meet it', () => {
    const record = recordOf(rejecting(), 'list.limit-accepted');
    expect(record).toMatchObject({
      ...{ verdict: 'fail', chapter: 'list-pets', level: 'required', evidence: { judged: 5, broken: 4 } },
      note: 'GET /pets?limit=7 returned 400; expected 200 (4 of 5 exchanges)',
    });
    expect(record.musts.map(({ title, verdict, why }) => [title, verdict, why])).toEqual([
      ['limit 1', 'inconclusive', 'circumstance'],
      ['limit 2 to 19', 'fail', undefined],
      ['limit 20', 'pass', undefined],
      ['limit 21 to 99', 'inconclusive', 'circumstance'],
      ['limit 100', 'inconclusive', 'circumstance'],
    ]);
    expect(record.musts[2]?.note).toBe('1 exchange judged, which does not break it');
  });

  test('keeps by what a later run sees a broken clause once more, as far as that is shown', () => {
    const clause = 'list.limit-accepted';
    const keptOf = (row: Vector) => recordOf(rejecting(), clause, { again: [{ clause, rows: [row], musts: ['limit 2 to 19'] }] }).again;
    expect(keptOf({ op: 'list', limit: 7 })).toEqual({ rows: [{ op: 'list', limit: 7 }], musts: ['limit 2 to 19'] });
    expect(keptOf({ op: 'get', id: `=${KEY}` })).toEqual({ rows: [], musts: ['limit 2 to 19'], doubt: NOT_REPEATED });
  });

  test('says of a passed clause how much of it was not judged', () => {
    const record = recordOf(rejecting(), 'list.complete');
    expect(record).toMatchObject({ verdict: 'pass', findings: [], observations: [] });
    expect(record.note).toMatch(/^\d+ exchanges? judged, .*; 1 of its 2 situations was not judged$/);
    expect(record).not.toHaveProperty('cases');
  });

  test('has every case with its kind and its row, and findings of different kinds first', () => {
    const vectorOf = ({ target }: Sent): Vector => ({ op: 'list', limit: Number(target.replace(/.*=/, '')) });
    const { cases = [], findings, failureKinds } = recordOf(rejecting(), 'list.limit-accepted', { vectorOf });
    expect(failureKinds).toEqual([{ operation: 'listPets', place: 'HTTP status', expected: '200', received: '4xx', cases: 4 }]);
    expect(cases.map(({ exchange, row }) => [exchange, row])).toEqual([
      [4, { op: 'list', limit: 7 }],
      [5, { op: 'list', limit: 8 }],
      [6, { op: 'list', limit: 9 }],
      [7, { op: 'list', limit: 8 }],
    ]);
    expect(findings.map(({ exchanges }) => exchanges.map(({ number }) => number))).toEqual([[4], [7], [5], [6]]);
  });

  test('bounds the findings at twenty, keeps every case, and shows what breaks each situation', () => {
    const run = rejecting();
    for (let count = 0; count < 30; count += 1) run.add(...limited(5, 400));
    run.add(...limited(100, 400));
    const { cases, findings, musts } = recordOf(run, 'list.limit-accepted');
    expect([cases?.length, findings.length]).toEqual([35, 20]);
    const broken = musts.filter(({ verdict }) => verdict === 'fail');
    expect(broken.map(({ title }) => title)).toEqual(['limit 2 to 19', 'limit 100']);
    expect(findings.map(({ summary }) => summary)).toEqual(expect.arrayContaining(broken.map(({ note }) => note)));
  });

  test('shows the plainest request first', () => {
    const vectorOf = ({ target }: Sent): Vector =>
      target.endsWith('9') ? { op: 'list', limit: 9 } : { op: 'list', client: ['browser', 'no Accept'] };
    expect(recordOf(rejecting(), 'list.limit-accepted', { vectorOf }).note).toContain('limit=9');
  });

  test('shows no key: neither in texts nor in rows', () => {
    const run = rejecting();
    run.add({ target: `/pets?limit=6&token=${KEY}` }, { status: 400, body: { code: KEY, message: `no ${KEY}`, status: 400 } });
    const vectorOf = (): Vector => ({ op: 'get', id: `=${KEY}` });
    const records = recordsOf(run, { vectorOf });
    expect(JSON.stringify(records)).toContain('[key]');
    expect(JSON.stringify(records)).not.toContain(KEY);
    expect(records.flatMap(({ cases = [] }) => cases.filter(({ row }) => row !== undefined))).toEqual([]);
  });

  test('has a curl command that takes the key from the environment', () => {
    const [finding] = recordOf(rejecting(), 'list.limit-accepted').findings;
    expect(finding?.exchanges[0]).toMatchObject({
      ...{ method: 'GET', url: 'http://localhost/v1/pets?limit=7', credential: 'the API key', operation: 'listPets' },
      curl: `curl -sS -i -H 'accept: application/json' -H "authorization: Bearer $PETSTORE_API_KEY" 'http://localhost/v1/pets?limit=7'`,
    });
  });
});

const SILENT: Omit<Condition, 'clause'> = {
  ...{ condition: '', when: undefined, by: 'silence', unit: 'response', failing: undefined, right: undefined },
  ...{ broken: { broken: 3, of: 4 }, otherwise: { broken: 0, of: 0 } },
};

describe('when a clause is broken', () => {
  const clause = 'list.limit-accepted';

  test('is in the record with the requests that show it', () => {
    const run = rejecting();
    const [twin, broken] = [run.now().all[2], run.now().all[3]];
    if (twin === undefined || broken === undefined) throw new Error('two requests were sent');
    const counts = { broken: { broken: 3, of: 3 }, otherwise: { broken: 0, of: 5 } };
    const condition: Condition = {
      ...SILENT,
      clause,
      ...counts,
      by: 'halving',
      when: 'with a limit of 9 or less',
      shown: { broken, twin },
    };
    expect(recordOf(run, clause, { conditions: [condition] }).contrast).toMatchObject({
      ...{ when: 'with a limit of 9 or less', unit: 'response', there: counts.broken, elsewhere: counts.otherwise },
      ...{ broken: { number: 4 }, twin: { number: 3 } },
    });
  });

  test('has the request that is broken in company, and how many were under way at once', () => {
    const run = rejecting();
    const [, , , broken] = run.now().all;
    if (broken === undefined) throw new Error('four requests were sent');
    const condition: Condition = {
      ...SILENT,
      clause,
      by: 'halving',
      when: 'with 2 other requests under way',
      shown: { broken },
      atOnce: 3,
    };
    expect(recordOf(run, clause, { conditions: [condition] }).contrast).toMatchObject({ broken: { number: 4 }, atOnce: 3 });
  });

  test('is left out where nothing is known', () => {
    expect(recordOf(rejecting(), clause, { conditions: [{ ...SILENT, clause }] })).not.toHaveProperty('contrast');
    const sometimes: Condition = { ...SILENT, clause, by: 'search' };
    expect(recordOf(rejecting(), clause, { conditions: [sometimes] })).not.toHaveProperty('contrast');
  });

  test('is not known where it was right when it was sent again: it is flaky', () => {
    expect(recordOf(rejecting(), clause, { conditions: [{ ...SILENT, clause, isGone: true }] }).flaky).toBe(true);
    expect(recordOf(rejecting(), clause)).not.toHaveProperty('flaky');
  });
});

describe('--as-of', () => {
  const vectorOf = ({ target }: Sent): Vector => ({ op: 'list', limit: Number(target.replace(/.*=/, '')) });
  const onlySeven = (): Run => {
    const run = history();
    run.add({}, { status: 200, body: [pet(1)] });
    run.add(...limited(7, 400));
    return run;
  };

  test('marks a clause that only rows with newer values break, with its situations', () => {
    const record = recordOf(onlySeven(), 'list.limit-accepted', { vectorOf, asOf: '3.3' });
    expect(record.newer).toBe(true);
    expect(record.musts.every(({ newer }) => newer === true)).toBe(true);
  });

  test('marks nothing that other rows break too, that passes, or that is as old as the version', () => {
    expect(recordOf(rejecting(), 'list.limit-accepted', { vectorOf, asOf: '3.3' })).not.toHaveProperty('newer');
    expect(recordOf(onlySeven(), 'list.limit-accepted', { vectorOf, asOf: '3.4' })).not.toHaveProperty('newer');
    expect(recordOf(onlySeven(), 'list.success', { vectorOf, asOf: '3.3' })).not.toHaveProperty('newer');
  });

  test('marks every clause that is newer than the version, whatever its verdict is', () => {
    expect(recordsOf(rejecting(), { asOf: '1.0' }).filter(({ newer }) => newer !== true)).toEqual([]);
  });

  test('does not blame a newer value for what fails without it', () => {
    const condition: Condition = { ...SILENT, clause: 'list.limit-accepted', by: 'halving', failing: { op: 'list', limit: 6 } };
    expect(recordOf(onlySeven(), 'list.limit-accepted', { vectorOf, asOf: '3.3', conditions: [condition] })).not.toHaveProperty('newer');
  });
});

test('what waits for a clause that is not broken in the end waits for nothing', () => {
  const run = history();
  run.add({}, { status: 200, body: [pet(1)] });
  for (let count = 0; count < 4; count += 1) run.add({ target: '/pets?limit=5' }, error(401));
  const records = recordsOf(run);
  expect(records.filter((one) => one.verdict === 'fail' && isBinding(one)).map(({ id }) => id)).toEqual([]);
  expect(records.flatMap(({ musts }) => musts.flatMap(({ blockedBy }) => blockedBy ?? []))).toEqual([]);
});

test('what waits for a clause that is broken waits for it', () => {
  const run = history();
  run.add({}, { status: 200, body: [pet(1)] });
  for (const body of [{ name: NAME, categoryId: 3 }, { categoryId: 3 }]) run.add({ body }, error('name' in body ? 500 : 400));
  const { blockedBy, musts } = recordOf(run, 'create.name-required');
  expect([blockedBy, musts[0]?.blockedBy]).toEqual(['errors.no-server-error', 'errors.no-server-error']);
});

test.each([
  ['nothing was left out', {}, []],
  [
    'a budget was too small for what is sent for one clause',
    { curtailed: new Set<ClauseId>(['list.limit-accepted']) },
    ['list.limit-accepted'],
  ],
  ['the run ended early', { stopped: 'the run was interrupted' }, clauses.map(({ id }) => id)],
  ['the run was quick', { depth: 'quick' }, clauses.map(({ id }) => id)],
] as const)('a record says for which clauses more would be sent: %s', (_case, more, expected) => {
  const curtailed = recordsOf(rejecting(), more).filter((one) => one.curtailed === true);
  expect(curtailed.map(({ id }) => id)).toEqual(expected);
});
