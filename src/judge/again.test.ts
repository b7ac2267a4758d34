import { describe, expect, test } from 'vitest';
import { clauses } from '../../suites/clauses/index.ts';
import { AGAIN_OPENING, againPlanOf } from '../../suites/plan/again.ts';
import { error, history, pet } from '../../test/support/history.ts';
import { judgeHistory } from '../oracle/verdicts.ts';
import type { Group, Row } from '../plan/row.ts';
import { vectorsOf } from '../plan/row.ts';
import type { Sent, Vector } from '../session/vector.ts';
import { type Again, againOf, NOT_REPEATED, repairOf } from './again.ts';

type Asked = Parameters<ReturnType<typeof history>['add']>;

/** A history with the row of each exchange, and the group that it was a part of. */
function told() {
  const run = history();
  const [vectors, groups] = [new Map<Sent, Vector>(), new Map<Sent, Group>()];
  return {
    add(vector: Vector | undefined, asked: Asked[0], answered: Asked[1], group?: Group): void {
      run.add(asked, answered);
      if (vector !== undefined) vectors.set(run.last().sent, vector);
      if (group !== undefined) groups.set(run.last().sent, group);
    },
    again(): readonly Again[] {
      const world = run.now();
      const verdicts = judgeHistory(clauses, world).filter(({ clause }) => clause.level !== 'advised');
      return againOf({ world, verdicts, vectorOf: (sent) => vectors.get(sent), groupOf: (sent) => groups.get(sent) }, clauses);
    },
    repair: (again: readonly Again[]) => repairOf(again, { world: run.now(), verdicts: judgeHistory(clauses, run.now()) }),
  };
}

const LIST: Vector = { op: 'list' };
const animals = (count: number): readonly unknown[] => Array.from({ length: count }, (_unused, index) => pet(index + 1));

/** A service that ignores limits from 5 on. */
function ignoringLimits() {
  const run = told();
  run.add(LIST, {}, { status: 200, body: animals(12) });
  for (const limit of [7, 3, 5, 9]) {
    const vector: Vector = { op: 'list', limit, ...(limit === 7 ? { client: 'browser' } : {}) };
    run.add(vector, { target: `/pets?limit=${limit}` }, { status: 200, body: animals(limit < 5 ? limit : 12) });
  }
  return run;
}

const of = (all: readonly Again[], id: string): Again | undefined => all.find(({ clause }) => clause === id);

describe('againOf', () => {
  test('keeps nothing of a run in which nothing is broken', () => {
    const run = told();
    run.add(LIST, {}, { status: 200, body: animals(2) });
    expect(run.again()).toEqual([]);
  });

  test('keeps the row that shows it with the fewest animals, and how many have to be there', () => {
    expect(of(ignoringLimits().again(), 'list.limit-maximum')).toEqual({
      clause: 'list.limit-maximum',
      rows: [{ op: 'list', limit: 5 }],
      musts: ['limit 2 to 19'],
      animals: { least: 6 },
      doubt: NOT_REPEATED,
    });
  });

  test('does not wait for what was seen only where no row was sent', () => {
    const run = ignoringLimits();
    run.add(undefined, { target: '/pets?limit=1' }, { status: 200, body: animals(12) });
    expect(of(run.again(), 'list.limit-maximum')?.musts).toEqual(['limit 2 to 19']);
  });

  test('keeps a group as a whole', () => {
    const run = told();
    const group: Group = { how: 'in turn', rows: [LIST, { op: 'get', id: 0 }] };
    run.add(LIST, {}, { status: 200, body: animals(2) });
    run.add({ op: 'list' }, {}, { status: 200, body: animals(2) }, group);
    run.add({ op: 'get', id: 0 }, { target: '/pets/1' }, { ...error(500) }, group);
    expect(of(run.again(), 'errors.no-server-error')?.rows).toEqual([group]);
  });

  test('keeps what leaves no animal, of two that show the same', () => {
    const run = told();
    const creating: Group = { how: 'in turn', rows: [{ op: 'create' }, LIST] };
    const reading: Group = { how: 'in turn', rows: [LIST, LIST, LIST] };
    run.add(LIST, {}, { status: 200, body: animals(2) });
    run.add({ op: 'create' }, { body: { name: 'Rex', categoryId: 1 } }, { status: 201, body: { ...pet(41), name: 'Rex' } }, creating);
    run.add(LIST, {}, error(500), creating);
    for (const reply of [{ status: 200, body: animals(2) }, { status: 200, body: animals(2) }, error(500)])
      run.add(LIST, {}, reply, reading);
    expect(of(run.again(), 'errors.no-server-error')?.rows).toEqual([reading]);
  });

  test('names animals that the run created by their places', () => {
    const run = told();
    run.add(LIST, {}, { status: 200, body: [] });
    run.add(
      { op: 'create', status: 'sold' },
      { body: { name: 'Rex', categoryId: 1, status: 'sold' } },
      { status: 201, body: { ...pet(41), name: 'Rex', categoryId: 1, status: 'sold' } },
    );
    run.add({ op: 'get', id: '=41', client: 'gzip' }, { target: '/pets/41' }, { ...error(500) });
    const again = run.again();
    expect(of(again, 'errors.no-server-error')?.rows).toContainEqual({ how: 'in turn', rows: [{ op: 'get', id: -1, client: 'gzip' }] });
    expect(JSON.stringify(again)).not.toContain('41');
  });
});

describe('repairOf', () => {
  const again = ignoringLimits()
    .again()
    .map(({ doubt: _doubt, ...one }) => one);

  test('says what is broken still', () => {
    expect(ignoringLimits().repair(again).broken).toContain('list.limit-maximum');
  });

  test('takes a clause for repaired only if what broke it is met', () => {
    const short = told();
    short.add(LIST, {}, { status: 200, body: animals(2) });
    short.add({ op: 'list', limit: 5 }, { target: '/pets?limit=5' }, { status: 200, body: animals(2) });
    const { repaired, undecided } = short.repair(again);
    expect(repaired).not.toContain('list.limit-maximum');
    expect(undecided.map(({ clause }) => clause)).toContain('list.limit-maximum');
    const enough = told();
    enough.add(LIST, {}, { status: 200, body: animals(12) });
    enough.add({ op: 'list', limit: 5 }, { target: '/pets?limit=5' }, { status: 200, body: animals(5) });
    expect(enough.repair(again).repaired).toContain('list.limit-maximum');
  });

  test('keeps undecided what no repetition has shown, with the reason', () => {
    const run = told();
    run.add(LIST, {}, { status: 200, body: animals(2) });
    const doubt = NOT_REPEATED;
    expect(run.repair([{ clause: 'list.success', rows: [], musts: [], doubt }]).undecided).toEqual([
      { clause: 'list.success', reason: doubt },
    ]);
  });

  test('takes nothing for repaired that may be hidden by what is broken', () => {
    const run = told();
    run.add(LIST, {}, { status: 200, body: animals(2) });
    run.add({ op: 'list', limit: 5 }, { target: '/pets?limit=5' }, { status: 200, body: animals(2) });
    const others: readonly Again[] = [{ clause: 'list.limit-accepted', rows: [{ op: 'list', limit: 5 }], musts: [] }];
    expect(run.repair(others).repaired).toEqual(['list.limit-accepted']);
    run.add(LIST, {}, error(500));
    const { newlyBroken, repaired, undecided } = run.repair(others);
    expect(newlyBroken).toEqual(['errors.no-server-error']);
    expect(repaired).toEqual([]);
    expect(undecided[0]?.reason).toBe('errors.no-server-error is broken, which may hide it');
  });

  test('knows a store in which lists have no room any more', () => {
    const run = told();
    run.add(LIST, {}, { status: 200, body: animals(20) });
    run.add({ op: 'list', limit: 100 }, { target: '/pets?limit=100' }, { status: 200, body: animals(100) });
    const { undecided } = run.repair([{ clause: 'list.success', rows: [{ op: 'list' }], musts: [], store: 'with room' }]);
    expect(undecided[0]?.reason).toContain('now there are too many');
  });
});

test('a store that was empty is known from the lists of then, and of now', () => {
  const run = told();
  run.add(LIST, {}, error(404));
  run.add(LIST, {}, { status: 200, body: animals(1) });
  const again = run.again();
  expect(of(again, 'list.success')).toMatchObject({ store: 'empty' });
  const full = told();
  full.add(LIST, {}, { status: 200, body: animals(1) });
  expect(full.repair(again).undecided).toContainEqual({
    clause: 'list.success',
    reason: 'the lists that broke it had no animal to show, and now there are some',
  });
});

describe('the plan of what was broken', () => {
  const consents = new Set(['write', 'intrusive', 'near miss'] as const);
  const FOUND = { size: 2, rarestStatus: 'available', known: 2 } as const;
  const rowsIn = (
    again: readonly Omit<Again, 'clause'>[],
    choice = { consents: consents as ReadonlySet<'write' | 'intrusive' | 'near miss'>, creations: 200 },
  ): readonly Row[] => againPlanOf(again)(FOUND, choice).phases.flatMap(({ rows }) => rows);
  const creationsIn = (rows: readonly Row[]): number => rows.flatMap(vectorsOf).filter(({ op }) => op === 'create').length;

  test('is a few requests and four animals beyond its rows', () => {
    const rows = rowsIn([{ rows: [{ op: 'list', limit: 5 }], musts: [] }]);
    expect(rows).toContainEqual({ op: 'list', limit: 5 });
    // The first creation, which finds a category, is no row of the plan.
    expect(creationsIn(rows)).toBe(3);
    expect(rows.flatMap(vectorsOf).length + AGAIN_OPENING.length).toBeLessThan(30);
  });

  test('sends a row twice in a row, however many clauses need it', () => {
    const row: Vector = { op: 'get', id: 0, client: 'curl' };
    const rows = rowsIn([
      { rows: [row], musts: [] },
      { rows: [row], musts: [] },
    ]);
    const at = rows.flatMap((one, index) => (JSON.stringify(one) === JSON.stringify(row) ? [index] : []));
    expect(at).toEqual([at[0], (at[0] ?? 0) + 1]);
  });

  test('creates as many animals as a list needs, and none in a run that only reads', () => {
    const needy = { rows: [{ op: 'list', limit: 9 }], musts: [], animals: { least: 10, status: 'sold' as const } };
    expect(creationsIn(rowsIn([needy]))).toBe(3 + 4);
    expect(creationsIn(rowsIn([needy], { consents: new Set(['intrusive']), creations: 200 }))).toBe(0);
  });

  test('leaves out what the user does not agree to, and rows that this version does not know', () => {
    const again = [
      {
        rows: [
          { op: 'get', credential: 'cookie api_key' },
          { op: 'get', client: 'no such client' },
        ],
        musts: [],
      },
    ];
    const { phases, leftOut } = againPlanOf(again)(FOUND, { consents: new Set(['write']), creations: 200 });
    expect(leftOut.map(({ vector }) => vector)).toEqual([{ op: 'get', credential: 'cookie api_key' }]);
    expect(
      phases
        .flatMap(({ rows }) => rows)
        .flatMap(vectorsOf)
        .some(({ op, client }) => op === 'get' && client !== undefined),
    ).toBe(false);
  });
});
