import { describe, expect, test } from 'vitest';
import { codeSpans, count, duration, oneLine, plain, shorten, thousands } from './text.ts';

describe('the cleaning of texts', () => {
  test('oneLine leaves one line without control characters', () => {
    expect(oneLine(' a\n\tb \u001b[31m\u202e ')).toBe('a b \\u001b[31m\\u202e');
  });

  test('plain keeps lines and makes line breaks of the separators that browsers and terminals disagree on', () => {
    expect(plain('a\nb\u2028c\u0000')).toBe('a\nb\nc\\u0000');
  });

  test('shorten cuts no character in half', () => {
    expect(shorten('ab😀cd', 4)).toBe('ab…');
    expect(shorten('abcd', 4)).toBe('abcd');
  });
});

describe('numbers in words', () => {
  test.each([
    [0.4, '0 ms'],
    [999.4, '999 ms'],
    [1_000, '1.0 s'],
    [59_949, '59.9 s'],
    [59_960, '1 min 0 s'],
    [125_400, '2 min 5 s'],
  ])('duration says %d ms as %s', (milliseconds, said) => {
    expect(duration(milliseconds)).toBe(said);
  });

  test('count and thousands agree with their number', () => {
    expect([count(1, 'animal'), count(0, 'animal'), count(12_000, 'animal')]).toEqual(['1 animal', '0 animals', '12,000 animals']);
    expect([thousands(999), thousands(1_234_567)]).toEqual(['999', '1,234,567']);
  });
});

test('codeSpans are what is between backticks; where one has no partner, all is prose', () => {
  expect(codeSpans('only with `limit=7` and a status')).toEqual(['only with ', 'limit=7', ' and a status']);
  expect(codeSpans('with "`" in the name')).toEqual(['with "`" in the name']);
});
