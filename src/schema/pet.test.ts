import { describe, expect, test } from 'vitest';
import { petViews } from './pet.ts';

const animals = (count: number): { id: number; name: string; categoryId: number }[] =>
  Array.from({ length: count }, (_unused, id) => ({ id, name: 'Rex', categoryId: 1 }));

describe('petViews', () => {
  test('views each animal of a list of a thousand', () => {
    expect(petViews(animals(1_000)).map((pet) => pet?.id)).toEqual(animals(1_000).map(({ id }) => BigInt(id)));
  });

  test('views the first and the last five hundred of a longer one, each at its place', () => {
    const views = petViews(animals(12_000));
    expect(views).toHaveLength(12_000);
    const viewed = views.flatMap((pet, index) => (pet === undefined ? [] : [{ index: BigInt(index), id: pet.id }]));
    expect(viewed).toHaveLength(1_000);
    expect(viewed.every(({ index, id }) => id === index)).toBe(true);
    expect([views[499]?.id, views[500], views[11_499], views[11_500]?.id]).toEqual([499n, undefined, undefined, 11_500n]);
  });

  test('views the first five hundred of a broken one, and counts the rest as one', () => {
    const views = petViews([...animals(700), null]);
    expect([views.length, views[499]?.id, views[500]]).toEqual([501, 499n, undefined]);
  });
});
