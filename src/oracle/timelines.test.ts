import { describe, expect, test } from 'vitest';
import { error, history, NAME, pet } from '../../test/support/history.ts';
import { CLAUSES_BY_SHAPE } from './contradiction-clauses.ts';
import { timelineCases } from './timelines.ts';

const CLAUSES = [
  ...new Set(Object.values(CLAUSES_BY_SHAPE).flatMap((shapes) => Object.values(shapes).flatMap((places) => Object.values(places)))),
];

type Answer = readonly [target: string, body: unknown];
const list = (...ids: readonly number[]): unknown =>
  ids.map((id) => pet(id, id === 1 ? {} : { name: `Conformance${'abcdef'.charAt(id)}zzzz` }));
const [ALL, SOLD, READ] = ['/pets', '/pets?status=sold', '/pets/1'];

/** The clauses that the answers break, about animal 1, which was created as sold. */
function brokenBy(answers: readonly Answer[]): readonly string[] {
  const run = history();
  run.add({ body: { name: NAME, categoryId: 3, status: 'sold' } }, { status: 201, body: pet(1) });
  for (const [target, body] of answers) run.add({ target }, body === 404 ? error(404) : { status: 200, body });
  const world = run.now();
  return CLAUSES.filter((clause) => timelineCases(world, clause).some(({ breach, animal }) => breach !== undefined && animal === 1n));
}

describe('the shape of a contradiction names the clause', () => {
  test.each<[string, readonly Answer[], readonly string[]]>([
    [
      'right everywhere',
      [
        [ALL, list(1, 2)],
        [SOLD, list(1, 2)],
        [READ, pet(1)],
      ],
      [],
    ],
    [
      'in no place',
      [
        [ALL, list(2)],
        [READ, 404],
      ],
      ['list.complete'],
    ],
    ['in no read, and nothing else was asked', [[READ, 404]], ['get.success']],
    [
      'never in a list',
      [
        [ALL, list(2)],
        [READ, pet(1)],
        [ALL, list(2)],
      ],
      ['list.complete'],
    ],
    [
      'never in a list with its status',
      [
        [ALL, list(1, 2)],
        [SOLD, list(2)],
        [SOLD, list(2)],
      ],
      ['list.filter-complete'],
    ],
    [
      'never in a read',
      [
        [ALL, list(1, 2)],
        [READ, 404],
        [READ, 404],
      ],
      ['get.success'],
    ],
    [
      'there, and then never again',
      [
        [READ, pet(1)],
        [ALL, list(1)],
        [READ, 404],
        [READ, 404],
      ],
      ['list.read-only'],
    ],
    [
      'now and then in a list',
      [
        [ALL, list(1, 2)],
        [ALL, list(2)],
        [ALL, list(1, 2)],
      ],
      ['list.read-only'],
    ],
    [
      'now and then in a read',
      [
        [READ, pet(1)],
        [READ, 404],
        [READ, pet(1)],
      ],
      ['get.durable'],
    ],
    [
      'wrong in all places',
      [
        [ALL, [pet(1, { status: 'pending' })]],
        [READ, pet(1, { status: 'pending' })],
      ],
      ['create.round-trip'],
    ],
    [
      'wrong in lists, right in reads',
      [
        [ALL, [pet(1, { categoryId: 4 })]],
        [READ, pet(1)],
      ],
      ['get.agrees-with-list'],
    ],
    [
      'now and then wrong in a read',
      [
        [READ, pet(1)],
        [READ, pet(1, { categoryId: 4 })],
        [READ, pet(1)],
      ],
      ['get.repeatable'],
    ],
  ])('%s', (_shape, answers, broken) => {
    expect(brokenBy(answers)).toEqual(broken);
  });

  test('a full page omits nothing, and neither does one that was asked for too early', () => {
    const full = Array.from({ length: 20 }, (_unused, index) => pet(index + 10));
    expect(
      brokenBy([
        [ALL, full],
        [READ, pet(1)],
        [ALL, full],
      ]),
    ).toEqual([]);
    const run = history();
    run.add({ body: { name: NAME, categoryId: 3, status: 'sold' } }, { status: 201, body: pet(1) }, 0);
    run.add({ target: ALL }, { status: 200, body: [] }, 400);
    run.add({ target: READ }, { status: 200, body: pet(1) }, 450);
    const world = run.now();
    expect(CLAUSES.filter((clause) => timelineCases(world, clause).some(({ breach }) => breach !== undefined))).toEqual([]);
  });

  test('animals of others may go, but not many of them', () => {
    const goneOf = (count: number): readonly string[] => {
      const run = history();
      const ids = Array.from({ length: count }, (_unused, index) => index + 10);
      for (let turn = 0; turn < 3; turn += 1) run.add({ target: ALL }, { status: 200, body: list(...ids) });
      for (let turn = 0; turn < 2; turn += 1) run.add({ target: ALL }, { status: 200, body: [] });
      const world = run.now();
      return CLAUSES.filter((clause) => timelineCases(world, clause).some(({ breach }) => breach !== undefined));
    };
    expect([goneOf(4), goneOf(5)]).toEqual([[], ['list.read-only']]);
  });
});
