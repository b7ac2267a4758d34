// What the chapters of the plan are written with.

import type { StoreState } from '../../src/plan/choose.ts';
import { createFiller, createPairCount, type Fillers, shuffle } from '../../src/plan/fill.ts';
import { packsOf } from '../../src/plan/pack.ts';
import { type Group, isGroup, type Row } from '../../src/plan/row.ts';
import { createRandom } from '../../src/session/numbers.ts';
import type { Pack, Table, Vector } from '../../src/session/vector.ts';
import { PET_STATUSES } from '../../src/wire/exchange.ts';
import { ACCEPTING_CLIENTS, TRUSTED_CLIENTS, USUAL_CLIENTS } from '../tables/clients.ts';

export type Create = Extract<Vector, { op: 'create' }>;
export type List = Extract<Vector, { op: 'list' }>;
export type Get = Extract<Vector, { op: 'get' }>;

type Block = Readonly<Record<string, unknown>>;

export const names = Object.keys;
/** A row for each value of a block. */
export const each = <One>(block: Block, row: (name: string, index: number) => One): readonly One[] => names(block).map(row);
export const all = (...blocks: readonly Block[]): Block => Object.assign({}, ...blocks) as Block;
export const times = <One>(count: number, row: (index: number) => One): readonly One[] =>
  Array.from({ length: count }, (_unused, index) => row(index));

export const inTurn = (...rows: readonly Vector[]): Group => ({ how: 'in turn', rows });
export const together = (...rows: readonly Vector[]): Group => ({ how: 'together', rows });

export const HARMLESS_CLIENTS = [...names(USUAL_CLIENTS), 'traced', ...names(TRUSTED_CLIENTS)];
export const CLIENT_VALUES = [...HARMLESS_CLIENTS, ...names(ACCEPTING_CLIENTS)];
export const FIELD_FORMS = [
  'usual',
  'in reverse order',
  'Authorization with a capital',
  'in capitals',
  'with white space',
  'after many others',
];
export const SHARED: Fillers = { client: CLIENT_VALUES, fields: FIELD_FORMS, connection: ['kept', 'kept', 'fresh', 'young'] };
const LIST: Fillers = { status: ['none', ...PET_STATUSES], query: ['limit first', 'status first'], ...SHARED };
export const FORM: Fillers = {
  order: ['name first', 'reversed', 'first member last'],
  escapes: ['none', 'first letter of values', 'first letter of names', 'beyond ASCII', 'slashes'],
  space: ['none', 'after each token', 'one space before the body', 'spaces', 'tabs', 'line feeds'],
  type: ['application/json', 'Application/JSON'],
  framing: ['length', 'length', 'divided'],
};
/** Of bodies that must be rejected, which must not be for another reason. */
const FILLERS_OF_INVALID: Fillers = { order: ['name first', 'reversed'], client: HARMLESS_CLIENTS, connection: ['kept', 'fresh', 'young'] };

export type Kit = ReturnType<typeof createKit>;

/** Rows are filled only after they were chosen (`filled`): the same seed, findings, and choice fill the same rows. */
export function createKit(found: StoreState, seed: number) {
  const random = createRandom(seed);
  const { fill: fillRow } = createFiller(random);
  const pairs = createPairCount();
  const toFill = new WeakMap<Vector, readonly [fillers: Fillers, partners: readonly string[]]>();
  const otherStatuses = PET_STATUSES.filter((status) => status !== found.rarestStatus);

  function fill<Filled extends Vector>(row: Filled, fillers: Fillers, partners: readonly string[] = []): Filled {
    toFill.set(row, [fillers, partners]);
    return row;
  }

  function filledVector(row: Vector): Vector {
    const how = toFill.get(row);
    if (how === undefined) return row;
    pairs.mayStandTogether(row.op, how[0]);
    return fillRow(row, ...how);
  }

  const statuses = ['none', ...otherStatuses];
  const whole: Fillers = { status: statuses, ...SHARED, ...FORM };
  const create = (row: Omit<Create, 'op'>, fillers?: Fillers): Create =>
    fill({ op: 'create', ...row }, fillers === undefined ? whole : { status: statuses, ...fillers });
  return {
    ...found,
    fill,
    otherStatuses,
    mixed: <Item>(items: readonly Item[]): readonly Item[] => shuffle(items, random),
    /** So many packs at least, or one that begins with each of these. */
    packs: <Part>(table: Table<Part>, values: readonly string[], into: number | readonly string[], times = 2): readonly Pack[] =>
      packsOf(table, values, { into, times, random }),
    list: (row: Omit<List, 'op'> = {}, fillers = LIST): List => fill({ op: 'list', ...row }, fillers, ['limit', 'parameters']),
    get: (row: Omit<Get, 'op'> = {}, fillers = SHARED): Get => fill({ op: 'get', ...row }, fillers),
    create,
    /** A body that must be rejected: where it is stored all the same, few animals hide it. */
    invalid: (row: Omit<Create, 'op'>): Create => create({ status: found.rarestStatus, ...row }, FILLERS_OF_INVALID),
    filled: (row: Row): Row => (isGroup(row) ? { ...row, rows: row.rows.map(filledVector) } : filledVector(row)),
    pairs,
  };
}
