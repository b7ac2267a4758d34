import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nearCredentials } from './near-credentials.ts';

function tokens(apiKey: string): string[] {
  return fc.sample(nearCredentials(apiKey), { numRuns: 500, seed: 1 }).map(({ headers }) => headers[0]?.[1] ?? '');
}

describe('nearCredentials', () => {
  it('never makes the API key, and always a header that can be sent', () => {
    for (const key of ['secret-key-0001', 'aaaa', 'x', 'AbC=']) {
      for (const header of tokens(key)) {
        expect(header).toMatch(/^Bearer [\x21-\x7e]+$/);
        expect(header).not.toBe(`Bearer ${key}`);
      }
    }
  });

  it('makes none that is too long for a server that accepts the key', () => {
    expect(Math.max(...tokens('k'.repeat(3_000)).map(({ length }) => length))).toBeLessThan(4_000);
    expect(Math.max(...tokens('k'.repeat(1_000)).map(({ length }) => length))).toBe('Bearer '.length + 2_000);
  });

  it('says what is near, and never the key', () => {
    const notes = fc.sample(nearCredentials('secret'), { numRuns: 200, seed: 1 }).map(({ note }) => note);
    expect(new Set(notes).size).toBe(10);
    expect(notes.filter((note) => note.includes('secret'))).toEqual([]);
  });
});
