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
describe('the suite', () => {
  test.each(variants.map(({ name }) => name))('turns nothing red on the variant %s', { timeout: LONG }, async (name) => {
    expect(await proofs.get(`variant ${name}`)).toMatchObject({ red: [], proven: true });
  });

  test.each(faults.map(({ name, clause }) => [clause, name]))('turns %s red on the fault %s', { timeout: LONG }, async (clause, name) => {
    const proof = await proofs.get(`fault ${name}`);
    if (proof === undefined || proof instanceof Error) throw proof ?? new Error(`${name} was not proven`);
    const why = proof.inconclusive.filter(({ check }) => check.startsWith(`${clause}/`)).map(({ check, note }) => `${check}: ${note}`);
    expect([...proof.red, ...proof.advised], why.join('\n')).toContain(clause);
  });
});

describe('the registry', () => {
  const names = new Set(faults.map(({ name }) => name));
  const parts = clauses.flatMap(({ checks, invariants, level }) => (level === 'open' ? [] : [...checks, ...invariants]));

  test.each(parts.map(({ id, fault }) => [id, fault]))('has the fault that %s names: %s', (_id, fault) => {
    expect(names).toContain(fault);
  });
});
