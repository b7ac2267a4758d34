import { expect, test } from 'vitest';
import { INVALID_BODY_CLAUSES } from '../../src/clause/clause-ids.ts';
import type { RunRecord } from '../../src/clause/run-record.ts';
import { judgeServer } from '../../src/library/judge.ts';
import { createStore } from '../../src/reference/core/store.ts';
import { situationsOf } from '../support/judge-samples.ts';
import { gate, KEY, serve } from './judged-service.ts';

const judge = async (
  service: Parameters<typeof serve>[0],
  bounds: { readonly maxCreates: number; readonly seed?: number },
): Promise<RunRecord> => judgeServer(await serve(service), { apiKey: KEY, ...bounds });

test.each([20, 120])(
  'a service that accepts a fraction as categoryId fails with --max-creates %i, and one that conforms does not',
  async (most) => {
    const broken = await judge({ faults: ['fraction-category-truncated'] }, { maxCreates: most });
    expect([broken.conclusion.exitCode, broken.conclusion.reasons]).toEqual([1, ['create.category-type']]);
    expect(broken.animals.created.length).toBeLessThanOrEqual(most);
    const record = await judge({}, { maxCreates: most });
    expect(record.conclusion.exitCode).toBe(0);
    const dropped = situationsOf(record).filter(({ why }) => why === 'choice');
    expect(dropped.filter(({ clause }) => INVALID_BODY_CLAUSES.some((id) => id === clause))).toEqual([]);
    for (const { id, verdict, note } of record.clauses)
      if (verdict === 'pass' && dropped.some(({ clause }) => clause === id)) expect(note).toMatch(/situations (?:was|were) not judged/);
  },
);

test.each(
  ['refused-status-stored', 'refused-long-name-stored', 'refused-name-stored'].flatMap((fault) => [
    [fault, 20] as const,
    [fault, 60] as const,
  ]),
)('a service that stores what it rejects (%s) ends with no more animals than --max-creates %d', async (fault, most) => {
  const store = createStore();
  // Which names are sent with a budget of 20 depends on the seed, and one animal without a name may be of anybody.
  const { animals, conclusion } = await judge({ faults: [fault], store }, { maxCreates: most, seed: 20261121 });
  const isShown = conclusion.reasons.includes('create.refused-stores-nothing');
  if (most === 60 || fault !== 'refused-long-name-stored') expect(isShown).toBe(true);
  expect(conclusion.exitCode).toBe(isShown ? 1 : 0);
  expect(store.animals.length).toBeGreaterThan(0);
  expect(store.animals.length).toBeLessThanOrEqual(most);
  expect(animals.created.length + animals.ambiguous.length).toBeGreaterThanOrEqual(store.animals.length);
});

test('a selection that sends invalid bodies only to a service that stores them ends with no more animals than --max-creates either', async () => {
  const store = createStore();
  const url = await serve({ faults: ['refused-status-stored'], store });
  await gate(url, ['--only', 'create.status-invalid', '--max-creates', '20']);
  expect(store.animals.length).toBeGreaterThan(8);
  expect(store.animals.length).toBeLessThanOrEqual(20);
});
