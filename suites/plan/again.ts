// What a run sends to see whether broken clauses are repaired: what every client sends, and the rows by which they were broken.

import type { ReportedAgain, ReportedGroup } from '../../src/clause/clause-record.ts';
import { CONSENTS, type Consent, MISSING_CONSENT, type Plan, type StoreState } from '../../src/plan/choose.ts';
import { PHASES, type Phase, type Row, vectorsOf } from '../../src/plan/row.ts';
import { valuesOf } from '../../src/session/compose.ts';
import type { Vector } from '../../src/session/vector.ts';
import { PET_STATUSES } from '../../src/wire/exchange.ts';
import { TABLES } from '../tables/tables.ts';
import { ROW_EFFECTS } from './effects.ts';
import { inTurn, times } from './kit.ts';

/** What is there. */
export const AGAIN_OPENING: readonly Vector[] = [
  { op: 'list' },
  { op: 'list', limit: 100 },
  ...PET_STATUSES.map((status): Vector => ({ op: 'list', status, limit: 100 })),
  ...[0, 1].map((id): Vector => ({ op: 'get', id })),
];

/** What shows the animals that the run has created. */
const LOOKS: readonly Row[] = [
  { op: 'list' },
  { op: 'list', limit: 100 },
  ...PET_STATUSES.flatMap((status): Vector[] => [
    { op: 'list', status, limit: 100 },
    { op: 'list', status },
  ]),
  { op: 'list', credential: 'none' },
  // What a rejected creation has left is in no list of a large store.
  inTurn({ op: 'get', id: 'after the newest' }),
];

type Reported = ReportedAgain['rows'][number];

/** Whether the tables of this version have all that the row of a record names. */
function isRow(row: Reported): row is Row & Reported {
  const vectors = 'how' in row ? (row as ReportedGroup).rows : [row];
  try {
    for (const vector of vectors) valuesOf(TABLES, vector as Vector);
    return true;
  } catch {
    return false;
  }
}

/**
 * The rows of a record, each as often as the clause that needs it most, as far as this version knows their values and the user allows them. They are sent
 * twice, the second time right after the first, so that what fails every other time fails.
 */
function rowsOf(
  again: readonly ReportedAgain[],
  consents: ReadonlySet<Consent>,
): Pick<Plan, 'leftOut'> & { readonly rows: readonly Row[] } {
  const taken = new Map<string, number>();
  const once = again.flatMap(({ rows }): readonly Row[] => {
    const own = new Map<string, number>();
    const isMore = (row: Row): boolean => {
      const key = JSON.stringify(row);
      const count = (own.get(key) ?? 0) + 1;
      own.set(key, count);
      if (count <= (taken.get(key) ?? 0)) return false;
      taken.set(key, count);
      return true;
    };
    return rows.filter(isRow).filter(isMore);
  });
  const all = once.flatMap((row) => [row, row]);
  const lacks = new Map(all.map((row) => [row, lackOf(vectorsOf(row), consents)]));
  return {
    rows: all.filter((row) => lacks.get(row) === undefined),
    leftOut: [...lacks].flatMap(([row, lack]) =>
      lack === undefined ? [] : vectorsOf(row).map((vector) => ({ vector, missing: MISSING_CONSENT[lack] })),
    ),
  };
}

const lackOf = (vectors: readonly Vector[], consents: ReadonlySet<Consent>): Consent | undefined =>
  CONSENTS.find((one) => !consents.has(one) && vectors.some((vector) => ROW_EFFECTS.consentsOf(vector).includes(one)));

/** Creations until lists can show more animals than they may. */
function fillingFor(again: readonly ReportedAgain[], { size }: StoreState): readonly Vector[] {
  const needed = again.flatMap(({ animals }) => (animals === undefined ? [] : [animals]));
  const least = Math.max(0, ...needed.map((one) => one.least));
  const status = needed.find((one) => one.status !== undefined)?.status;
  return times(
    Math.max(0, least - size - PET_STATUSES.length - 1),
    (): Vector => ({ op: 'create', ...(status === undefined ? {} : { status }) }),
  );
}

/** What a run of `--failed` takes from the suite, and a whole run to see what that will show. */
export const AGAIN = { opening: AGAIN_OPENING, planOf: againPlanOf } as const;

/** A plain creation with each status, the rows of what was broken, and what shows that nothing else is. */
export function againPlanOf(again: readonly ReportedAgain[]) {
  return (found: StoreState, { consents, creations }: { readonly consents: ReadonlySet<Consent>; readonly creations: number }): Plan => {
    const { rows, leftOut } = rowsOf(again, consents);
    const filling = fillingFor(again, found);
    // The first creation has the status of the fewest animals.
    const statuses = ['none', ...PET_STATUSES.filter((status) => status !== found.rarestStatus)];
    const plain = consents.has('write')
      ? [...statuses.map((status): Vector => ({ op: 'create', status })), ...filling.slice(0, creations)]
      : [];
    const phases: readonly Phase[] = [
      { title: 'a small store', ...PHASES['a small store'], isInOrder: true, rows: plain },
      { title: 'one after the other', ...PHASES['one after the other'], rows },
      { title: 'the end', ...PHASES['the end'], rows: LOOKS },
    ];
    return { phases, leftOut, pairsIn: () => ({ met: 0, of: 0 }), read: (id) => ({ op: 'get', id: `=${id}` }) };
  };
}
