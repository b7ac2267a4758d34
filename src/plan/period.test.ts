import { describe, expect, test } from 'vitest';
import { periodOf } from './period.ts';

const sequence = (length: number, isBroken: (index: number) => boolean): readonly boolean[] =>
  Array.from({ length }, (_unused, index) => isBroken(index));

describe('periodOf', () => {
  test.each([2, 3, 7, 19, 40])('names every %ith of a long sequence', (period) => {
    expect(periodOf([sequence(600, (index) => index % period === 1)])).toBe(period);
  });

  test('names what is nearly every 40th, because requests overlap', () => {
    const near = new Set(Array.from({ length: 15 }, (_unused, index) => 40 * index + ((7 * index) % 4)));
    expect(periodOf([sequence(600, (index) => near.has(index))])).toBe(40);
  });

  test('names what was left out once, half way', () => {
    expect(periodOf([sequence(600, (index) => index % 40 === 1 && index !== 281)])).toBe(40);
  });

  test('names every third of several short sequences', () => {
    expect(periodOf(Array.from({ length: 12 }, () => sequence(9, (index) => index % 3 === 2)))).toBe(3);
  });

  test('is silent about what comes by lot, in a row, or seldom', () => {
    const drawn = new Set([3, 9, 30, 31, 58, 77, 81, 120, 144, 151, 190, 199]);
    expect(periodOf([sequence(200, (index) => drawn.has(index))])).toBeUndefined();
    expect(periodOf([sequence(200, (index) => index > 100)])).toBeUndefined();
    expect(periodOf([sequence(200, (index) => index === 50 || index === 100)])).toBeUndefined();
    expect(periodOf([])).toBeUndefined();
  });
});
