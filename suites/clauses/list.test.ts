import { describe, expect, test } from 'vitest';
import { error, NAME } from '../../test/support/history.ts';
import { broken, brokenBy, listed, NO_KEY, posted, type Row, read, type Step, testClause } from '../../test/support/judged.ts';

const PET = { id: 7, name: NAME, categoryId: 1, status: 'sold' };
const animals = (count: number, changes: object = {}): readonly object[] =>
  Array.from({ length: count }, (_unused, index) => ({ ...PET, id: 100 + index, ...changes }));
const ok = (body: unknown) => ({ status: 200, body });
const refused = error(400);
const LIST = listed({}, ok([]));
/** A list that makes so many animals known. */
const known = (count: number): readonly Step[] => [listed({ limit: 100 }, ok(animals(count)))];
type Parameters = { readonly limit?: number; readonly status?: string };

/** What no rule of lists judges. */
function strangers(parameters: Parameters, reply: Step['reply']): readonly Row[] {
  return [
    ['no response', listed(parameters, 'timeout'), 'not-applicable'],
    ['a read', read(7n, reply), 'not-applicable'],
    ['a creation', posted(PET, reply), 'not-applicable'],
    ['a limit out of range', listed({ ...parameters, limit: 0 }, reply), 'not-applicable'],
    ['an unknown status', listed({ ...parameters, status: 'gone' }, reply), 'not-applicable'],
    ['another credential', listed(parameters, reply, NO_KEY), 'not-applicable'],
  ];
}

/** What breaks no rule about acceptance, and what does. */
function rejections(parameters: Parameters): readonly Row[] {
  const rejected = (status: number) => [LIST, listed(parameters, error(status))];
  return [
    ['a rejected key', rejected(401), 'not-applicable'],
    ['a crash', rejected(500), 'not-applicable'],
    ['a wait', rejected(429), 'not-applicable'],
    ['another wait', [LIST, listed(parameters, { ...error(503), headers: [['retry-after', '1']] })], 'not-applicable'],
    ['a status just below a crash', rejected(499), broken('returned 499')],
    ['an operation that is not there', rejected(501), broken('returned 501')],
    ['a list with another parameter too', listed({ ...parameters, page: 2 }, refused), 'not-applicable'],
    ...strangers(parameters, refused),
  ];
}

testClause('list.success', [
  ['a list', LIST, 'holds'],
  ['a rejected list', listed({}, refused), broken('GET /pets returned 400; expected 200')],
  ['another success', listed({}, { status: 206, body: [] }), broken('returned 206')],
  ['a rejected list with a limit', listed({ limit: 5 }, refused), 'not-applicable'],
  ['a rejected list with a status', listed({ status: 'sold' }, refused), 'not-applicable'],
  ...rejections({}),
]);

testClause('list.limit-accepted', [
  ['an accepted limit', listed({ limit: 100 }, ok([])), 'holds'],
  ['a rejected limit', [LIST, listed({ limit: 5 }, refused)], broken('GET /pets?limit=5 returned 400; expected 200')],
  ['a rejected limit with a status', [LIST, listed({ limit: 5, status: 'sold' }, refused)], 'not-applicable'],
  ['a rejected status', [LIST, listed({ status: 'sold' }, refused)], 'not-applicable'],
  ...rejections({ limit: 5 }),
]);

testClause('list.status-accepted', [
  ['an accepted status', listed({ status: 'pending' }, ok([])), 'holds'],
  ['a rejected status', [LIST, listed({ status: 'sold' }, refused)], broken('GET /pets?status=sold returned 400; expected 200')],
  ['a rejected status with a limit', [LIST, listed({ limit: 5, status: 'sold' }, refused)], 'not-applicable'],
  ['a rejected limit', [LIST, listed({ limit: 5 }, refused)], 'not-applicable'],
  ...rejections({ status: 'sold' }),
]);

testClause('list.limit-default', [
  ['a full page', listed({}, ok(animals(20))), 'holds', known(21)],
  ['a page of all that is known', listed({}, ok(animals(20))), 'not-applicable', known(20)],
  ['a page over it', listed({}, ok(animals(21))), broken('GET /pets returned 21 animals; expected at most 20')],
  ['a filtered page over it', listed({ status: 'sold' }, ok(animals(21))), broken('GET /pets?status=sold returned 21')],
  ['a page with a limit', listed({ limit: 50 }, ok(animals(21))), 'not-applicable'],
  ['an error with many items', listed({}, { status: 400, body: animals(21) }), 'not-applicable'],
  ['no array', listed({}, ok({ length: 21 })), 'not-applicable'],
  ['no JSON', listed({}, { status: 200, text: '' }), 'not-applicable'],
  ...strangers({}, ok(animals(21))),
]);

testClause('list.limit-maximum', [
  ['as many as asked for', listed({ limit: 5 }, ok(animals(5))), 'holds', known(6)],
  ['as many as are known', listed({ limit: 5 }, ok(animals(5))), 'not-applicable', known(5)],
  ['one more', listed({ limit: 5 }, ok(animals(6))), broken('GET /pets?limit=5 returned 6 animals; expected at most 5')],
  ['one more with a status', listed({ limit: 5, status: 'sold' }, ok(animals(6))), 'not-applicable'],
  ['a page without limit', listed({}, ok(animals(101))), 'not-applicable'],
  ['an error with many items', listed({ limit: 5 }, { status: 400, body: animals(6) }), 'not-applicable'],
  ['one more with another parameter too', listed({ limit: 5, page: 2 }, ok(animals(6))), broken('returned 6 animals')],
  ['a rejection of another parameter', listed({ limit: 5, page: 2 }, refused), 'not-applicable'],
  ...strangers({ limit: 5 }, ok(animals(6))),
]);

const OTHER = { ...PET, id: 8, status: 'pending' };

testClause('list.status-filter', [
  ['animals of that status', listed({ status: 'sold' }, ok(animals(3))), 'holds'],
  ['an animal of another', listed({ status: 'sold' }, ok([PET, OTHER])), broken('returned an animal with status "pending"', '/1/status')],
  ['an animal without', listed({ status: 'sold' }, ok([PET, { ...PET, id: 9, status: undefined }])), broken('with no status', '/1')],
  ['a status that is null, which record.pets judges', listed({ status: 'sold' }, ok([{ ...PET, status: null }])), 'holds'],
  ['items that are no animals', listed({ status: 'sold' }, ok([7, null])), 'not-applicable'],
  ['an animal of another after no animal', listed({ status: 'sold' }, ok([7, OTHER])), broken('pending', '/1/status')],
  ['an empty list', listed({ status: 'sold' }, ok([])), 'not-applicable'],
  ['a list with a limit too', listed({ status: 'sold', limit: 5 }, ok([OTHER])), 'not-applicable'],
  ['a list without status', listed({}, ok([OTHER])), 'not-applicable'],
  ['an error', listed({ status: 'sold' }, { status: 400, body: [OTHER] }), 'not-applicable'],
  ['an animal of another with another parameter too', listed({ status: 'sold', page: 2 }, ok([OTHER])), broken('pending', '/0/status')],
  ...strangers({ status: 'sold' }, ok([OTHER])),
]);

const EXACT = 9_007_199_254_740_993n;
const twice = (id: unknown, other = id) =>
  ok([
    { ...PET, id },
    { ...PET, id: other },
  ]);
const born = (name: string): Step => posted({ name, categoryId: 1 }, { status: 201, body: { id: 7, name, categoryId: 1 } });

testClause('list.unique', [
  ['animals with ids of their own', listed({}, ok(animals(3))), 'holds'],
  ['one animal twice', listed({ limit: 5 }, ok([PET, OTHER, PET])), broken('GET /pets?limit=5 returned animal 7 twice', '/2/id')],
  [
    'two animals with an id that two creations got',
    listed({}, ok([PET, OTHER, { ...PET, name: 'ConformanceTestAaab' }])),
    'holds',
    [born(NAME), born('ConformanceTestAaab')],
  ],
  ['one animal twice and no other', listed({ status: 'sold' }, twice(7)), broken('returned animal 7 twice', '/1/id')],
  ['large ids that differ in the last digit', listed({}, twice(EXACT, EXACT - 1n)), 'holds'],
  ['one large id twice', listed({}, twice(EXACT)), broken(String(EXACT), '/1/id')],
  ['ids that are texts', listed({}, ok([{ ...PET, id: '7' }, { ...PET, id: '7' }, OTHER])), 'not-applicable'],
  ['items that are no animals', listed({}, ok([7, 7, PET])), 'not-applicable'],
  ['one animal', listed({}, ok([PET])), 'not-applicable'],
  ['two parameters', listed({ limit: 5, status: 'sold' }, twice(7)), broken('GET /pets?limit=5&status=sold returned', '/1/id')],
  ['an error', listed({}, { status: 400, body: [PET, PET] }), 'not-applicable'],
  ['no array', listed({}, ok(PET)), 'not-applicable'],
  ...strangers({}, twice(7)),
]);

describe('the clause to blame for lists', () => {
  const TWO = ok([PET, OTHER]);
  const OF_LISTS = ['list.success', 'list.limit-accepted', 'list.status-accepted', 'list.filter-with-limit', 'list.limit-maximum'];
  const one = ok([PET]);
  const sold = (count: number) => ok([PET, ...animals(count - 1)]);

  test.each<[string, string, readonly Step[]]>([
    ['rejects a limit alone', 'list.limit-accepted', [listed({}, TWO), listed({ limit: 5 }, refused)]],
    ['rejects a status alone', 'list.status-accepted', [listed({}, TWO), listed({ status: 'sold' }, refused)]],
    [
      'rejects any list',
      'list.success',
      [{}, { limit: 5 }, { status: 'sold' }, { limit: 5, status: 'sold' }].map((asked) => listed(asked, refused)),
    ],
    [
      'rejects only both parameters together',
      'list.filter-with-limit',
      [listed({}, TWO), listed({ limit: 5 }, TWO), listed({ status: 'sold' }, one), listed({ limit: 5, status: 'sold' }, refused)],
    ],
    ['exceeds a limit alone', 'list.limit-maximum', [listed({ limit: 1 }, TWO), listed({ limit: 1, status: 'sold' }, sold(2))]],
    [
      'exceeds a limit, which the next one tells, because that one got no list',
      'list.limit-maximum',
      [
        listed({ limit: 1 }, error(429)),
        listed({ limit: 2 }, ok([PET, OTHER, { ...OTHER, id: 9 }])),
        listed({ limit: 1, status: 'sold' }, sold(2)),
      ],
    ],
    [
      'exceeds a limit, of which only a smaller one was sent alone',
      'list.limit-maximum',
      [listed({ limit: 1 }, TWO), listed({ limit: 100 }, TWO), listed({ limit: 2, status: 'sold' }, sold(3))],
    ],
    [
      'exceeds a limit together with a status',
      'list.filter-with-limit',
      [listed({ limit: 1 }, one), listed({ limit: 1, status: 'sold' }, sold(2))],
    ],
    [
      'exceeds both, whatever the store showed while it had fewer animals',
      'list.limit-maximum',
      [
        listed({ limit: 100 }, ok(animals(60))),
        listed({ limit: 50 }, ok(animals(30))),
        listed({ limit: 49 }, ok(animals(50))),
        listed({ limit: 50, status: 'sold' }, ok(animals(51))),
      ],
    ],
  ])('of a service that %s is %s', (_what, clause, steps) => {
    expect(brokenBy(steps, OF_LISTS)).toEqual([clause]);
  });
});
