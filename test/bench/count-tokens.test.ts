import { describe, expect, test } from 'vitest';
import { countTokens } from '../../bench/count-tokens.ts';

describe('countTokens', () => {
  test.each([
    ['a constant', "const a = 'b';", { tokens: 5 }],
    ['comments', '// one two\n/** three */ a;', { tokens: 2 }],
    ['imports and exports of other modules', "import { a } from 'a';\nexport { b } from 'b';\nexport * from 'c';", { tokens: 0 }],
    ['exports of this module', 'export { a };', { tokens: 5 }],
    ['a template, by its pieces', 'f(`a${b}c${d}e`);', { tokens: 9 }],
    ['a regular expression, as one', "const a = /[/']\\/x/g.test(b) ? c / d / e : f;", { tokens: 18 }],
    ['letters outside ASCII before others', "const ä = '😀' + `ü${a}😀${b}`;", { tokens: 11 }],
    ['a table', "const a = [1, 'two', { three: [3] }];", { tokens: 4, inTables: 13 }],
    ['a typed and exported table', 'export const a: A = [1] as const satisfies B;', { tokens: 11, inTables: 3 }],
    ['a table in a Map', 'const a = new Map([[1, 2]]);', { tokens: 8, inTables: 7 }],
    ['functions in a table, which are code', 'const a = { b: (c) => [c], d: row(1) };', { tokens: 11, inTables: 11 }],
    ['a table in a function, which is code', 'function a() { const b = [1]; }', { tokens: 13 }],
  ])('counts %s', (_what, text, expected) => {
    const { tokens, inTables } = countTokens(text);
    expect({ tokens, inTables }).toEqual({ inTables: 0, ...expected });
  });

  test('counts lines as editors do', () => {
    expect(countTokens('a;\nb;\n').lines).toBe(2);
  });
});
