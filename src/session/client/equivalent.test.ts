import { describe, expect, test } from 'vitest';
import { readJson, writeJson } from '../../wire/json.ts';
import { SHOWN_HEADERS } from '../../wire/redacted-exchange.ts';
import { EQUIVALENTS, type Equivalent, equivalentsOf } from './equivalent.ts';

/** All equivalents of a kind, in the order of the seed. */
function round(of: Parameters<typeof equivalentsOf>[0], seed = 7): readonly Equivalent[] {
  const equivalent = equivalentsOf(of, seed);
  return Array.from({ length: 99 }, (_unused, turn) => equivalent(turn));
}

const spelled = (of: Parameters<typeof equivalentsOf>[0]): readonly Equivalent[] => [
  ...new Set(round(of).filter(({ spelling }) => spelling !== undefined)),
];

describe('equivalentsOf', () => {
  test.each(spelled('creation'))('spells a JSON text that means the same: $what', ({ spelling = String }) => {
    const text = writeJson({ name: 'conformanceRex', categoryId: 9007199254740993n, status: 'sold' });
    const again = spelling(text);
    expect(again).not.toBe(text);
    const [before, after] = [readJson(text), readJson(again)];
    expect(after).toMatchObject({ ok: true });
    expect(after.ok && after.value).toEqual(before.ok && before.value);
  });

  test.each(spelled('list'))('spells a query that means the same: $what', ({ spelling = String }) => {
    const parameters = (query: string) => [...new URLSearchParams(query)].sort();
    expect(spelling('limit=13&status=sold')).not.toBe('limit=13&status=sold');
    expect(parameters(spelling('limit=13&status=sold'))).toEqual(parameters('limit=13&status=sold'));
    expect(spelling('')).toBe('');
  });

  test('leaves about half of the requests as usual, and sends the same for the same seed.', () => {
    const usual = round('list').filter(({ what }) => what === 'as usual').length;
    expect(usual).toBeGreaterThan(45);
    expect(usual).toBeLessThan(60);
    expect(round('list', 8)).toEqual(round('list', 8));
    expect(round('list', 8)).not.toEqual(round('list', 7));
  });
});

test('Reports show every header of an equivalent request: a curl line without it would not show what it changes.', () => {
  const added = Object.values(EQUIVALENTS).flatMap((all) => all.flatMap(({ headers = [] }) => headers.map(([name]) => name)));
  expect(added.length).toBeGreaterThan(0);
  expect(added.filter((name) => !SHOWN_HEADERS.has(name))).toEqual([]);
});
