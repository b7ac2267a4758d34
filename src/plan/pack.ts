// What must change nothing travels together: each value in packs of different company.

import { valueNamed } from '../session/compose.ts';
import type { MakeInput, Pack, Table } from '../session/vector.ts';
import { shuffle } from './fill.ts';

/** What values are made of when only what they need for themselves is asked for. */
const SAMPLE: MakeInput = {
  ...{ apiKey: 'key', seed: 1, rowNumber: 1, runTag: 'sample', categoryId: 1n, knownIds: [1n], cookies: [] },
  ...{ plainName: 'Sample', random: () => 0 },
};

type Packed = {
  /** How many packs there are at least, or what each of them begins with. */
  readonly into: number | readonly string[];
  /** In how many packs each value stands. */
  readonly times?: number;
  readonly random: () => number;
};

/** Packs of values of a table, none of which need the same. Values stand together as seldom as can be. */
export function packsOf<Part>(table: Table<Part>, values: readonly string[], { into, times = 2, random }: Packed): readonly Pack[] {
  const needs = new Map(values.map((name) => [name, new Set(table.packing?.takes?.(valueNamed(table, name).make(SAMPLE)))]));
  const areInConflict = (one: string, other: string): boolean => needs.get(one)?.isDisjointFrom(needs.get(other) ?? new Set()) === false;
  const packs: string[][] = typeof into === 'number' ? Array.from({ length: into }, () => []) : into.map((first) => [first]);
  const companyOf = (value: string): ReadonlySet<string> => new Set(packs.filter((pack) => pack.includes(value)).flat());
  for (let time = 1; time <= times; time += 1) {
    for (const value of shuffle(values, random)) {
      if (packs.filter((pack) => pack.includes(value)).length >= time) continue;
      const company = companyOf(value);
      const score = (pack: readonly string[]): number => pack.length + 2 * pack.filter((other) => company.has(other)).length;
      const fitting = packs.filter((pack) => !pack.includes(value) && !pack.some((other) => areInConflict(value, other)));
      const [best] = fitting.toSorted((one, other) => score(one) - score(other));
      if (best === undefined) packs.push([value]);
      else best.push(value);
    }
  }
  return packs.filter((pack) => pack.length > 0);
}
