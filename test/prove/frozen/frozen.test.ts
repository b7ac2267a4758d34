import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { faults } from '../../../src/reference/faults/index.ts';
import { variants } from '../../../src/reference/variants/index.ts';
import { clauses } from '../../../suites/index.ts';
import { defectCalled } from '../grid/defects.ts';
import { FROZEN, PARTS, readRows } from './rows.ts';

/** Of all lines in this folder. It changes only if the suite from before the rewrite is measured again. */
const DIGEST = '0e3726ba26747ecfaa95ded3ff19a9d3031f82908c198ec52a34ee98ad993051';

test('Nobody has changed what was frozen', () => {
  const files = readdirSync(FROZEN)
    .filter((name) => name.endsWith('.jsonl'))
    .sort();
  expect(files).toEqual([...PARTS, 'grid'].map((part) => `${part}.jsonl`).sort());
  expect(hash('sha256', files.map((name) => `${name}\n${readFileSync(join(FROZEN, name), 'utf8')}`).join(''))).toBe(DIGEST);
});

test('What was judged then is still there to be judged', () => {
  const missing = (part: 'faults' | 'variants' | 'only' | 'only-faults' | 'used-store', names: readonly string[]): readonly string[] =>
    (readRows(FROZEN, part) ?? []).map(({ name }) => name).filter((name) => !names.includes(name));
  const faultNames = faults.map(({ name }) => name);
  expect(missing('faults', faultNames)).toEqual([]);
  expect(missing('only-faults', faultNames)).toEqual([]);
  expect(missing('used-store', faultNames)).toEqual([]);
  expect(
    missing(
      'variants',
      variants.map(({ name }) => name),
    ),
  ).toEqual([]);
  expect(
    missing(
      'only',
      clauses.map(({ id }) => id),
    ),
  ).toEqual([]);
  const combined = (readRows(FROZEN, 'combinations') ?? []).flatMap(({ name }) => name.split('+'));
  expect(combined.filter((name) => !faultNames.includes(name))).toEqual([]);
  for (const { name } of readRows(FROZEN, 'grid-defects') ?? []) expect(defectCalled(name).name).toBe(name);
});
