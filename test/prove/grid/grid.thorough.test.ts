import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { KINDS } from './asked.ts';
import { CONDITIONS } from './conditions.ts';
import { defectCalled, drawDefects } from './defects.ts';
import { EFFECTS } from './effects.ts';
import { readFigures } from './figures.ts';
import { conditionFingerprints, effectFingerprints, type Fingerprint, walkFingerprint } from './fingerprints.ts';
import { judgeBroken, judgeDefect } from './judge-defect.ts';
import { walk } from './walk.ts';

/** What conditions, effects, and the walk did when they were written: new ones may be added, but existing ones don't change. */
const frozen = readFileSync(new URL('../frozen/grid.jsonl', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line) as Fingerprint);

const frozenOf = (what: Fingerprint['what'], kind?: string) => frozen.filter((one) => one.what === what && one.kind === kind);

describe('the grid is what it was when it was frozen:', () => {
  test('the walk', async () => {
    expect([await walkFingerprint()]).toEqual(frozenOf('walk'));
  });

  test.each(KINDS)('the conditions of %s, each of which is met', async (kind) => {
    const prints = (await conditionFingerprints()).filter((one) => one.kind === kind);
    expect(prints).toEqual(expect.arrayContaining(frozenOf('condition', kind)));
    expect(prints.filter(({ times }) => times === 0)).toEqual([]);
  });

  test.each(KINDS)('the effects of %s, each of which changes something', async (kind) => {
    const prints = await effectFingerprints(kind);
    expect(prints).toEqual(expect.arrayContaining(frozenOf('effect', kind)));
    expect(prints.filter(({ times }) => times === 0)).toEqual([]);
  });
});

describe('a drawing', () => {
  test('is the same for the same seed, and differs for another', () => {
    const names = (seed: number) => drawDefects(seed).map(({ name }) => name);
    expect(names(7)).toEqual(names(7));
    expect(names(8).slice(0, 20)).not.toEqual(names(7).slice(0, 20));
    expect(names(8).toSorted()).toEqual(names(7).toSorted());
  });

  test('includes all conditions with all effects of their kind', () => {
    const counts = KINDS.map((kind) => Object.keys(CONDITIONS[kind]).length * Object.keys(EFFECTS[kind]).length);
    expect(drawDefects(1).length).toBe(counts.reduce((sum, count) => sum + count, 0));
  });

  test('does not count a defect that changes nothing in the walk', async () => {
    const { kind, condition } = defectCalled('list: is empty (a page with room)');
    expect(await walk({ kind, condition, effect: ({ right }) => right() }, { seedAnimals: 8 })).toBe(0);
    const full = defectCalled('list: is empty (a full page)');
    expect(await walk(full, { seedAnimals: 8 })).toBe(0);
  });
});

describe('the server of the grid', () => {
  test('is conformant without a defect', async () => {
    const { run, applied } = await judgeBroken(undefined);
    expect(run.records.filter(({ verdict }) => verdict === 'fail').map(({ id, note }) => `${id}: ${note}`)).toEqual([]);
    expect(applied).toBe(0);
  });

  test.each([
    ['list: ignores the limit (always)', 'list.limit-maximum'],
    ['create: stores nothing (status sold)', 'list.complete'],
    ['get: the animal has another id (always)', 'get.identity'],
    ['reject: is accepted (no name)', 'create.name-required'],
    ['reject: ends in the middle (a 404)', 'errors.answers'],
  ])('is broken by %s', async (name, clause) => {
    const { red, applied } = await judgeDefect(name);
    expect(red).toContain(clause);
    expect(applied).toBeGreaterThan(0);
  });
});

test('Each figure that is kept counts what it says', () => {
  for (const { all, kinds, missed } of readFigures()) {
    expect(all[1] - all[0]).toBe(missed.length);
    const pairs = Object.values(kinds);
    expect([0, 1].map((at) => pairs.reduce((sum, pair) => sum + (pair[at] ?? 0), 0))).toEqual([...all]);
  }
});
