import { expect, test } from 'vitest';
import { once, oncePer } from './once.ts';

/** A function that counts its calls, and returns undefined: that is a value, too. */
function counted() {
  const calls: unknown[] = [];
  return { calls, make: (given?: unknown): undefined => void calls.push(given) };
}

test('once makes its value at the first call, and no more than once', () => {
  const { calls, make } = counted();
  const value = once(() => make());
  expect(calls).toHaveLength(0);
  expect([value(), value()]).toEqual([undefined, undefined]);
  expect(calls).toHaveLength(1);
});

test('oncePer makes one value for each key', () => {
  const { calls, make } = counted();
  const byId = oncePer(make, (given: { readonly id: number }) => given.id);
  for (const id of [1, 2, 1]) byId({ id });
  expect(calls).toEqual([{ id: 1 }, { id: 2 }]);
});

test('oncePer takes what is given for the key', () => {
  const { calls, make } = counted();
  const each = oncePer(make);
  for (const given of ['a', 'b', 'a']) each(given);
  expect(calls).toEqual(['a', 'b']);
});
