import { expect, test } from 'vitest';
import { INVALID_BODY_CLAUSES } from '../../src/clause/clause-ids.ts';
import { createStore } from '../../src/reference/core/store.ts';
import { situationsOf } from '../support/judge-samples.ts';
import { ownFolder } from '../support/program.ts';
import { gate, recordIn, serve } from './judged-service.ts';

test.each(['20', '120'])(
  'a service that accepts a fraction as categoryId fails with --max-creates %s, and one that conforms does not',
  async (most) => {
    const cwd = ownFolder();
    const broken = await gate(await serve({ faults: ['fraction-category-truncated'] }), ['--max-creates', most], { cwd });
    expect([broken.code, recordIn(cwd).conclusion.reasons]).toEqual([1, ['create.category-type']]);
    expect(recordIn(cwd).animals.created.length).toBeLessThanOrEqual(Number(most));
    const conforming = await gate(await serve(), ['--max-creates', most], { cwd });
    const record = recordIn(cwd);
    expect(conforming.code).toBe(0);
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
  const cwd = ownFolder();
  const store = createStore();
  // Which names are sent with a budget of 20 depends on the seed, and one animal without a name may be of anybody.
  const { code } = await gate(await serve({ faults: [fault], store }), ['--max-creates', String(most), '--seed', '20261121'], { cwd });
  const { reasons } = recordIn(cwd).conclusion;
  const isShown = reasons.includes('create.refused-stores-nothing');
  if (most === 60 || fault !== 'refused-long-name-stored') expect(isShown).toBe(true);
  expect(code).toBe(isShown ? 1 : 0);
  expect(store.animals.length).toBeGreaterThan(0);
  expect(store.animals.length).toBeLessThanOrEqual(most);
  const { created, ambiguous } = recordIn(cwd).animals;
  expect(created.length + ambiguous.length).toBeGreaterThanOrEqual(store.animals.length);
});

test('a selection that sends invalid bodies only to a service that stores them ends with no more animals than --max-creates either', async () => {
  const store = createStore();
  const url = await serve({ faults: ['refused-status-stored'], store });
  await gate(url, ['--only', 'create.status-invalid', '--max-creates', '20']);
  expect(store.animals.length).toBeGreaterThan(8);
  expect(store.animals.length).toBeLessThanOrEqual(20);
});
