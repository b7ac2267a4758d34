import { createHash } from 'node:crypto';
import { afterAll, describe, expect, test } from 'vitest';
import { faults } from '../../src/reference/faults/index.ts';
import { variants } from '../../src/reference/variants/index.ts';
import { createProver } from '../prove/prove-all.ts';

const FAULTS = 48;
const VARIANTS = 12;
const LONG = 120_000;

/** Always the same ones, whatever is added besides: a name's rank is its own. */
function sampleOf<Named extends { readonly name: string }>(all: readonly Named[], size: number): Named[] {
  const rank = ({ name }: Named): string => createHash('sha256').update(name).digest('hex');
  return all.toSorted((one, other) => (rank(one) < rank(other) ? -1 : 1)).slice(0, size);
}

const prover = createProver();
afterAll(() => prover.close());

// All are asked for at once: the prover works through them while the tests wait for their own.
const sampled = {
  variants: sampleOf(variants, VARIANTS).map(({ name }) => ({ name, proof: prover.prove({ kind: 'variant', name, swift: true }) })),
  faults: sampleOf(faults, FAULTS).map(({ name, clause }) => ({
    name,
    clause,
    proof: prover.prove({ kind: 'fault', name, swift: true }),
  })),
};
for (const { proof } of [...sampled.variants, ...sampled.faults]) proof.catch(() => undefined);

// The whole proof is `npm run test:proof`.
describe('a sample of the proof', () => {
  test.each(sampled.variants)('turns nothing red on the variant $name', { timeout: LONG }, async ({ proof }) => {
    expect(await proof).toMatchObject({ red: [], proven: true });
  });

  test.each(sampled.faults)('turns $clause red on the fault $name', { timeout: LONG }, async ({ clause, proof }) => {
    const { red, advised, inconclusive } = await proof;
    expect([...red, ...advised], JSON.stringify(inconclusive)).toContain(clause);
  });
});
