import { describe, expect, test } from 'vitest';
import { clauses } from '../../suites/clauses/index.ts';
import { error, history, pet } from '../../test/support/history.ts';
import { historyOf, listed, posted, read, type Step } from '../../test/support/judged.ts';
import type { Json } from '../wire/json.ts';
import { createLeftovers } from './leftovers.ts';
import { judgeHistory } from './verdicts.ts';

const LEFT = pet(7, { name: 'ConformanceQrstuAaaa', categoryId: '3' });

test.each(['/pets', '/pets?limit=-1'])('an invalid animal of an earlier run that only %s shows is a warning', (target) => {
  const run = history();
  run.add({ target: '/pets?limit=1' }, { status: 200, body: [pet(1)] });
  run.add({ target }, { status: 200, body: [pet(1), LEFT] });
  run.add({ body: { name: 'ConformanceTestBbbb', categoryId: '3' } }, error(400));
  const verdicts = new Map(judgeHistory(clauses, run.now()).map((one) => [one.clause.id as string, one]));
  expect(verdicts.get('record.leftovers')).toMatchObject({ verdict: 'fail', note: expect.stringContaining('7 (categoryId "3")') });
  expect(verdicts.get('record.pets')?.verdict).not.toBe('fail');
});

const VALID = { id: 1, name: 'Rex', categoryId: 1, status: 'sold' };
const OLD = { id: 2, name: 'ConformanceOlderAaab', categoryId: 2n ** 63n };
const RANGE = 'create.category-range';
const SENT = 'ConformanceTodayAaab';

const follow = (ids: readonly string[] = []) =>
  createLeftovers(
    ids,
    (id) => id === 9n,
    (name) => name === SENT,
  );

describe('leftovers', () => {
  test.each<[string, Json, readonly string[]]>([
    ['outside int64', OLD, [RANGE]],
    ['as a text', { ...OLD, categoryId: '1' }, ['create.category-type']],
    ['as a fraction that a double loses', { ...OLD, categoryId: Number.NaN }, ['create.category-type']],
    ['of hundreds of digits', { ...OLD, categoryId: Number.POSITIVE_INFINITY }, [RANGE]],
    ['missing', { id: 2, name: OLD.name }, ['create.category-required']],
    ['null', { ...OLD, categoryId: null }, ['create.category-required']],
    ['right, and a status of no kind', { ...OLD, categoryId: 1, status: 'gone' }, ['create.status-invalid']],
    ['right, and a status that is null, as serializers write it', { ...OLD, categoryId: 1, status: null }, []],
    ['spelled otherwise, as serializers do', { id: 2, name: OLD.name, category_id: 1 }, []],
    ['right', { ...OLD, categoryId: 1 }, []],
    ['wrong, of an animal of this run', { ...OLD, name: SENT }, []],
    ['wrong, of an animal of others', { ...OLD, name: 'Rex' }, []],
  ])('know which clause a record with the categoryId %s breaks', (_what, record, clauses) => {
    expect(follow().leftovers.clausesOf(record)).toEqual(clauses);
  });

  test('without a name of the suite are known by their ids', () => {
    const nameless = { id: 7, name: 42, categoryId: 1 };
    expect(follow().leftovers.clausesOf(nameless)).toEqual([]);
    expect(follow(['7']).leftovers.clausesOf(nameless)).toEqual(['create.name-type']);
    expect(follow(['9']).leftovers.clausesOf({ ...nameless, id: 9 })).toEqual([]);
  });

  test('are old if a list shows them next to valid records', () => {
    const { leftovers, notice } = follow();
    notice([OLD]);
    expect(leftovers.areOld([RANGE])).toBe(false);
    notice([VALID, OLD]);
    expect(leftovers.areOld([RANGE])).toBe(true);
    expect(leftovers.found().map(({ id }) => id)).toEqual([2n]);
  });

  test('with a broken status are old only next to a valid status', () => {
    const { leftovers, notice } = follow();
    const shouting = { ...OLD, categoryId: 1, status: 'SOLD' };
    notice([{ id: 1, name: 'Rex', categoryId: 1 }, shouting]);
    expect(leftovers.areOld(['create.status-invalid'])).toBe(false);
    notice([VALID, shouting]);
    expect(leftovers.areOld(['create.status-invalid'])).toBe(true);
  });

  test('are not old if an animal of others has such a value, if a creation of today is accepted with such a value, if its 201 shows one, or if a read shows that nothing such is stored', () => {
    const seen = listed({}, { status: 200, body: [VALID, OLD] });
    const areOld = (step: Step) => historyOf([seen, step]).now().leftovers.areOld([RANGE]);
    expect(areOld(listed({}, { status: 200, body: [VALID, { ...OLD, name: 'Balu' }] }))).toBe(false);
    expect(areOld(read(1n, { status: 200, body: VALID }))).toBe(true);
    expect(areOld(posted({ name: SENT, categoryId: 2n ** 63n }, { status: 201, body: { id: 3, name: SENT, categoryId: 1 } }))).toBe(false);
    expect(areOld(posted({ name: SENT, categoryId: 1 }, { status: 201, body: { ...OLD, id: 3, name: SENT } }))).toBe(false);
    expect(areOld(read(2n, { status: 200, body: { ...OLD, categoryId: 1 } }))).toBe(false);
  });
});
