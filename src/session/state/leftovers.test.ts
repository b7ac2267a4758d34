import { describe, expect, test } from 'vitest';
import { posted } from '../../../test/support/exchange-samples.ts';
import type { Json } from '../../wire/json.ts';
import { createLeftovers } from './leftovers.ts';

const VALID = { id: 1, name: 'Rex', categoryId: 1, status: 'sold' };
const OLD = { id: 2, name: 'conformanceOlderAaab', categoryId: 2n ** 63n };
const RANGE = 'create.category-range';

const follow = (leftoverIds: readonly string[] = []) => createLeftovers({ runTag: 'today', leftoverIds }, (id) => id === '9');

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
    ['wrong, of an animal of this run', { ...OLD, name: 'conformanceTodayAaab' }, []],
    ['wrong, of an animal of others', { ...OLD, name: 'Rex' }, []],
  ])('knows which clause a record with the categoryId %s breaks', (_what, record, clauses) => {
    expect(follow().leftovers.clausesOf(record)).toEqual(clauses);
  });

  test('knows animals without a name of the suite by their ids', () => {
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

  test('are known in a list of any length', () => {
    const { leftovers, notice } = follow();
    notice([...Array.from({ length: 912 }, (_unused, index) => ({ ...VALID, id: 1_000 + index })), OLD]);
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

  test.each<[string, (old: ReturnType<typeof follow>) => void]>([
    [
      'a creation of today is accepted with such a value',
      (old) => old.enter(posted({}, { status: 201 }, { domain: 'invalid', clause: RANGE }), undefined),
    ],
    ['the response to a creation shows such a value', (old) => old.enter(posted({}, { status: 201 }), { ...OLD, name: 'x' })],
    ['an animal of others has such a value', (old) => old.notice([VALID, { ...OLD, name: 'Balu' }])],
    ['a read shows that it is not what is stored', (old) => old.notice({ ...OLD, categoryId: 1 })],
  ])('are not old if %s', (_what, happens) => {
    const old = follow();
    old.notice([VALID, OLD]);
    happens(old);
    expect(old.leftovers.areOld([RANGE])).toBe(false);
  });
});
