// What is known of a row before it is sent: who has to agree to it, and whether it leaves an animal.

import type { Consent, RowEffects } from '../../src/plan/choose.ts';
import { isInt64 } from '../../src/schema/validators.ts';
import { effectsOf, isPack, valuesOf } from '../../src/session/compose.ts';
import type { ValueName, Vector } from '../../src/session/vector.ts';
import { CUT_BODIES, FOREIGN_BODIES, LENIENT_BODIES, NO_BODIES, NO_JSON_MEMBERS, NO_OBJECTS, TRAILING_BODIES } from '../tables/bodies.ts';
import { HUGE_CATEGORIES, MISSING_CATEGORIES, NO_JSON_CATEGORIES, WRONG_CATEGORIES } from '../tables/categories.ts';
import { MISSING_NAMES, WRONG_NAMES } from '../tables/names.ts';
import { WRONG_STATUSES } from '../tables/statuses.ts';
import { TABLES } from '../tables/tables.ts';

const REJECTED_VALUES: Readonly<Record<string, ReadonlySet<string>>> = {
  name: new Set(Object.keys({ ...MISSING_NAMES, ...WRONG_NAMES })),
  category: new Set(Object.keys({ ...MISSING_CATEGORIES, ...WRONG_CATEGORIES, ...HUGE_CATEGORIES, ...NO_JSON_CATEGORIES })),
  status: new Set(Object.keys(WRONG_STATUSES)),
  members: new Set(Object.keys(NO_JSON_MEMBERS)),
  shape: new Set(Object.keys({ ...NO_BODIES, ...CUT_BODIES, ...TRAILING_BODIES, ...LENIENT_BODIES, ...FOREIGN_BODIES, ...NO_OBJECTS })),
};

/** Drawn values that need not be rejected: a name around the plain one, and an int64. */
const ACCEPTED_DRAWN_VALUES: Readonly<Record<string, (text: string) => boolean>> = {
  name: (text) => /^[<>]/.test(text),
  category: (text) => /^-?\d+$/.test(text) && isInt64(BigInt(text)),
};

function isRejected(dimension: string, value: ValueName): boolean {
  if (isPack(value)) return value.some((one) => isRejected(dimension, one));
  const name = String(value);
  if (name.startsWith('=') && REJECTED_VALUES[dimension] !== undefined) return ACCEPTED_DRAWN_VALUES[dimension]?.(name.slice(1)) !== true;
  return REJECTED_VALUES[dimension]?.has(name) === true;
}

function consentsOf(vector: Vector): readonly Consent[] {
  const effects = effectsOf(TABLES, vector);
  const isNear = valuesOf(TABLES, vector).some(([, { nearMiss }]) => nearMiss === true);
  return [...(['write', 'intrusive'] as const).filter((one) => effects.has(one)), ...(isNear ? (['near miss'] as const) : [])];
}

export const ROW_EFFECTS: RowEffects = {
  consentsOf,
  readsCreatedFor: [
    ...([
      'create.round-trip',
      'create.id-assigned',
      'create.id-not-adopted',
      'create.independent',
      'create.refused-stores-nothing',
    ] as const),
    ...([
      'create.unusual-names',
      'create.unusual-categories',
      'create.status-optional',
      'create.status-values',
      'create.default-status',
    ] as const),
    ...(['get.success', 'get.identity', 'get.durable', 'get.agrees-with-list', 'record.pet', 'record.same-animal'] as const),
    ...(['list.complete', 'deprecation.still-works', 'deprecation.replacement', 'errors.no-server-error'] as const),
  ],
  creates: (vector) =>
    vector.op === 'create' &&
    (vector.credential === undefined || vector.credential === 'valid') &&
    !Object.entries(vector).some(([dimension, value]) => isRejected(dimension, value)),
};
