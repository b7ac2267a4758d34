import { expect, test } from 'vitest';
import { eventOf } from '../../src/oracle/event.ts';
import { judgeCases } from '../../src/oracle/oracle.ts';
import type { ListParameters } from '../../src/session/client/api.ts';
import { clauses } from '../../suites/index.ts';
import { knowledgeOf, listed, type Reply } from '../exchange-samples.ts';

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
