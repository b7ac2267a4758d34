import type { ClauseId } from '../clause/clause.ts';
import type { Field } from '../schema/pet.ts';
import type { Case } from './rule.ts';
import type { Look, Place } from './view.ts';

/**
 * `lost`: in no place. `missing`: never right at that request. `gone`: right before, wrong ever since. `flapping`: now right, now wrong, at the
 * same request. `disagreeing`: right in one place, wrong in another.
 */
export type Shape = 'lost' | 'missing' | 'gone' | 'flapping' | 'disagreeing';

/** Whom the shape accuses: the one place in which this is decided. */
export const OWNERS: Readonly<Record<'existence' | 'value', Readonly<Record<Shape, Readonly<Record<Place, ClauseId>>>>>> = {
  existence: {
    lost: { list: 'list.complete', filtered: 'list.filter-complete', read: 'get.success' },
    missing: { list: 'list.complete', filtered: 'list.filter-complete', read: 'get.success' },
    gone: { list: 'get.durable', filtered: 'get.durable', read: 'get.durable' },
    flapping: { list: 'list.read-only', filtered: 'list.filter-complete', read: 'get.durable' },
    disagreeing: { list: 'get.agrees-with-list', filtered: 'get.agrees-with-list', read: 'get.agrees-with-list' },
  },
  value: {
    lost: { list: 'create.round-trip', filtered: 'create.round-trip', read: 'create.round-trip' },
    missing: { list: 'create.round-trip', filtered: 'create.round-trip', read: 'create.round-trip' },
    gone: { list: 'get.durable', filtered: 'get.durable', read: 'get.durable' },
    flapping: { list: 'list.read-only', filtered: 'list.read-only', read: 'get.repeatable' },
    disagreeing: { list: 'get.agrees-with-list', filtered: 'get.agrees-with-list', read: 'get.agrees-with-list' },
  },
};

/**
 * Whom it accuses instead that an unusual value is shown otherwise than it was sent, or that an animal with one is missing: plain animals are what
 * the others are about.
 */
export const UNUSUAL = {
  name: 'create.unusual-names',
  categoryId: 'create.unusual-categories',
} as const satisfies Readonly<Record<string, ClauseId>>;

/** What contradicts itself: whether an animal is there, or what is shown of it. */
export type Aspect = 'existence' | 'value';

/** A case of a timeline, the clause that it is one of, and of a breach how it was seen. */
export type TimelineCase = Case & {
  readonly clause: ClauseId;
  readonly shape?: Shape;
  readonly aspect?: Aspect;
  /** Of a value: which one. */
  readonly field?: Field;
  /** All that are wrong. */
  readonly wrongs?: readonly Look[];
};
