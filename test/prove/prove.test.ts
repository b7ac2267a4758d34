import { afterAll, describe, expect, test } from 'vitest';
import { faults } from '../../src/reference/faults/index.ts';
import { variants } from '../../src/reference/variants/index.ts';
import { clauses } from '../../suites/index.ts';
import { createProver } from './prove-all.ts';

const prover = createProver();
afterAll(() => prover.close());

// Everything is asked for at once: the prover works through it while the tests wait for their own proof.
const proofs = new Map(
  [
    ...variants.map(({ name }) => ({ kind: 'variant' as const, name, swift: true })),
    ...faults.map(({ name }) => ({ kind: 'fault' as const, name, swift: true })),
  ].map((question) => [`${question.kind} ${question.name}`, prover.prove(question).catch((error: unknown) => error as Error)] as const),
);

const LONG = 1_500_000;
const MOST_UNDETECTED = 25;
const MOST_UNPROVEN = 60;

describe('the suite', () => {
  test.each(variants.map(({ name }) => name))('turns nothing red on the variant %s', { timeout: LONG }, async (name) => {
    expect(await proofs.get(`variant ${name}`)).toMatchObject({ red: [], proven: true });
  });

  // A ratchet and not a wish: the proof says by name which faults their clause does not find, and there may be only so many.
  test('turns the clause red that each fault names, for all but a few of them', { timeout: LONG }, async () => {
    const all = await Promise.all(faults.map(async ({ name, clause }) => ({ name, clause, proof: await proofs.get(`fault ${name}`) })));
    const unproven = all.filter(({ proof }) => proof === undefined || proof instanceof Error || !proof.proven);
    const undetected = unproven.filter(
      ({ proof }) => proof === undefined || proof instanceof Error || proof.red.length + proof.advised.length === 0,
    );
    const named = (list: typeof all): string[] => list.map(({ name, clause }) => `${name} (${clause})`);
    process.stdout.write(`by another clause: ${named(unproven.filter((one) => !undetected.includes(one))).join(', ') || 'none'}\n`);
    process.stdout.write(`not at all: ${named(undetected).join(', ') || 'none'}\n`);
    expect(named(undetected).length).toBeLessThanOrEqual(MOST_UNDETECTED);
    expect(named(unproven).length).toBeLessThanOrEqual(MOST_UNPROVEN);
  });
});

describe('the registry', () => {
  const names = new Set(faults.map(({ name }) => name));
  const parts = clauses.flatMap(({ checks, invariants, level }) => (level === 'open' ? [] : [...checks, ...invariants]));

  test.each(parts.map(({ id, fault }) => [id, fault]))('has the fault that %s names: %s', (_id, fault) => {
    expect(names).toContain(fault);
  });
});
