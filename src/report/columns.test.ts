import { describe, expect, test } from 'vitest';
import { columns, wrap } from './columns.ts';

describe('wrap', () => {
  test('breaks between words, inside words that are too long, and keeps line breaks', () => {
    expect(wrap('one two three\n\nfourfourfour', 7)).toEqual(['one two', 'three', '', 'fourfou', 'rfour']);
  });

  test('counts wide characters as two columns and marks as none', () => {
    expect(columns('日本e\u0301😀')).toBe(7);
    expect(wrap('日本日本', 5)).toEqual(['日本', '日本']);
  });

  test('loses nothing but spaces between words', () => {
    const text = 'a bb ccc dddd eeeee ffffff 😀😀😀 g';
    for (const width of [2, 3, 5, 8, 100]) expect(wrap(text, width).join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
  });
});
