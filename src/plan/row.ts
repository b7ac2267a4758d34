// What a run sends: rows by phase. A row is a request, or a group of requests whose order or company matters.

import type { ClauseId } from '../clause/clause.ts';
import type { Vector } from '../session/vector.ts';

/** Requests that are sent at the same moment, or one after the other on a connection of their own. */
export type Group = {
  readonly how: 'together' | 'in turn';
  readonly rows: readonly Vector[];
  /** Milliseconds before the last one. */
  readonly pause?: number;
  /** Whether the others are there for the last one: it alone tells. */
  readonly isForLast?: true;
};

export type Row = Vector | Group;

export const isGroup = (row: Row): row is Group => 'how' in row;
export const vectorsOf = (row: Row): readonly Vector[] => (isGroup(row) ? row.rows : [row]);

/** In the order in which they are sent. What needs a small store comes first, and what may lock a client out comes last. */
export const PHASES = {
  'what is there': { isInOrder: true },
  'a small store': { readsBack: true },
  'a first look': { settles: true },
  growing: { readsBack: true },
  'a second look': { settles: true },
  'one after the other': { isInOrder: true, readsBack: true },
  'at the same time': { isInOrder: true, readsBack: true },
  'a large store': {},
  'requests of your own clauses': { isInOrder: true, readsBack: true },
  'before and after the key': { isInOrder: true, mayLockOut: true },
  rejected: { mayLockOut: true },
  'after a pause': { isInOrder: true, pause: 1_100 },
  'the end': { readsAll: true, settles: true, isLast: true },
} as const satisfies Readonly<Record<string, PhaseShape>>;
export type PhaseName = keyof typeof PHASES;

export type PhaseShape = {
  /** One row at a time, in the order of the plan. */
  readonly isInOrder?: true;
  /** Nothing is sent for this long before it, in milliseconds. */
  readonly pause?: number;
  /** A read of each animal that is created in it; or that the run has created so far. */
  readonly readsBack?: boolean;
  readonly readsAll?: boolean;
  /** At its end, what came too early to count is asked again once it counts, in several rounds or in one. */
  readonly settles?: true | 'once';
  /** Its rows may lock the client out, and come after the first rows of all others in worth, too. */
  readonly mayLockOut?: true;
  /** Its time is kept where a run has a deadline. */
  readonly isLast?: true;
};

/** A part of a plan: rows of one kind, and the clauses for whose sake they are sent. All clauses judge them. */
export type Entry = {
  readonly phase: PhaseName;
  /** Undefined: for what only the company of many requests shows, so that runs of selected clauses leave it out. */
  readonly for?: readonly ClauseId[];
  readonly rows: readonly Row[];
  /** How many of the first rows come before all that is only more of the same; by default one. */
  readonly least?: number;
  /** The rows are creations that are only sent until the store has so many animals. */
  readonly fillsTo?: number;
  readonly isThoroughOnly?: true;
  /** In runs of selected clauses only: in whole runs, other rows show the same. */
  readonly isSelectedOnly?: true;
  /** In every run, whatever is selected: what its end is judged by. */
  readonly isInEveryRun?: true;
};

/** A plan: rows by phase, in the order of sending. */
export type Phase = PhaseShape & { readonly title: PhaseName; readonly rows: readonly Row[] };
