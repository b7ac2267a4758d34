// An endless plan for the monitor: all rows that only read, in rounds of different orders.

import { hash } from 'node:crypto';
import { GOLDEN } from '../session/numbers.ts';
import { oncePer } from '../wire/once.ts';
import { type Row, vectorsOf } from './row.ts';

/** How far a target has come: of which plan, in which of its orders, and how many rows of that were taken. */
export type Cursor = { readonly plan: string; readonly seed: number; readonly number: number };

/** The next rows, and where the turn after them begins. */
export type Turn = { readonly rows: readonly Row[]; readonly next: Cursor };

/** What a turn may send: so many requests, of the `most` that any turn of this target may; of one round only, where it is said so. */
export type Room = { readonly requests: number; readonly most: number; readonly isOneRound?: boolean };

/** So many different orders: a process composes each of them once, and shares them among its targets. */
export const ORDERS = 8;

export const requestsOf = (row: Row): number => vectorsOf(row).length;

/** `rowsOf` makes the rows of a round from a seed: the same values each time, in other company and in another order. */
export function createTurns(rowsOf: (seed: number) => readonly Row[]) {
  const orders = new Map<number, readonly Row[]>();
  let digest: string | undefined;

  function orderOf(seed: number): readonly Row[] {
    const place = ((seed % ORDERS) + ORDERS) % ORDERS;
    const rows = orders.get(place) ?? rowsOf(place);
    orders.set(place, rows);
    return rows;
  }

  /** Differs between plans with different rows. */
  function plan(): string {
    digest ??= hash('sha256', JSON.stringify(orderOf(0))).slice(0, 16);
    return digest;
  }

  const start = (seed: number): Cursor => ({ plan: plan(), seed, number: 0 });
  const current = (cursor: Cursor): Cursor => (cursor.plan === plan() ? cursor : start(cursor.seed));

  /**
   * The next rows. One that takes more than is left waits for the next turn, and one that takes more than any turn has is passed over. A cursor of
   * another plan begins anew, with its seed.
   */
  function take(cursor: Cursor, { requests, most, isOneRound = false }: Room): Turn {
    let { seed, number } = current(cursor);
    const [rows, first, round]: [Row[], number, number] = [[], orderOf(seed).length, seed];
    // At most as many as a round has.
    for (let [left, seen] = [requests, 0]; left > 0 && seen < first && !(isOneRound && seed > round); seen += 1) {
      const row = orderOf(seed)[number];
      const cost = row === undefined ? 0 : requestsOf(row);
      if (cost > left && cost <= most) break;
      if (row !== undefined && cost <= left) {
        rows.push(row);
        left -= cost;
      }
      number += 1;
      if (number >= orderOf(seed).length) [seed, number] = [seed + 1, 0];
    }
    return { rows, next: { plan: plan(), seed, number } };
  }

  /**
   * The rows of a run that knows nothing of others. Its number decides where it begins, as far as possible from the runs right before it: together
   * they send every row, whether or not each sends as much as it may.
   */
  function alone(run: number, requests: number): readonly Row[] {
    const all = orderOf(0);
    const from = Math.floor(((run * GOLDEN) % 1) * all.length);
    const rows: Row[] = [];
    let left = requests;
    for (const row of [...all.slice(from), ...all.slice(0, from)]) {
      const cost = requestsOf(row);
      if (cost > left && cost <= requests) break;
      if (cost > left) continue;
      rows.push(row);
      left -= cost;
    }
    return rows;
  }

  return {
    take,
    alone,
    start,
    /** The cursor itself, or the start of this plan where it is one of another plan. */
    current,
    /** All rows in that order. */
    order: orderOf,
    /** How many rows one order has. */
    size: (): number => orderOf(0).length,
    /** How many of them take more requests than a turn may have. */
    beyond: oncePer((most: number): number => orderOf(0).filter((row) => requestsOf(row) > most).length),
  };
}

export type Turns = ReturnType<typeof createTurns>;
