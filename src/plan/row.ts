// A plan is rows by phase: a row is a request, or a group of requests whose order or company matters.

import type { Vector } from '../session/rows.ts';

/** Requests that are sent at the same moment, or one after the other on a connection of their own. */
export type Group = { readonly how: 'together' | 'in turn'; readonly rows: readonly Vector[] };

export type Row = Vector | Group;

export type Phase = {
  readonly title: string;
  readonly rows: readonly Row[];
  /** Nothing is sent for this long before it, in milliseconds. */
  readonly pause?: number;
  /** One row at a time. */
  readonly isInOrder?: true;
  /** A read of each animal that is created in it. */
  readonly readsBack?: true;
  /** At its end, what came too early to count is asked again once it counts. */
  readonly settles?: true;
  /** A read of each animal that the run has created, in addition. */
  readonly readsAll?: true;
};

export const isGroup = (row: Row): row is Group => 'how' in row;

export const vectorsOf = (row: Row): readonly Vector[] => (isGroup(row) ? row.rows : [row]);
