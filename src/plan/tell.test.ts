import { describe, expect, test } from 'vitest';
import { type Known, type Telling, tell } from './tell.ts';

const cases = (count: number, isBroken: (index: number) => boolean, known: (index: number) => Readonly<Record<string, string | number>>) =>
  Array.from({ length: count }, (_unused, index) => ({ known: new Map(Object.entries(known(index))) as Known, isBroken: isBroken(index) }));

const names = ['limit', 'status', 'number'];
const none: ReadonlySet<string> = new Set();
const telling = (countUp = none, inOrder = none): Telling => ({
  ...{ names, countUp, inOrder, kinds: none, isSaid: () => true },
  before: new Set(['status']),
  states: new Set(['number']),
});
const STATUSES = ['none', 'sold', 'pending'];
const known = (index: number) => ({ limit: ((index * 37) % 100) + 1, status: STATUSES[index % 3] ?? 'none', number: index });

describe('tell', () => {
  test('names the value that all broken cases have and no right one', () => {
    const told = tell(
      cases(90, (index) => index % 3 === 1, known),
      telling(),
    );
    expect(told?.predicates).toEqual([{ name: 'status', test: { kind: 'is', value: 'sold' } }]);
  });

  test('names a threshold with the nearest number that is right', () => {
    const told = tell(
      cases(100, (index) => known(index).limit > 50, known),
      telling(),
    );
    expect(told?.predicates).toEqual([{ name: 'limit', test: { kind: 'least', value: 51, other: 50 } }]);
  });

  test('names a divisor of what counts up, and of nothing else', () => {
    const isBroken = (index: number) => index % 5 === 3;
    expect(tell(cases(100, isBroken, known), telling(new Set(['number'])))?.predicates).toEqual([
      { name: 'number', test: { kind: 'divided', by: 5, rest: 3 } },
    ]);
    expect(tell(cases(100, isBroken, known), telling())).toBeUndefined();
  });

  test('names two together where none is enough', () => {
    const isBroken = (index: number) => known(index).limit > 50 && known(index).status === 'sold';
    const told = tell(cases(200, isBroken, known), telling());
    expect(told?.predicates.map(({ name }) => name)).toEqual(['limit', 'status']);
  });

  test('does not put two together that come in an order', () => {
    const isBroken = (index: number) => known(index).limit > 50 && index > 100;
    expect(tell(cases(200, isBroken, known), telling())?.predicates.map(({ name }) => name)).toEqual(['limit', 'number']);
    expect(tell(cases(200, isBroken, known), telling(none, new Set(['number'])))).toBeUndefined();
  });

  test('names a range of what comes in an order', () => {
    const told = tell(
      cases(200, (index) => index > 20 && index < 60, known),
      telling(none, new Set(['number'])),
    );
    expect(told?.predicates).toEqual([
      { name: 'number', test: { kind: 'least', value: 21, other: 20 } },
      { name: 'number', test: { kind: 'most', value: 59, other: 60 } },
    ]);
  });

  test('names what came before nearly all broken cases, and nearly no right one', () => {
    const told = (off: readonly number[]) =>
      tell(
        cases(90, (index) => (index % 3 === 1) !== off.includes(index), known),
        telling(),
      )?.predicates;
    expect(told([3, 40])).toEqual([{ name: 'status', test: { kind: 'is', value: 'sold' } }]);
    expect(told([3, 4, 5, 10, 22, 23, 40, 44])).toBeUndefined();
  });

  test('is silent where one of all predicates would hold by chance, or none does', () => {
    expect(
      tell(
        cases(90, (index) => index === 42, known),
        telling(),
      ),
    ).toBeUndefined();
    expect(
      tell(
        cases(90, (index) => [1, 17, 23, 60, 71, 80].includes(index), known),
        telling(),
      ),
    ).toBeUndefined();
    expect(
      tell(
        cases(20, () => true, known),
        telling(),
      ),
    ).toBeUndefined();
  });
});
