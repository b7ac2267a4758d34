import { readdir } from 'node:fs/promises';
import { get } from 'node:http';
import { describe, expect, test } from 'vitest';
import { FAULTS as SHIPPED } from '../src/reference/faults.ts';
import type { Fault } from './faults/fault.ts';
import { FAULTS, faults } from './faults/index.ts';
import { startReference } from './server.ts';
import { VARIANTS, variants } from './variants/index.ts';

const apiKey = 'key-of-the-test';
const kebab = /^[a-z0-9]+(-[a-z0-9]+)*$/;

/** Sends one request and returns the status, or `none` if the fault is that there is no response, for which it waits only this long. */
async function askOnce(baseUrl: string, patience?: number): Promise<number | 'none'> {
  // Not fetch: it gives up on an unexpected 100.
  return new Promise((resolve) => {
    const options = {
      headers: { authorization: `Bearer ${apiKey}`, 'user-agent': 'test' },
      agent: false as const,
      ...(patience === undefined ? {} : { signal: AbortSignal.timeout(patience) }),
    };
    get(`${baseUrl}/pets`, options, (response) => {
      response
        .resume()
        .on('end', () => resolve(response.statusCode ?? 'none'))
        .on('error', () => resolve('none'));
    }).on('error', () => resolve('none'));
  });
}

/** The entries of all tables that the files of a folder export, except for the registry itself, by their names. */
async function entriesIn<Entry>(folder: string): Promise<readonly (readonly [name: string, entry: Entry])[]> {
  const files = await readdir(new URL(folder, import.meta.url), { recursive: true });
  const modules = files.filter((file) => file.endsWith('.ts') && file !== 'index.ts' && !file.startsWith('patches'));
  const exports = await Promise.all(
    modules.map((file): Promise<Record<string, unknown>> => import(new URL(`${folder}${file}`, import.meta.url).href)),
  );
  // Constants, as what a fault needs, are no tables.
  const named = exports.flatMap((exported) => Object.entries(exported)).filter(([name]) => !/^[A-Z]/.test(name));
  return named.flatMap(([, table]) => (typeof table === 'object' ? Object.entries(table as Record<string, Entry>) : []));
}

describe('faults', () => {
  test('have kebab-case names and summaries', () => {
    for (const { name, summary } of faults) {
      expect(name).toMatch(kebab);
      expect(summary).toMatch(/\.$/);
    }
  });

  test('have one name each, and all are in the registry', async () => {
    const entries = await entriesIn<Fault>('./faults/');
    for (const [name, fault] of entries) expect(fault.name).toBe(name);
    // A name that two tables have would be counted twice here and once there.
    expect(entries.map(([name]) => name).sort()).toEqual(Object.keys(FAULTS).sort());
  });

  test('contain those of the product, for the same clauses', () => {
    for (const [name, { clause, summary }] of Object.entries(SHIPPED))
      expect(FAULTS).toHaveProperty([name], expect.objectContaining({ clause, summary }));
  });

  test.each(faults.map(({ name }) => name))('%s starts, responds, and closes', async (name) => {
    const server = await startReference({ apiKey, seedAnimals: 8, faults: [name] });
    expect(['number', 'string']).toContain(typeof (await askOnce(server.baseUrl, 4_000)));
    await server.close();
  });
});

describe('variants', () => {
  test('have kebab-case names and say what they use', () => {
    for (const { name, gap, summary } of variants) {
      expect(name).toMatch(kebab);
      expect(gap).not.toBe('');
      expect(summary).toMatch(/\.$/);
    }
  });

  test('have one name each, and all are in the registry', async () => {
    const entries = await entriesIn<unknown>('./variants/');
    expect(entries.map(([name]) => name).sort()).toEqual(Object.keys(VARIANTS).sort());
  });

  test.each(variants.map(({ name }) => name))('%s starts, responds, and closes', async (name) => {
    const server = await startReference({ apiKey, variants: [name] });
    expect([200, 503]).toContain(await askOnce(server.baseUrl));
    await server.close();
  });
});
