// The status in the body of a creation, as JSON text, in blocks by what the document says about it.

import fc from 'fast-check';
import { wrongStatusTexts } from '../../src/arbitraries/invalid-bodies.ts';
import type { Table, Value } from '../../src/session/vector.ts';
import { PET_STATUSES } from '../../src/wire/exchange.ts';
import { type About, drawnValues, literals } from './block.ts';

const WRITE: About = { effect: 'write', since: '2.0' };

/** 201. */
export const STATUSES = literals<string, string | undefined>(WRITE, {
  none: undefined,
  ...Object.fromEntries(PET_STATUSES.map((status) => [status, JSON.stringify(status)])),
});

const WORDS = [
  ...['unknown', 'Available', 'SOLD', ' available', 'sold ', 'sold\n', '', 'available,sold', 'null', 'avail', '0', '1', 'adopted', 'lost'],
  // An object has it; a reader in C ends there; copied into a message without escaping, it ends the string early.
  ...['constructor', 'sold\u0000', 'so"ld\\'],
  // Full-width letters, and a Cyrillic o.
  ...['ｓｏｌｄ', 's\u043eld'],
];

/** 400 (create.status-invalid). */
export const WRONG_STATUSES = literals<string, string>(WRITE, {
  ...Object.fromEntries(WORDS.map((word) => [JSON.stringify(word), JSON.stringify(word)])),
  '300 letters': JSON.stringify('a'.repeat(300)),
  ...Object.fromEntries(
    ['1', '0', '1.5', 'true', 'false', 'null', '[]', '["sold"]', '{}', '{"value":"sold"}', '{"sold":null}'].map((text) => [text, text]),
  ),
});

/** `status: '="Sold"'`. */
const drawnStatus = (drawn: string | number): Value<string | undefined> => ({ ...WRITE, make: () => String(drawn) });

/** Anything but one of the three, mostly near one of them. */
export const drawnWrongStatuses = (): fc.Arbitrary<string> => {
  const words = wrongStatusTexts().map((word) => `=${JSON.stringify(word)}`);
  return fc.oneof({ arbitrary: words, weight: 2 }, { arbitrary: drawnValues().filter((json) => !json.startsWith('="')), weight: 1 });
};

export const BODY_STATUS: Table<string | undefined> = {
  usual: 'none',
  values: { ...STATUSES, ...WRONG_STATUSES },
  drawn: drawnStatus,
};
