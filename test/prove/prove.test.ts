import { afterAll, describe, expect, test } from 'vitest';
import { faults } from '../../src/reference/faults/index.ts';
import { variants } from '../../src/reference/variants/index.ts';
import { createPool } from './pool.ts';
import type { Subject } from './result.ts';
import { oneOfEach } from './spread.ts';
import { causeResult, unprovenParts } from './tables.ts';

// A sample that any change meets in minutes; `npm run prove` judges all of them.
const EVERY_FAULT = 60;
const EVERY_VARIANT = 40;
const LONG = 600_000;

const someFaults = oneOfEach(faults, EVERY_FAULT);
const someVariants = oneOfEach(variants, EVERY_VARIANT);

const pool = createPool();
afterAll(() => pool.close());

const judge = (kind: 'fault' | 'variant', name: string) => pool.ask({ kind: 'judge', subject: { kind, name } satisfies Subject });
// Everything is asked for at once: the pool works through it while the tests wait for their own result.
const results = new Map(
  [...someVariants.map(({ name }) => ['variant', name] as const), ...someFaults.map(({ name }) => ['fault', name] as const)].map(
    ([kind, name]) => [name, judge(kind, name).catch((error: unknown) => error as Error)] as const,
  ),
);

async function resultOf(name: string) {
  const result = await results.get(name);
  if (result === undefined || result instanceof Error) throw result ?? new Error(`${name} was not judged`);
  return result;
}

describe('the suite', () => {
  test.each(someVariants.map(({ name }) => name))('finds the variant %s conformant', { timeout: LONG }, async (name) => {
    const { red, departures, exitCode, headline, notes } = await resultOf(name);
    expect({ red, departures, exitCode }, `${headline}\n${JSON.stringify(notes, null, 1)}`).toEqual({
      red: [],
      departures: [],
      exitCode: 0,
    });
  });

  test.each(someFaults.map(({ name, clause }) => [clause, name]))(
    'turns %s red on the fault %s',
    { timeout: LONG },
    async (clause, name) => {
      const { red, advised, notes, failAlone } = await resultOf(name);
      expect([...red, ...advised, ...failAlone.map((id) => id.split('/')[0])], JSON.stringify(notes, null, 1)).toContain(clause);
    },
  );

  test.each(someFaults.map(({ name }) => name))('fails each part that names the fault %s', { timeout: LONG }, async (name) => {
    expect(unprovenParts([await resultOf(name)])).toEqual([]);
  });

  test.each(someFaults.map(({ name }) => name))('names one cause of the fault %s or none', { timeout: LONG }, async (name) => {
    const result = await resultOf(name);
    expect(['right', 'none'], JSON.stringify(result.causes)).toContain(causeResult(result));
  });
});
