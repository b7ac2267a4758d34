import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { schemaProblems } from '../schema/validators.ts';
import { readJson } from '../wire/json.ts';
import * as bodies from './invalid-bodies.ts';

const valid = { name: 'conformanceAbcd', categoryId: 7n, status: 'sold' } as const;

/** Whether a strict reader of the document must reject the body. */
function isInvalid(text: string): boolean {
  const reading = readJson(text);
  return !reading.ok || schemaProblems('new-pet', reading.value).length > 0;
}

describe('invalid bodies', () => {
  for (const [name, arbitrary] of Object.entries({
    missingName: bodies.missingFields('name'),
    missingCategory: bodies.missingFields('categoryId'),
    wrongNames: bodies.wrongNames(),
    wrongCategories: bodies.wrongCategories(),
    hugeCategories: bodies.hugeCategories(),
    wrongStatuses: bodies.wrongStatuses(),
    anyInvalidBody: bodies.anyInvalidBody(),
  })) {
    it(`${name} only makes bodies that the document forbids`, () => {
      fc.assert(
        fc.property(arbitrary, (mutation) => isInvalid(mutation.body(valid))),
        { numRuns: 1000 },
      );
    });
  }

  it('brokenBodies makes texts that are not JSON', () => {
    fc.assert(
      fc.property(bodies.brokenBodies(), (mutation) => !readJson(mutation.body(valid)).ok),
      { numRuns: 1000 },
    );
  });

  it('nonObjects makes JSON that is not an object', () => {
    fc.assert(
      fc.property(bodies.nonObjects(), (mutation) => {
        const value: unknown = JSON.parse(mutation.body(valid));
        return typeof value !== 'object' || value === null || Array.isArray(value);
      }),
    );
  });

  it('every field mutation keeps the body JSON', () => {
    const fields = fc.oneof(bodies.wrongNames(), bodies.wrongCategories(), bodies.hugeCategories(), bodies.wrongStatuses());
    fc.assert(
      fc.property(fields, (mutation) => readJson(mutation.body(valid)).ok),
      { numRuns: 1000 },
    );
  });

  it('needs no status of its own', () => {
    const { status: _status, ...without } = valid;
    fc.assert(fc.property(bodies.anyInvalidBody(), (mutation) => isInvalid(mutation.body(without))));
    expect(isInvalid('{"name":"a","categoryId":1}')).toBe(false);
  });
});
