import { describe, expect, test } from 'vitest';
import { isBinding } from '../../src/clause/clause.ts';
import { clauses } from '../../suites/clauses/index.ts';
import { expectationOf, servers } from './expectations.ts';
import { TOOLCHAINS } from './toolchains.ts';

const binding = new Set<string>(clauses.filter(isBinding).map(({ id }) => id));

test('Exactly the servers have a toolchain.', () => {
  expect(Object.keys(TOOLCHAINS).toSorted()).toEqual(servers);
});

describe.each(servers)('third-party/%s/expected.json', (name) => {
  const { red, departures, found } = expectationOf(name);

  test('names required and implied clauses in alphabetical order', () => {
    expect(red.filter((id) => !binding.has(id))).toEqual([]);
    expect(red).toEqual(red.toSorted());
  });

  test('explains each red clause by a departure, and has a red clause for each departure', () => {
    const explained = [...Object.values(departures), ...Object.values(found)];
    expect([...new Set(explained)].toSorted()).toEqual(red);
  });
});
