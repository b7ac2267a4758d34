import { get } from 'node:http';
import { describe, expect, test } from 'vitest';
import { faults } from './faults/index.ts';
import { startReference } from './server.ts';
import { variants } from './variants/index.ts';

const apiKey = 'key-of-the-test';
const chapters = /^(auth|list|create|get|errors|media|record|deprecation|versioning)\.[a-z0-9]+(-[a-z0-9]+)*$/;
const kebab = /^[a-z0-9]+(-[a-z0-9]+)*$/;

/** Asks once and gives the status, or `none` when the fault is that no answer comes. */
async function askOnce(baseUrl: string): Promise<number | 'none'> {
  // Not fetch: it gives up on a 100 that it did not ask for.
  return new Promise((resolve) => {
    const options = { headers: { authorization: `Bearer ${apiKey}` }, agent: false as const, signal: AbortSignal.timeout(4000) };
    get(`${baseUrl}/pets`, options, (response) => {
      response
        .resume()
        .on('end', () => resolve(response.statusCode ?? 'none'))
        .on('error', () => resolve('none'));
    }).on('error', () => resolve('none'));
  });
}

describe('faults', () => {
  test('have unique kebab-case names, clause ids and summaries', () => {
    expect(new Set(faults.map(({ name }) => name)).size).toBe(faults.length);
    for (const { name, clause, summary } of faults) {
      expect(name).toMatch(kebab);
      expect(clause).toMatch(chapters);
      expect(summary).toMatch(/\.$/);
    }
  });

  test('are at least two hundred', () => {
    expect(faults.length).toBeGreaterThanOrEqual(200);
  });

  test.each(faults.map(({ name }) => name))('%s starts, is asked, and closes', async (name) => {
    const server = await startReference({ apiKey, seedAnimals: 8, faults: [name] });
    expect(['number', 'string']).toContain(typeof (await askOnce(server.baseUrl)));
    await server.close();
  });
});

describe('variants', () => {
  test('have unique kebab-case names and say what they use', () => {
    expect(new Set(variants.map(({ name }) => name)).size).toBe(variants.length);
    for (const { name, leaves, summary } of variants) {
      expect(name).toMatch(kebab);
      expect(leaves).not.toBe('');
      expect(summary).toMatch(/\.$/);
    }
  });

  test.each(variants.map(({ name }) => name))('%s starts, answers, and closes', async (name) => {
    const server = await startReference({ apiKey, variants: [name] });
    expect([200, 503]).toContain(await askOnce(server.baseUrl));
    await server.close();
  });
});
