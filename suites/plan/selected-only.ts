// What clauses about all responses take where nothing else is selected: in whole runs, the rows of other clauses show it.

import type { Entry } from '../../src/plan/row.ts';
import type { Vector } from '../../src/session/vector.ts';
import { PET_STATUSES } from '../../src/wire/exchange.ts';
import type { Create, Kit } from './kit.ts';

const OPERATIONS = ['list', 'get', 'create'] as const;

/** Each operation, accepted, rejected for each reason that the document has, and open. */
export function selectedOnly({ create, invalid, rarestStatus }: Kit): readonly Entry[] {
  const rejected: readonly Omit<Create, 'op'>[] = [
    ...[{ name: 'missing' }, { category: 'missing' }, { name: '42' }, { category: '"dogs"' }, { category: '1e19' }],
    ...[{ status: '"unknown"' }, { shape: 'cut in the name' }, { shape: 'no body' }, { shape: 'empty array' }, { category: 'true' }],
    ...[{ shape: 'word' }, { category: 'string of digits' }, { status: '1' }, { name: 'JSON null' }, { shape: 'null' }],
  ];
  const open: readonly Vector[] = [
    ...['abc', 'empty', '0', '-1', '101', '99999999999999999999'].map((limit): Vector => ({ op: 'list', limit })),
    ...['unknown', 'empty', 'not UTF-8'].map((status): Vector => ({ op: 'list', status })),
    ...['many', '2^63', '1.5', 'emoji', 'not UTF-8'].map((id): Vector => ({ op: 'get', id })),
  ];
  return [
    {
      ...{ phase: 'a small store', isSelectedOnly: true, least: 12 },
      for: [
        ...(['errors.answers', 'errors.no-server-error', 'errors.shape', 'errors.status-agrees', 'errors.infrastructure-errors'] as const),
        ...(['media.json', 'media.well-formed', 'media.transport', 'record.pet', 'auth.valid-key', 'auth.challenge'] as const),
      ],
      rows: [
        ...OPERATIONS.map((op): Vector => ({ op })),
        ...OPERATIONS.map((op): Vector => ({ op, credential: 'none', ...(op === 'create' ? { status: rarestStatus } : {}) }) as Vector),
        ...rejected.map(invalid),
        ...['63 bits', '0', '-1', 'largest int64'].map((id): Vector => ({ op: 'get', id })),
        ...PET_STATUSES.map((status) => create({ status })),
        ...open,
        ...OPERATIONS.map(
          (op): Vector => ({ op, credential: 'like the key', ...(op === 'create' ? { status: rarestStatus } : {}) }) as Vector,
        ),
      ],
    },
    {
      ...{ phase: 'a small store', isSelectedOnly: true },
      for: ['get.success', 'record.same-animal', 'deprecation.replacement', 'deprecation.still-works', 'list.status-filter'],
      rows: ['none', ...PET_STATUSES].map((status) => create({ status })),
    },
    // All limits with a status are many: these are the ones at which services differ.
    {
      ...{ phase: 'a small store', isSelectedOnly: true, for: ['list.limit-accepted'] },
      rows: [1, 20, 100].map((limit): Vector => ({ op: 'list', limit })),
    },
  ];
}
