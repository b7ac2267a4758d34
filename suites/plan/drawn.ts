// What thorough runs send as well: drawn values, and each harmless value alone.

import fc from 'fast-check';
import type { Entry, Row } from '../../src/plan/row.ts';
import type { Vector } from '../../src/session/vector.ts';
import { drawnBrokenBodies, drawnNoObjects } from '../tables/bodies.ts';
import { drawnCategories, drawnHugeCategories, drawnWrongCategories } from '../tables/categories.ts';
import { drawnCredentials } from '../tables/credentials.ts';
import { drawnIds } from '../tables/ids.ts';
import { drawnNames, drawnWrongNames } from '../tables/names.ts';
import { drawnWrongStatuses } from '../tables/statuses.ts';
import { CLIENT_VALUES, FIELD_FORMS, FORM, type Kit } from './kit.ts';

const OPERATIONS = ['list', 'get', 'create'] as const;

/** Each filler in a row that is plain otherwise: what a request with several of them hides. */
function alone(): readonly Row[] {
  return [
    ...CLIENT_VALUES.flatMap((client): Vector[] => [
      { op: 'list', client },
      { op: 'get', client },
    ]),
    ...FIELD_FORMS.flatMap((fields): Vector[] => OPERATIONS.map((op) => ({ op, fields }))),
    ...Object.entries(FORM).flatMap(([dimension, values]) =>
      [...new Set(values)].map((value): Vector => ({ op: 'create', [dimension]: value })),
    ),
  ];
}

/** The same seed draws the same values. */
export function drawn({ create, get, invalid, rarestStatus, fill }: Kit, seed: number): readonly Entry[] {
  const draw = <Value, One extends Row>(
    values: fc.Arbitrary<Value>,
    count: number,
    row: (value: Value, index: number) => One,
  ): readonly One[] => fc.sample(values, { seed, numRuns: count }).map(row);
  const small = { phase: 'a small store', isThoroughOnly: true } as const;
  const growing = { phase: 'growing', isThoroughOnly: true } as const;
  return [
    { ...growing, for: ['create.unusual-names'], rows: draw(drawnNames(), 40, (name) => create({ name })) },
    { ...growing, for: ['create.unusual-categories'], rows: draw(drawnCategories(), 20, (category) => create({ category })) },
    { ...growing, for: ['media.any-client', 'list.success', 'get.success', 'create.success'], rows: alone() },
    { ...small, for: ['create.name-type'], rows: draw(drawnWrongNames(), 40, (name) => invalid({ name })) },
    { ...small, for: ['create.category-type'], rows: draw(drawnWrongCategories(), 40, (category) => invalid({ category })) },
    { ...small, for: ['create.category-range'], rows: draw(drawnHugeCategories(), 30, (category) => invalid({ category })) },
    { ...small, for: ['create.status-invalid'], rows: draw(drawnWrongStatuses(), 40, (status) => invalid({ status })) },
    { ...small, for: ['create.body-json'], rows: draw(drawnBrokenBodies(), 60, (shape) => invalid({ shape })) },
    { ...small, for: ['create.body-object'], rows: draw(drawnNoObjects(), 30, (shape) => invalid({ shape })) },
    { ...small, for: ['get.not-found'], rows: draw(drawnIds(), 60, (id) => get({ id })) },
    {
      ...{ phase: 'rejected', isThoroughOnly: true },
      for: ['auth.wrong-key'],
      rows: draw(drawnCredentials(), 60, (credential, index): Vector => {
        const op = OPERATIONS[index % OPERATIONS.length] ?? 'list';
        return fill({ op, credential, ...(op === 'create' ? { status: rarestStatus } : {}) } as Vector, { connection: ['kept', 'fresh'] });
      }),
    },
  ];
}
