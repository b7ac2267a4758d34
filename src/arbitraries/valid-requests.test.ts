import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isInt64 } from '../schema/validators.ts';
import { allowedParameters, unusualCategories, unusualTails } from './valid-requests.ts';

describe('unusualTails', () => {
  it('makes well-formed strings that are not empty', () => {
    fc.assert(
      fc.property(unusualTails(), (tail) => tail !== '' && tail.isWellFormed()),
      { numRuns: 1000 },
    );
  });
});

describe('unusualCategories', () => {
  it('makes int64 only', () => {
    fc.assert(
      fc.property(unusualCategories(), (category) => isInt64(category) || (category >= -(2n ** 63n) && category < 2n ** 63n)),
      { numRuns: 1000 },
    );
  });

  it('reaches both ends of int64', () => {
    const categories = new Set(fc.sample(unusualCategories(), { numRuns: 2000, seed: 1 }));
    expect(categories.has(2n ** 63n - 1n) && categories.has(-(2n ** 63n))).toBe(true);
  });
});

describe('list parameters', () => {
  it('makes limits of 1 to 100 only', () => {
    fc.assert(
      fc.property(allowedParameters(), ({ limit }) => limit === undefined || (Number.isInteger(limit) && limit >= 1 && limit <= 100)),
    );
  });

  it('makes every combination of present and absent', () => {
    const shapes = new Set(
      fc.sample(allowedParameters(), { numRuns: 300, seed: 1 }).map((parameters) => Object.keys(parameters).sort().join()),
    );
    expect([...shapes].sort()).toEqual(['', 'limit', 'limit,status', 'status']);
  });
});
