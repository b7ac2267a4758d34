import { expect, test } from 'vitest';
import { conditionsOf, defectCalled, drawDefects, drawPairs } from './defects.ts';
import { tellingOf } from './figures.ts';
import { counts } from './prove-grid.ts';

test('drawPairs draws the same pairs for the same seed, and others for another: two different conditions, none of which always holds', () => {
  const names = (seed: number) =>
    drawPairs(seed)
      .take(200)
      .map(({ name }) => name)
      .toArray();
  expect(names(7)).toEqual(names(7));
  expect(names(8)).not.toEqual(names(7));
  for (const name of names(7)) {
    const [one, other, ...more] = conditionsOf(name);
    expect(one).not.toBe(other);
    expect([one, other, more]).toEqual([expect.stringMatching(/./), expect.stringMatching(/./), []]);
    expect(name).not.toContain('always');
  }
});

test('defectCalled finds each defect by its name, and rejects what the grid does not have', () => {
  for (const defect of drawDefects(7).slice(0, 50))
    expect(defectCalled(defect.name)).toMatchObject({ kind: defect.kind, name: defect.name });
  for (const name of ['list: is empty', 'list: is empty (no limit & nothing)', 'list: does what (no limit)', 'lists: is empty (no limit)'])
    expect(() => defectCalled(name)).toThrow(`the grid has no defect "${name}"`);
});

test.each([
  ['list: is empty (limit 100 & status sold)', true],
  // Both never hold at once.
  ['list: is empty (limit 1 & limit 20)', false],
  // The second holds whenever the first does, so that it is one condition.
  ['list: is empty (limit 100 & limit over 50)', false],
  // Too seldom.
  ['list: is empty (one of the first three & every 2nd)', false],
])('counts: %s, %s', async (name, counted) => {
  expect(await counts(defectCalled(name))).toBe(counted);
});

test.each([
  ['only with limit=100', 'right'],
  ['only with status=sold', 'right'],
  ['only with Accept-Encoding', 'wrong'],
])('tellingOf: a report that says %s of a pair is %s', (text, telling) => {
  expect(tellingOf('list: is empty (limit 100 & status sold)', [text])).toBe(telling);
});
