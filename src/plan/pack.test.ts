import { describe, expect, test } from 'vitest';
import { TABLES } from '../../suites/tables/tables.ts';
import { createRandom } from '../session/numbers.ts';
import { packsOf } from './pack.ts';

const clients = ['no User-Agent', 'Java', 'Go', 'another origin', 'any application type', 'Latin-1 preferred'];
const random = (): (() => number) => createRandom(7);

describe('packsOf', () => {
  test('has each value in so many packs, whatever their number', () => {
    const packs = packsOf(TABLES.create.name, ['quotes', 'SQL', 'tabs', 'emoji and chat markup', 'one emoji'], {
      into: 3,
      random: random(),
    });
    const counts = Map.groupBy(packs.flat(), (value) => value).values();
    expect([...counts].map(({ length }) => length)).toEqual([2, 2, 2, 2, 2]);
  });

  test('has no two values in a pack that need the same header', () => {
    const packs = packsOf(TABLES.list.client, clients, { into: 2, times: 1, random: random() });
    expect(packs.flat().toSorted()).toEqual(clients.toSorted());
    for (const pack of packs) expect(pack.filter((name) => ['no User-Agent', 'Java', 'Go'].includes(name)).length).toBeLessThanOrEqual(1);
  });

  test('has few values together in two packs', () => {
    const values = ['quotes', 'tabs', 'line ends', 'backslashes', 'one emoji', 'precomposed accents', 'U+0000', 'noncharacters'];
    const packs = packsOf(TABLES.create.name, values, { into: 6, random: random() });
    for (const value of values) {
      const [one = [], other = []] = packs.filter((pack) => pack.includes(value));
      expect(one.filter((company) => other.includes(company)).length).toBeLessThanOrEqual(2);
    }
  });

  test('begins the packs with the values that it is given', () => {
    const packs = packsOf(TABLES.create.name, ['quotes', 'tabs', 'SQL', 'line ends'], { into: ['tabs', 'line ends'], random: random() });
    expect(packs.map(([first]) => first)).toEqual(['tabs', 'line ends']);
  });
});
