import { describe, expect, test } from 'vitest';
import { layOutJson } from './lay-out-json.ts';

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
