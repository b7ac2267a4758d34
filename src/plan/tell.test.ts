import { describe, expect, test } from 'vitest';
import { type Known, type Telling, tell, tellNeeded } from './tell.ts';

const cases = (count: number, isBroken: (index: number) => boolean, known: (index: number) => Readonly<Record<string, string | number>>) =>
  Array.from({ length: count }, (_unused, index) => ({ known: new Map(Object.entries(known(index))) as Known, isBroken: isBroken(index) }));

const names = ['limit', 'status', 'number'];
const none: ReadonlySet<string> = new Set();
const telling = (countUp = none, inOrder = none): Telling => ({
  ...{ names, countUp, inOrder, kinds: none, isSaid: () => true },
  before: new Set(['status']),
  states: new Set(['number']),
  course: none,
});
const STATUSES = ['none', 'sold', 'pending'];
const known = (index: number) => ({ limit: ((index * 37) % 100) + 1, status: STATUSES[index % 3] ?? 'none', number: index });

describe('tell', () => {
  test('names the value that all broken cases have and no right one', () => {
    const told = tell(
      cases(90, (index) => index % 3 === 1, known),
      telling(),
    );
    expect(told).toEqual([{ name: 'status', test: { kind: 'is', value: 'sold' } }]);
  });

  test('names a threshold with the nearest number that is right', () => {
    const told = tell(
      cases(100, (index) => known(index).limit > 50, known),
      telling(),
    );
    expect(told).toEqual([{ name: 'limit', test: { kind: 'least', value: 51, other: 50 } }]);
  });

  test('names a divisor of what counts up, and of nothing else', () => {
    const isBroken = (index: number) => index % 5 === 3;
    expect(tell(cases(100, isBroken, known), telling(new Set(['number'])))).toEqual([
      { name: 'number', test: { kind: 'divided', by: 5, rest: 3 } },
    ]);
    expect(tell(cases(100, isBroken, known), telling())).toEqual([]);
  });

  test('names two together where none is enough', () => {
    const isBroken = (index: number) => known(index).limit > 50 && known(index).status === 'sold';
    const told = tell(cases(200, isBroken, known), telling());
    expect(told.map(({ name }) => name)).toEqual(['limit', 'status']);
  });

  test('does not put two together that come in an order', () => {
    const isBroken = (index: number) => known(index).limit > 50 && index > 100;
    expect(tell(cases(200, isBroken, known), telling()).map(({ name }) => name)).toEqual(['limit', 'number']);
    expect(tell(cases(200, isBroken, known), telling(none, new Set(['number'])))).toEqual([]);
  });

  test('names a range of what comes in an order', () => {
    const told = tell(
      cases(200, (index) => index > 20 && index < 60, known),
      telling(none, new Set(['number'])),
    );
    expect(told).toEqual([
      { name: 'number', test: { kind: 'least', value: 21, other: 20 } },
      { name: 'number', test: { kind: 'most', value: 59, other: 60 } },
    ]);
  });

  test('names what came before nearly all broken cases, and nearly no right one', () => {
    const told = (off: readonly number[]) =>
      tell(
        cases(90, (index) => (index % 3 === 1) !== off.includes(index), known),
        telling(),
      );
    expect(told([3, 40])).toEqual([{ name: 'status', test: { kind: 'is', value: 'sold' } }]);
    expect(told([3, 4, 5, 10, 22, 23, 40, 44])).toEqual([]);
  });

  test('is silent where one of all predicates would hold by chance, or none does', () => {
    expect(
      tell(
        cases(90, (index) => index === 42, known),
        telling(),
      ),
    ).toEqual([]);
    expect(
      tell(
        cases(90, (index) => [1, 17, 23, 60, 71, 80].includes(index), known),
        telling(),
      ),
    ).toEqual([]);
    expect(
      tell(
        cases(20, () => true, known),
        telling(),
      ),
    ).toEqual([]);
  });
});

describe('tellNeeded', () => {
  const half = (index: number) => index % 2 === 0;

  test('names what all broken cases have and few others, though right ones have it, too', () => {
    const isBroken = (index: number) => known(index).status === 'sold' && half(index);
    expect(tell(cases(90, isBroken, known), telling())).toEqual([]);
    expect(tellNeeded(cases(90, isBroken, known), telling())).toEqual([{ name: 'status', test: { kind: 'is', value: 'sold' } }]);
  });

  test('names two where each excludes many that the other does not', () => {
    const isBroken = (index: number) => known(index).status === 'sold' && known(index).limit > 50 && half(index);
    expect(tellNeeded(cases(200, isBroken, known), telling()).map(({ name }) => name)).toEqual(['status', 'limit']);
  });

  test('names the kind of request with what else there is, and not alone', () => {
    const one = (index: number) => ({ operation: index % 3 === 1 ? 'list' : 'get', 'accept-encoding': index % 4 === 0 ? 'some' : 'none' });
    const of = { ...telling(), names: ['operation', 'accept-encoding'], kinds: new Set(['operation']) };
    const told = (isBroken: (index: number) => boolean) => tellNeeded(cases(360, isBroken, one), of).map(({ name }) => name);
    expect(told((index) => index % 3 === 1 && index % 4 === 0 && index % 5 < 2)).toEqual(['operation', 'accept-encoding']);
    expect(told((index) => index % 3 === 1 && index % 5 < 2)).toEqual([]);
  });

  test('says nothing of what changed with the time of the broken cases, of what most cases have, or of what is broken seldom', () => {
    const inTime = (index: number) => ({ phase: index < 50 ? 'early' : 'late', usual: index % 20 === 0 ? 'no' : 'yes', number: index });
    const of = { ...telling(none, new Set(['number'])), names: ['phase', 'usual', 'number'] };
    const told = (isBroken: (index: number) => boolean) => tellNeeded(cases(200, isBroken, inTime), of).map(({ name }) => name);
    expect(told((index) => index < 45 && index % 3 === 1)).toEqual(['number']);
    const early = cases(200, (index) => index < 45 && index % 3 === 1, inTime);
    expect(tellNeeded(early, { ...of, course: new Set(['number']) })).toEqual([]);
    expect(told((index) => index % 20 !== 0 && index % 2 === 1)).toEqual([]);
    expect(told((index) => index < 90 && index % 10 === 1)).toEqual([]);
  });
});
