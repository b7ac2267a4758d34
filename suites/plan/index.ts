// What a run sends.

import { type Choice, choose, type LeftOut, order } from '../../src/plan/choose.ts';
import type { PairsMet } from '../../src/plan/fill.ts';
import type { Phase } from '../../src/plan/row.ts';
import type { Vector } from '../../src/session/rows.ts';
import { PET_STATUSES } from '../../src/wire/exchange.ts';
import { ABOUT } from './about.ts';
import { entriesOf } from './entries.ts';
import { CLIENT_VALUES, type Found } from './kit.ts';

/** The first requests: what is there, and what the rest of the plan needs to know. */
export const OPENING: readonly Vector[] = [
  { op: 'list' },
  { op: 'list', limit: 20 },
  { op: 'list', limit: 100 },
  ...PET_STATUSES.flatMap((status): Vector[] => [
    { op: 'list', status, limit: 100 },
    { op: 'list', status },
  ]),
  ...[0, 1, 2].map((id): Vector => ({ op: 'get', id })),
];

export type Plan = {
  readonly phases: readonly Phase[];
  /** Rows of the selected clauses that an option leaves out. */
  readonly leftOut: readonly LeftOut[];
  /** Of the pairs with which its rows are filled, how many are among these. */
  readonly pairsIn: (vectors: Iterable<Vector>) => PairsMet;
  /** Reads of created animals are from all clients in turn. */
  readonly read: (id: bigint, number: number) => Vector;
};

const readBack = (id: bigint, number: number): Vector => ({
  op: 'get',
  id: `=${id}`,
  client: CLIENT_VALUES[number % CLIENT_VALUES.length] ?? 'usual',
});

/** The rest of a run. The same seed, findings, and choice give the same rows. */
export function planOf(found: Found, { seed, ...choice }: Choice & { readonly seed: number }): Plan {
  const { entries, filled, mixed, pairs } = entriesOf(found, { seed, isDeep: choice.isDeep });
  const chosen = choose(entries, choice, { ...ABOUT, size: found.size });
  const whole = chosen.entries.map((entry) => ({ ...entry, rows: entry.rows.map(filled) }));
  return {
    phases: order({ ...chosen, entries: whole }, mixed),
    leftOut: chosen.leftOut,
    pairsIn: pairs.count,
    read: readBack,
  };
}
