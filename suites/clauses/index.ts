// All clauses, as rules over rows and questions to them.

import type { Clause, JudgedClause } from '../../src/oracle/rule.ts';
import { auth } from './auth.ts';
import { create } from './create.ts';
import { createTogether } from './create-together.ts';
import { createValues } from './create-values.ts';
import { deprecation } from './deprecation.ts';
import { errors } from './errors.ts';
import { get } from './get.ts';
import { list } from './list.ts';
import { media } from './media.ts';
import { open } from './open.ts';
import { records } from './records.ts';
import { WORDING } from './wording.ts';

const ALL = new Map<string, JudgedClause>(
  [auth, list, create, createValues, createTogether, get, deprecation, errors, media, records, open].flat().map((one) => [one.id, one]),
);

/** In the order of the document. */
export const clauses: readonly Clause[] = Object.entries(WORDING).map(([id, wording]) => {
  const judged = ALL.get(id);
  if (judged === undefined) throw new Error(`no rules judge ${id}`);
  return { ...wording, ...judged };
});
