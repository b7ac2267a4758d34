// Bodies that must be rejected.

import type { Entry } from '../../src/plan/row.ts';
import {
  CATEGORIES_ELSEWHERE,
  CUT_BODIES,
  EMPTY_MEMBERS,
  FOREIGN_BODIES,
  LENIENT_BODIES,
  NAMES_ELSEWHERE,
  NO_BODIES,
  NO_JSON_MEMBERS,
  NO_OBJECTS,
  OTHER_TYPES,
  TRAILING_BODIES,
} from '../tables/bodies.ts';
import { HUGE_CATEGORIES, MISSING_CATEGORIES, NO_JSON_CATEGORIES, WRONG_CATEGORIES } from '../tables/categories.ts';
import { MISSING_NAMES, WRONG_NAMES } from '../tables/names.ts';
import { WRONG_STATUSES } from '../tables/statuses.ts';
import { all, type Create, each, inTurn, type Kit, names, times } from './kit.ts';

const phase = 'a small store';
/** What negotiates the content of rejections, as libraries and browsers do. */
const ACCEPTING = ['no Accept', 'any media type', 'browser', 'JSON with a weight', 'XML before JSON'];

/** What has a code of its own is open, and so is how a media type is rejected: such rows are plain in all else. */
const ASKED = ['1', 'cut after the opening brace', 'empty array'];

/** What a validator in front of a service does not recognize as JSON, or as a body, and the service behind it does. */
const UNREAD = { type: 'application/json; charset=utf-8', framing: 'chunked' } as const;

export function bodies({ invalid, rarestStatus }: Kit): readonly Entry[] {
  const plain = (row: Omit<Create, 'op'>): Create => ({ op: 'create', status: rarestStatus, ...row });
  return [
    {
      ...{ phase, for: ['create.name-required'] },
      rows: [
        ...each(MISSING_NAMES, (name) => invalid({ name })),
        invalid({ name: 'missing', status: 'none' }),
        ...each(NAMES_ELSEWHERE, (members) => invalid({ name: 'missing', members })),
        invalid({ name: 'missing', parameters: 'name' }),
        invalid({ name: 'missing', client: 'name in headers and cookies' }),
        invalid({ name: 'missing', category: 'missing' }),
        plain({ name: 'missing', category: 'missing', status: 'none' }),
        ...names(OTHER_TYPES).map((type) => plain({ name: 'missing', type })),
        ...['chunked', 'divided'].map((framing) => invalid({ name: 'missing', framing })),
        ...each(EMPTY_MEMBERS, (members) => invalid({ name: 'missing', members })),
      ],
    },
    {
      ...{ phase, for: ['create.name-type'] },
      rows: each(WRONG_NAMES, (name) => (ASKED.includes(name) ? plain : invalid)({ name })),
    },
    {
      ...{ phase, for: ['create.category-required'] },
      rows: [
        ...each(MISSING_CATEGORIES, (category) => invalid({ category })),
        invalid({ category: 'missing', status: 'none' }),
        ...each(CATEGORIES_ELSEWHERE, (members) => invalid({ category: 'missing', members })),
        invalid({ category: 'missing', parameters: 'categoryId' }),
        invalid({ category: 'missing', client: 'categoryId in headers and cookies' }),
      ],
    },
    {
      ...{ phase, for: ['create.category-type'] },
      rows: each(WRONG_CATEGORIES, (category) => invalid({ category, ...(category === 'string of 16 digits' ? UNREAD : {}) })),
    },
    { ...{ phase, for: ['create.category-range'] }, rows: each(HUGE_CATEGORIES, (category) => invalid({ category })) },
    {
      ...{ phase, for: ['create.status-invalid'] },
      rows: [
        ...each(WRONG_STATUSES, (status) => invalid({ status, ...(status === '"lost"' ? UNREAD : {}) })),
        // Larger than what gateways inspect of a body; categories and names have a type in most databases.
        invalid({ status: '"lost"', space: 'before the last member' }),
      ],
    },
    {
      ...{ phase, for: ['create.body-json'] },
      rows: [
        ...each(all(NO_BODIES, CUT_BODIES, TRAILING_BODIES, LENIENT_BODIES, FOREIGN_BODIES), (shape) =>
          (ASKED.includes(shape) ? plain : invalid)({ shape }),
        ),
        ...each(NO_JSON_CATEGORIES, (category) => invalid({ category })),
        ...each(NO_JSON_MEMBERS, (members) => invalid({ members })),
      ],
    },
    {
      ...{ phase, for: ['create.body-object'] },
      rows: each(NO_OBJECTS, (shape) => (ASKED.includes(shape) ? plain : invalid)({ shape })),
    },
    // The same body twice, as others send it before and after.
    {
      ...{ phase, least: 0, for: ['media.json'] },
      rows: [
        inTurn(
          ...['usual', ...ACCEPTING, 'usual'].flatMap((client) => times(2, (): Create => ({ op: 'create', shape: 'empty array', client }))),
        ),
      ],
    },
  ];
}
