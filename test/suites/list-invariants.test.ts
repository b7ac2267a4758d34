import { describe, expect, test } from 'vitest';
import { judgeCases } from '../../src/oracle/oracle.ts';
import { eventOf } from '../../src/oracle/world.ts';
import type { ListParameters } from '../../src/session/client/api.ts';
import { NO_CREDENTIAL } from '../../src/session/client/sending.ts';
import type { JsonObject } from '../../src/wire/json.ts';
import { clauses } from '../../suites/index.ts';
import { knowledgeOf, listed, posted, type Reply, read } from '../support/exchange-samples.ts';
import { broken, type Row, testInvariant } from './judge-invariant.ts';

const PET = { id: 7, name: 'rex', categoryId: 1, status: 'sold' };
const animals = (count: number, changes: JsonObject = {}): JsonObject[] =>
  Array.from({ length: count }, (_unused, id) => ({ ...PET, id, ...changes }));
const ok = (body: unknown): Reply => ({ status: 200, body });
const refused: Reply = { status: 400, body: {} };
const LIST = listed({}, ok([]));

/** What no rule of lists judges: statuses that belong to other clauses, and requests that the document leaves open. */
function strangers(parameters: { limit?: number; status?: string }, reply: Reply): Row[] {
  return [...unjudged(parameters, reply), ['another parameter', listed(parameters, reply, { rawQuery: 'page=2' }), 'not-applicable']];
}

/** The same for rules that also hold next to undocumented parameters. */
function unjudged(parameters: { limit?: number; status?: string }, reply: Reply): Row[] {
  const open = { limit: 0 };
  return [
    ['no response', listed(parameters, 'timeout'), 'not-applicable'],
    ['a read', read(7n, reply), 'not-applicable'],
    ['a creation', posted(PET, reply), 'not-applicable'],
    ['a limit out of range', listed({ ...parameters, ...open }, reply), 'not-applicable'],
    ['an unknown status', listed({ ...parameters, status: 'gone' }, reply), 'not-applicable'],
    ['another credential', listed(parameters, reply, { credential: NO_CREDENTIAL }), 'not-applicable'],
  ];
}

/** Responses that do not break a rule about acceptance. */
function owned(parameters: { limit?: number; status?: string }): Row[] {
  const reply = (status: number, headers: Reply['headers'] = []): Reply => ({ status, body: {}, headers });
  return [
    ['a refused key', [LIST, listed(parameters, reply(401))], 'not-applicable'],
    ['a crash', [LIST, listed(parameters, reply(500))], 'not-applicable'],
    ['a wait', [LIST, listed(parameters, reply(429))], 'not-applicable'],
    ['another wait', [LIST, listed(parameters, reply(503, [['retry-after', '1']]))], 'not-applicable'],
    ['a status just below a crash', [LIST, listed(parameters, reply(499))], broken('returned 499')],
    ['an operation that is not there', [LIST, listed(parameters, reply(501))], broken('returned 501')],
  ];
}

testInvariant('list.success/every-list-without-parameters', [
  ['a list', LIST, 'holds'],
  ['a refused list', listed({}, refused), broken('GET /pets returned 400; expected 200')],
  ['another success', listed({}, { status: 206, body: [] }), broken('returned 206')],
  ['a refused list with a limit', listed({ limit: 5 }, refused), 'not-applicable'],
  ['a refused list with a status', listed({ status: 'sold' }, refused), 'not-applicable'],
  ...owned({}),
  ...strangers({}, refused),
]);

testInvariant('list.limit-accepted/every-list-with-limit', [
  ['an accepted limit', listed({ limit: 100 }, ok([])), 'holds'],
  ['a refused limit', [LIST, listed({ limit: 5 }, refused)], broken('GET /pets?limit=5 returned 400; expected 200')],
  ['a refused limit with a status', [LIST, listed({ limit: 5, status: 'sold' }, refused)], 'not-applicable'],
  ['a refused status', [LIST, listed({ status: 'sold' }, refused)], 'not-applicable'],
  ...owned({ limit: 5 }),
  ...strangers({ limit: 5 }, refused),
]);

testInvariant('list.status-accepted/every-list-with-status', [
  ['an accepted status', listed({ status: 'pending' }, ok([])), 'holds'],
  ['a refused status', [LIST, listed({ status: 'sold' }, refused)], broken('GET /pets?status=sold returned 400; expected 200')],
  ['a refused status with a limit', [LIST, listed({ limit: 5, status: 'sold' }, refused)], 'not-applicable'],
  ['a refused limit', [LIST, listed({ limit: 5 }, refused)], 'not-applicable'],
  ...owned({ status: 'sold' }),
  ...strangers({ status: 'sold' }, refused),
]);

testInvariant('list.limit-default/every-list-without-limit', [
  ['a full page', listed({}, ok(animals(20))), 'holds', knowledgeOf([], animals(21))],
  ['a page of all that is known', listed({}, ok(animals(20))), 'not-applicable', knowledgeOf([], animals(20))],
  ['a page over it', listed({}, ok(animals(21))), broken('GET /pets returned 21 animals; expected at most 20')],
  ['a filtered page over it', listed({ status: 'sold' }, ok(animals(21))), broken('GET /pets?status=sold returned 21')],
  ['a page with a limit', listed({ limit: 50 }, ok(animals(21))), 'not-applicable'],
  ['an error with many items', listed({}, { status: 400, body: animals(21) }), 'not-applicable'],
  ['no array', listed({}, ok({ length: 21 })), 'not-applicable'],
  ['no JSON', listed({}, { status: 200, text: '' }), 'not-applicable'],
  ...strangers({}, ok(animals(21))),
]);

testInvariant('list.limit-maximum/every-list-with-limit', [
  ['as many as asked for', listed({ limit: 5 }, ok(animals(5))), 'holds', knowledgeOf([], animals(6))],
  ['as many as are known', listed({ limit: 5 }, ok(animals(5))), 'not-applicable', knowledgeOf([], animals(5))],
  ['one more', listed({ limit: 5 }, ok(animals(6))), broken('GET /pets?limit=5 returned 6 animals; expected at most 5')],
  ['one more with a status', listed({ limit: 5, status: 'sold' }, ok(animals(6))), 'not-applicable'],
  ['a page without limit', listed({}, ok(animals(101))), 'not-applicable'],
  ['an error with many items', listed({ limit: 5 }, { status: 400, body: animals(6) }), 'not-applicable'],
  ['one more beside another parameter', listed({ limit: 5 }, ok(animals(6)), { rawQuery: 'page=2' }), broken('returned 6 animals')],
  ['a refusal of another parameter', listed({ limit: 5 }, refused, { rawQuery: 'page=2' }), 'not-applicable'],
  ...unjudged({ limit: 5 }, ok(animals(6))),
]);

const other = { ...PET, id: 8, status: 'pending' };

testInvariant('list.status-filter/every-filtered-list', [
  ['animals of that status', listed({ status: 'sold' }, ok(animals(3))), 'holds'],
  ['an animal of another', listed({ status: 'sold' }, ok([PET, other])), broken('returned an animal with status "pending"', '/1/status')],
  ['an animal without', listed({ status: 'sold' }, ok([PET, { ...PET, status: undefined }])), broken('with no status', '/1')],
  ['a status that is null, which record.pets judges', listed({ status: 'sold' }, ok([{ ...PET, status: null }])), 'holds'],
  ['items that are no animals', listed({ status: 'sold' }, ok([7, null])), 'not-applicable'],
  ['an animal of another behind no animal', listed({ status: 'sold' }, ok([7, other])), broken('pending', '/1/status')],
  ['an empty list', listed({ status: 'sold' }, ok([])), 'not-applicable'],
  ['a list with a limit too', listed({ status: 'sold', limit: 5 }, ok([other])), 'not-applicable'],
  ['a list without status', listed({}, ok([other])), 'not-applicable'],
  ['an error', listed({ status: 'sold' }, { status: 400, body: [other] }), 'not-applicable'],
  [
    'an animal of another beside another parameter',
    listed({ status: 'sold' }, ok([other]), { rawQuery: 'page=2' }),
    broken('pending', '/0/status'),
  ],
  ...unjudged({ status: 'sold' }, ok([other])),
]);

const EXACT = 9_007_199_254_740_993n;

testInvariant('list.unique/every-list', [
  ['animals with ids of their own', listed({}, ok(animals(3))), 'holds'],
  ['one animal twice', listed({ limit: 5 }, ok([PET, other, PET])), broken('GET /pets?limit=5 returned animal 7 twice', '/2/id')],
  [
    'two animals with an id that two creations got',
    listed({}, ok([PET, other, { ...PET, name: 'ann' }])),
    'holds',
    { ...knowledgeOf(), sharedIds: new Set(['7']) },
  ],
  ['one animal twice and no other', listed({ status: 'sold' }, ok([PET, PET])), broken('returned animal 7 twice', '/1/id')],
  [
    'large ids that differ in the last digit',
    listed(
      {},
      ok([
        { ...PET, id: EXACT },
        { ...PET, id: EXACT - 1n },
      ]),
    ),
    'holds',
  ],
  [
    'one large id twice',
    listed(
      {},
      ok([
        { ...PET, id: EXACT },
        { ...PET, id: EXACT },
      ]),
    ),
    broken(String(EXACT), '/1/id'),
  ],
  ['ids that are texts', listed({}, ok([{ ...PET, id: '7' }, { ...PET, id: '7' }, other])), 'not-applicable'],
  ['items that are no animals', listed({}, ok([7, 7, PET])), 'not-applicable'],
  ['one animal', listed({}, ok([PET])), 'not-applicable'],
  ['two parameters', listed({ limit: 5, status: 'sold' }, ok([PET, PET])), broken('GET /pets?limit=5&status=sold returned', '/1/id')],
  ['an error', listed({}, { status: 400, body: [PET, PET] }), 'not-applicable'],
  ['no array', listed({}, ok(PET)), 'not-applicable'],
  ...strangers({}, ok([PET, PET])),
]);

describe('the clause to blame for lists', () => {
  const PET = { id: 7, name: 'rex', categoryId: 1, status: 'sold' };
  const OTHER = { ...PET, id: 8, status: 'pending' };
  const ok: Reply = { status: 200, body: [PET, OTHER] };
  const refused: Reply = { status: 400, body: {} };
  const LISTS = clauses.filter(({ id }) => id.startsWith('list.'));

  /** The clauses that are broken in a run with these lists, and that no other one explains. */
  function brokenBy(...lists: readonly (readonly [ListParameters, Reply])[]): readonly string[] {
    const events = lists.map(([parameters, reply], index) => eventOf({ ...listed(parameters, reply), number: index + 1 }));
    const history = { events, known: knowledgeOf(), unsent: new Map() };
    const cases = judgeCases(LISTS, history);
    return [...cases].flatMap(([id, all]) =>
      all.some(({ breach, explainedBy }) => breach !== undefined && explainedBy === undefined) ? [id] : [],
    );
  }

  test('is that of the limit alone where both exceed it, whatever the store showed while it had fewer animals', () => {
    const sold = Array.from({ length: 60 }, (_unused, index) => ({ ...PET, id: index + 1 }));
    const first = (count: number): Reply => ({ status: 200, body: sold.slice(0, count) });
    const lists = [
      [{ limit: 50 }, first(30)],
      [{ limit: 49 }, first(50)],
      [{ limit: 50, status: 'sold' }, first(51)],
    ] as const;
    const events = lists.map(([parameters, reply], index) => eventOf({ ...listed(parameters, reply), number: index + 1 }));
    const cases = judgeCases(LISTS, { events, known: knowledgeOf([], sold), unsent: new Map() });
    expect(cases.get('list.filter-with-limit')?.find(({ breach }) => breach !== undefined)?.explainedBy).toBe('list.limit-maximum');
  });

  test.each([
    [
      'a limit alone',
      'list.limit-accepted',
      [
        [{}, ok],
        [{ limit: 5 }, refused],
      ],
    ],
    [
      'a status alone',
      'list.status-accepted',
      [
        [{}, ok],
        [{ status: 'sold' }, refused],
      ],
    ],
    [
      'any list',
      'list.success',
      [
        [{}, refused],
        [{ limit: 5 }, refused],
        [{ status: 'sold' }, refused],
        [{ limit: 5, status: 'sold' }, refused],
      ],
    ],
    [
      'only both',
      'list.filter-with-limit',
      [
        [{}, ok],
        [{ limit: 5 }, ok],
        [{ status: 'sold' }, { status: 200, body: [PET] }],
        [{ limit: 5, status: 'sold' }, refused],
      ],
    ],
  ] as const)('a service that rejects %s breaks %s only', (_what, clause, lists) => {
    expect(brokenBy(...lists)).toEqual([clause]);
  });

  test.each([
    [
      'alone',
      'list.limit-maximum',
      [
        [{ limit: 1 }, ok],
        [
          { limit: 1, status: 'sold' },
          { status: 200, body: [PET, PET] },
        ],
      ],
    ],
    [
      'where the next limit tells, because that one got no list,',
      'list.limit-maximum',
      [
        [{ limit: 1 }, { status: 429, body: {} }],
        [{ limit: 2 }, { status: 200, body: [PET, OTHER, { ...OTHER, id: 9 }] }],
        [
          { limit: 1, status: 'sold' },
          { status: 200, body: [PET, { ...PET, id: 9 }] },
        ],
      ],
    ],
    [
      'where only a smaller limit was sent alone',
      'list.limit-maximum',
      [
        [{ limit: 1 }, { status: 200, body: [PET, OTHER] }],
        [{ limit: 100 }, { status: 200, body: [PET, OTHER] }],
        [
          { limit: 2, status: 'sold' },
          { status: 200, body: [PET, { ...PET, id: 9 }, { ...PET, id: 10 }] },
        ],
      ],
    ],
    [
      'beside a status',
      'list.filter-with-limit',
      [
        [{ limit: 1 }, { status: 200, body: [PET] }],
        [
          { limit: 1, status: 'sold' },
          { status: 200, body: [PET, { ...PET, id: 9 }] },
        ],
      ],
    ],
  ] as const)('a limit that is exceeded %s breaks %s', (_what, clause, lists) => {
    expect(brokenBy(...lists).filter((id) => id !== 'list.unique')).toEqual([clause]);
  });
});
