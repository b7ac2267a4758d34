import { expect, test } from 'vitest';
import { CHECK_IDS, presentMust } from '../../src/clause/check-ids.ts';
import { clauses } from './index.ts';

test('CHECK_IDS has every check of 2.x, and no other', () => {
  expect(CHECK_IDS).toHaveLength(253);
  expect(CHECK_IDS.toSorted()).toMatchSnapshot();
});

test('presentMust names the clause of each check, and `must`s that this clause has', () => {
  const mustsOf = new Map<string, readonly string[]>(clauses.map(({ id, must }) => [id, must.map(({ title }) => title)]));
  for (const id of CHECK_IDS) {
    const { clause, musts = [] } = presentMust(id) ?? {};
    expect(id.split('/')[0]).toBe(clause);
    const known = mustsOf.get(clause ?? '') ?? [];
    expect(musts.filter((title) => !known.includes(title))).toEqual([]);
    // All of them are the clause.
    expect(musts.length === 0 || musts.length < known.length).toBe(true);
  }
});

test('presentMust knows which `must` took the place of a check, and no id that 2.x did not have', () => {
  expect(presentMust('auth.header-only/key-in-body')).toEqual({ clause: 'auth.header-only', musts: ['creations'] });
  expect(presentMust('list.limit-accepted/boundaries')).toEqual({
    clause: 'list.limit-accepted',
    musts: ['limit 1', 'limit 20', 'limit 100'],
  });
  expect(presentMust('create.body-json/lenient')).toEqual({ clause: 'create.body-json' });
  expect(presentMust('create.body-json')).toBeUndefined();
  expect(presentMust('create.body-json/other')).toBeUndefined();
});
