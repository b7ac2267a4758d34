import { describe, expect, test } from 'vitest';
import { layOutJson, locatePointer } from './json-text.ts';

const TEXT = '[ {"id":1, "a/b":{"~":[true,"]\\"}"]}} , {"id": 9007199254740993, "name":"x"} ]';

function found(text: string, pointer: string): string | undefined {
  const span = locatePointer(text, pointer);
  return span === undefined ? undefined : text.slice(span.from, span.to);
}

describe('locatePointer', () => {
  test.each([
    ['', TEXT],
    ['/0/id', '1'],
    ['/0/a~1b/~0/1', '"]\\"}"'],
    ['/0/a~1b', '{"~":[true,"]\\"}"]}'],
    ['/1/id', '9007199254740993'],
    ['/1', '{"id": 9007199254740993, "name":"x"}'],
  ])('finds what %s names', (pointer, text) => {
    expect(found(TEXT, pointer)).toBe(text);
  });

  test.each(['/2', '/x', '/0/missing', '/01', '/-', 'id', '/0/id/deeper', '/0/a~1b/~0/2'])('finds nothing for %s', (pointer) => {
    expect(found(TEXT, pointer)).toBeUndefined();
  });

  test('finds values before a cut, and the rest of the text for a value that is itself cut', () => {
    const cut = TEXT.slice(0, TEXT.indexOf('"name"'));
    expect(found(cut, '/1/id')).toBe('9007199254740993');
    expect(found(cut, '/1')).toBe('{"id": 9007199254740993, ');
    expect(found(cut, '/1/name')).toBeUndefined();
  });

  test.each(['', '<html>', '{', '{"a"', '{"a":', '"', '[1,,'])('returns nothing, and ends, for the text %j that is not JSON', (text) => {
    expect(found(text, '/a/0')).toBeUndefined();
  });
});

describe('layOutJson', () => {
  test('gives each member a line and keeps every digit, letter and the order', () => {
    expect(layOutJson('{"2":1.0,"1":[9007199254740993,"a,b:{\\"}"],"e":{},"f":[]}')).toBe(
      '{\n  "2": 1.0,\n  "1": [\n    9007199254740993,\n    "a,b:{\\"}"\n  ],\n  "e": {},\n  "f": []\n}',
    );
  });

  test.each(['', 'plain', '"text"', '{"a":1,}', '[1', '<html>', '{"a":1} {"b":2}'])('leaves %j unchanged', (text) => {
    expect(layOutJson(text)).toBe(text);
  });

  test('is JSON of the same value again', () => {
    const value = [{ a: ['x y', null, true, -1.5e3], b: { c: '\u2028"\\' } }, [], {}, [[1]]];
    expect(JSON.parse(layOutJson(JSON.stringify(value)))).toEqual(value);
  });
});
