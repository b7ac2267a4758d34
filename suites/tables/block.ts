import fc from 'fast-check';
import type { MakeInput, Value, Values } from '../../src/session/vector.ts';

/** What all values of a block have in common. */
export type About = Omit<Value<unknown>, 'make'>;

/** The names of a block, which plans and tests refer to. */
export type Block<Name extends string, Part> = Readonly<Record<Name, Value<Part>>>;

/** Values that are made from the row. */
export function block<Name extends string, Part>(
  about: About,
  rows: Readonly<Record<Name, (making: MakeInput) => Part>>,
): Block<Name, Part> {
  const values: Values<Part> = Object.fromEntries(
    Object.entries<(making: MakeInput) => Part>(rows).map(([name, make]) => [name, { ...about, make }]),
  );
  return values as Block<Name, Part>;
}

/** Values that are the same in each row. */
export function literals<Name extends string, Part>(about: About, rows: Readonly<Record<Name, Part>>): Block<Name, Part> {
  const made = Object.entries<Part>(rows).map(([name, part]) => [name, () => part] as const);
  return block(about, Object.fromEntries(made) as Readonly<Record<Name, () => Part>>);
}

/** Any small JSON value, as a drawn value of a member. */
export function drawnValues(): fc.Arbitrary<string> {
  const fractions = fc.tuple(fc.integer(), fc.integer({ min: 1, max: 9 })).map(([whole, tenths]) => `${whole}.${tenths}`);
  const containers = fc.oneof(
    fc.array(fc.oneof(fc.integer(), fc.string()), { maxLength: 3 }),
    fc.dictionary(fc.string({ maxLength: 6 }), fc.integer(), { maxKeys: 3 }),
  );
  const others = fc.oneof(fc.integer(), fc.boolean(), fc.string({ maxLength: 12 }), fc.constant(null), containers);
  return fc
    .oneof({ arbitrary: fractions, weight: 1 }, { arbitrary: others.map((value) => JSON.stringify(value)), weight: 5 })
    .map((json) => `=${json}`);
}
