import { describe, expect, test } from 'vitest';
import { CONSENTS } from '../../src/plan/choose.ts';
import { isGroup, type Row, vectorsOf } from '../../src/plan/row.ts';
import type { ComposeContext, ValueName, Vector } from '../../src/session/vector.ts';
import { RARER_PLACES } from '../../src/wire/key-places.ts';
import { UNKNOWN_MEMBERS } from '../tables/bodies.ts';
import { CLAIMS, TRUSTED_CLIENTS, TRUSTED_WRITERS, UNDOCUMENTED_CLIENTS, UNUSUAL_CLIENTS } from '../tables/clients.ts';
import { CHARACTER_NAMES, LONG_NAMES } from '../tables/names.ts';
import { compose } from '../tables/tables.ts';
import { planOf } from './index.ts';

const SEEDS = [1, 2, 20261121, 20261122];
const ALL = { consents: new Set(CONSENTS), isThorough: false, requests: Number.POSITIVE_INFINITY, creations: Number.POSITIVE_INFINITY };
const planned = (seed: number): readonly Row[] =>
  planOf({ size: 7, rarestStatus: 'sold', known: 7 }, { seed, ...ALL }).phases.flatMap(({ rows }) => rows);

const namesOf = (named: ValueName | undefined): readonly string[] => (named === undefined ? [] : [named].flat().map(String));
const valuesIn = (rows: readonly Vector[], dimension: 'name' | 'client' | 'credential' | 'members'): ReadonlyMap<string, number> => {
  const all = rows.flatMap((row) => namesOf(Object.entries(row).find(([one]) => one === dimension)?.[1]));
  return new Map([...Map.groupBy(all, (value) => value)].map(([value, { length }]) => [value, length]));
};

describe.each(SEEDS)('the plan of seed %i', (seed) => {
  const rows = planned(seed).flatMap(vectorsOf);

  test('has each unusual ending of a name in two packs, and each length', () => {
    const met = valuesIn(rows, 'name');
    for (const name of Object.keys(CHARACTER_NAMES)) expect(met.get(name), name).toBeGreaterThanOrEqual(2);
    for (const name of Object.keys(LONG_NAMES)) expect(met.get(name), name).toBeGreaterThanOrEqual(1);
  });

  test('has each client that a service may trust or reject without the key on each operation', () => {
    for (const op of ['list', 'get', 'create'] as const) {
      const met = valuesIn(
        rows.filter((row) => row.op === op && row.credential === 'none'),
        'client',
      );
      for (const block of [TRUSTED_CLIENTS, TRUSTED_WRITERS, CLAIMS, UNDOCUMENTED_CLIENTS, UNUSUAL_CLIENTS])
        for (const name of Object.keys(block)) expect(met.get(name), `${op} ${name}`).toBeGreaterThanOrEqual(1);
    }
  });

  test('has the key at each rarer place on each operation', () => {
    const places = RARER_PLACES.flat().map(({ kind, name }) => `${kind} ${name}`);
    for (const op of ['list', 'get', 'create'] as const) {
      const met = valuesIn(
        rows.filter((row) => row.op === op),
        'credential',
      );
      expect(places.filter((place) => !met.has(place))).toEqual([]);
    }
  });

  test('has each unknown member', () => {
    const met = valuesIn(rows, 'members');
    for (const name of Object.keys(UNKNOWN_MEMBERS)) expect(met.get(name), name).toBeGreaterThanOrEqual(1);
  });

  test('has a plain creation right after a filtered list, a list with a limit, an animal, and one that is not there', () => {
    const groups = planned(seed).flatMap((row) => (isGroup(row) && row.how === 'in turn' ? [row.rows] : []));
    const isPlain = (vector: Vector | undefined): boolean => vector?.op === 'create' && Object.keys(vector).join() === 'op,status';
    const before = groups.flatMap((vectors) => vectors.filter((_vector, place) => isPlain(vectors[place + 1])));
    expect(before).toEqual(
      expect.arrayContaining([
        { op: 'list', status: 'available' },
        { op: 'list', limit: 5 },
        { op: 'get', id: 0 },
        { op: 'get', id: 'after the newest' },
      ]),
    );
  });

  test('has room for what travels together', () => {
    const context: Omit<ComposeContext, 'rowNumber'> = {
      apiKey: 'pk-7Hq2XvR9sLmT4wZa',
      seed,
      runTag: 'prove',
      categoryId: 1n,
      knownIds: [1n, 2n, 3n],
      cookies: [],
    };
    for (const [rowNumber, vector] of rows.entries()) {
      const { headers, target } = compose(vector, { ...context, rowNumber });
      const size = headers.reduce((sum, [name, value]) => sum + name.length + value.length + 4, 0);
      if (vector.credential !== '8,000 letters') expect(size, JSON.stringify(vector)).toBeLessThan(4_096);
      if (vector.op !== 'list' || vector.status !== '1,000 letters') expect(target.length, JSON.stringify(vector)).toBeLessThan(2_000);
    }
  });
});
