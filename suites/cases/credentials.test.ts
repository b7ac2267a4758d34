import { describe, expect, test } from 'vitest';
import type { Credential } from '../../src/session/client/api.ts';
import { createRedactor } from '../../src/wire/redact.ts';
import { SHOWN_HEADERS } from '../../src/wire/redacted-exchange.ts';
import { eachPlace, elsewhere, familyOf, IN_BODY, MISSING, malformed, randomToken, wrongKeys, wrongSchemes } from './credentials.ts';

const KEYS = ['pk-7Hq2XvR9sLmT4wZa', 'a', '7', 'secret', '0123456789', 'ALLCAPS', '--__--', 'with.dots_and-dashes~+/=='];
const SEEDS = [0, 1, 20_261_121];

function authorization(credential: Credential): string | undefined {
  return credential.headers.find(([name]) => name === 'authorization')?.[1];
}

describe.each(KEYS)('wrongKeys of %j', (key) => {
  test.each(SEEDS)('has neither the key itself nor a token twice, with the seed %j', (seed) => {
    const values = wrongKeys(key, seed).map((credential) => authorization(credential));
    expect(values).not.toContain(`Bearer ${key}`);
    expect(new Set(values).size).toBe(values.length);
  });

  test('is the same for the same seed', () => {
    expect(wrongKeys(key, 5)).toEqual(wrongKeys(key, 5));
  });

  test('has a random token of the length of the key', () => {
    const token = authorization(randomToken(key, 1))?.slice('Bearer '.length);
    expect(token).toHaveLength(key.length);
    expect(token).not.toBe(key);
  });
});

describe('familyOf', () => {
  test('recognizes each family by its notes', () => {
    const key = 'pk-7Hq2XvR9sLmT4wZa';
    const families = (credentials: readonly Credential[]) => new Set(credentials.map(({ note }) => familyOf(note)));
    expect(families(MISSING)).toEqual(new Set(['missing']));
    expect(families(wrongKeys(key, 1))).toEqual(new Set(['wrong-key']));
    expect(families(wrongSchemes(key))).toEqual(new Set(['wrong-scheme']));
    expect(families([...elsewhere(key), ...elsewhere(key.repeat(100)), IN_BODY])).toEqual(new Set(['elsewhere']));
  });
});

describe('the credentials', () => {
  test('are rejected, except malformed headers, for which the document does not decide the status', () => {
    const key = 'pk-7Hq2XvR9sLmT4wZa';
    const rejected = [...MISSING, ...wrongKeys(key, 1), ...wrongSchemes(key), ...elsewhere(key)];
    expect(new Set(rejected.map(({ standing }) => standing))).toEqual(new Set(['refused']));
    expect(new Set(malformed(key).map(({ standing }) => standing))).toEqual(new Set(['open']));
  });

  test('have notes that do not contain the key', () => {
    const key = 'pk-7Hq2XvR9sLmT4wZa';
    const notes = [...MISSING, ...wrongKeys(key, 1), ...wrongSchemes(key), ...elsewhere(key), ...malformed(key)].map(({ note }) => note);
    expect(notes.filter((note) => note.includes(key))).toEqual([]);
    expect(new Set(notes).size).toBe(notes.length);
  });

  test.each([20, 500, 3_000, 5_000])('near a key of %d characters are hardly longer than 4,000 characters or than the key', (length) => {
    for (const { note, headers } of [...wrongKeys('k'.repeat(length), 1), ...wrongSchemes('k'.repeat(length))])
      expect(headers[0]?.[1].length ?? 0, note).toBeLessThanOrEqual('Bearer '.length + Math.max(4_000, length + 1));
  });

  test.each([20, 90, 128, 200, 500, 1_000, 2_500])('at other places fit into a request, with a key of %d characters', (length) => {
    for (const { note, query = '', headers } of elsewhere('k'.repeat(length))) {
      // Some gateways return 403 or 404 to longer queries.
      expect(query.length, note).toBeLessThan(2_000);
      // Many servers allow 8 KB for all headers.
      expect(
        headers.reduce((sum, [name, value]) => sum + name.length + value.length, 0),
        note,
      ).toBeLessThan(4_096);
    }
  });

  test('at other places have all of them with a key of up to 200 characters, and few requests with any', () => {
    const single = (key: string) => {
      const notes = elsewhere(key).flatMap((row) => [row, ...eachPlace(row, key)].map(({ note }) => note));
      return new Set(notes.filter((note) => !note.includes(',')));
    };
    expect(single('k'.repeat(200))).toEqual(single('key'));
    for (const length of [500, 1_000, 2_500, 5_000]) expect(elsewhere('k'.repeat(length)).length).toBeLessThanOrEqual(17);
  });

  test('at other places are shown in reports, and masked there, however short the key is', () => {
    const key = 'se4cr7';
    const redact = createRedactor(key);
    for (const row of elsewhere(key)) {
      for (const { note, query = '', headers } of [row, ...eachPlace(row, key)]) {
        expect(redact(`GET /pets?${query}`), note).not.toContain(key);
        for (const [name, value] of headers) {
          expect(SHOWN_HEADERS.has(name), name).toBe(true);
          expect(redact(value, name), name).not.toContain(key);
        }
      }
    }
  });
});
