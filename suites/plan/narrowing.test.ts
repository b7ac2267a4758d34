import { expect, test } from 'vitest';
import { CONSENTS } from '../../src/plan/choose.ts';
import { dimensionsOf, valueIn } from '../../src/plan/halve.ts';
import { vectorsOf } from '../../src/plan/row.ts';
import type { Vector } from '../../src/session/vector.ts';
import { planOf } from './index.ts';
import { WORDING } from './narrowing.ts';

const BOUNDLESS = { requests: Number.POSITIVE_INFINITY, creations: Number.POSITIVE_INFINITY };

/** Every value that a thorough run sends, drawn ones and packs included, each alone. */
function valuesSent(seed: number): readonly (readonly [vector: Vector, dimension: string])[] {
  const { phases } = planOf(
    { size: 7, rarestStatus: 'sold', known: 7 },
    { seed, consents: new Set(CONSENTS), isThorough: true, ...BOUNDLESS },
  );
  const sent = new Map<string, readonly [Vector, string]>();
  for (const vector of phases.flatMap(({ rows }) => rows.flatMap(vectorsOf)).filter(({ raw }) => raw === undefined)) {
    for (const dimension of dimensionsOf(vector).filter((one) => valueIn(vector, one) !== 'usual')) {
      const alone = { op: vector.op, [dimension]: valueIn(vector, dimension) } as Vector;
      sent.set(JSON.stringify(alone), [alone, dimension]);
    }
  }
  return [...sent.values()];
}

test('WORDING has words for each value that a run sends, and for each part of it', () => {
  const knowledge = WORDING.knowledge(() => undefined);
  const sent = valuesSent(1);
  expect(sent.length).toBeGreaterThan(1_000);
  for (const [vector, dimension] of sent) {
    const named = valueIn(vector, dimension) ?? '';
    expect(WORDING.valueText(vector, dimension, named), JSON.stringify(vector)).not.toBe('');
    expect(WORDING.kindText(vector, dimension)).not.toBe('');
    const parts = [...knowledge.parts(dimension, named), ...knowledge.siblings(dimension, named, vector)];
    for (const part of parts.filter((one) => one !== 'usual'))
      expect(WORDING.valueText({ ...vector, [dimension]: part } as Vector, dimension, part), String(part)).not.toBe('');
  }
});
