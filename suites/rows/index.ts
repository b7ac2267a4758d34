// All clauses that judge, as rules over rows.

import type { Clause } from '../../src/oracle/rows/rule.ts';
import { auth } from './auth.ts';
import { create } from './create.ts';
import { createTogether } from './create-together.ts';
import { createValues } from './create-values.ts';
import { deprecation } from './deprecation.ts';
import { errors } from './errors.ts';
import { get } from './get.ts';
import { list } from './list.ts';
import { media } from './media.ts';
import { records } from './records.ts';

const ALL = [auth, list, create, createValues, createTogether, get, deprecation, errors, media, records].flat();

/** Each clause once: what several files say about one is put together. */
export const clauses: readonly Clause[] = [...Map.groupBy(ALL, ({ id }) => id).values()].flatMap(([first, ...more]) =>
  first === undefined
    ? []
    : [{ ...first, rules: [first, ...more].flatMap(({ rules }) => rules), must: [first, ...more].flatMap(({ must }) => must) }],
);
