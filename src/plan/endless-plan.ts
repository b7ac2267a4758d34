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
export type TakeLimits = { readonly requests: number; readonly mostOfAnyTurn: number; readonly isOneRound?: boolean };

/** So many different orders: a process composes each of them once, and shares them among its targets. */
export const ORDERS = 8;

export const requestsOf = (row: Row): number => vectorsOf(row).length;

export class EndlessPlan {
  private readonly rowsOf: (seed: number) => readonly Row[];
  private readonly orders = new Map<number, readonly Row[]>();
  private digest: string | undefined;
  readonly countTooLarge = oncePer((most: number): number => this.order(0).filter((row) => requestsOf(row) > most).length);

  /** `rowsOf` makes the rows of a round from a seed: the same values each time, in other company and in another order. */
  constructor(rowsOf: (seed: number) => readonly Row[]) {
    this.rowsOf = rowsOf;
  }

  order(seed: number): readonly Row[] {
    const place = ((seed % ORDERS) + ORDERS) % ORDERS;
    const rows = this.orders.get(place) ?? this.rowsOf(place);
    this.orders.set(place, rows);
    return rows;
  }

  sizeOfOrder(): number {
    return this.order(0).length;
  }

  start(seed: number): Cursor {
    return { plan: this.plan(), seed, number: 0 };
  }

  /** The cursor itself, or the start of this plan where it is one of another plan. */
  current(cursor: Cursor): Cursor {
    return cursor.plan === this.plan() ? cursor : this.start(cursor.seed);
  }

  /**
   * The next rows. One that takes more than is left waits for the next turn, and one that takes more than any turn has is passed over. A cursor of
   * another plan begins anew, with its seed.
   */
  take(cursor: Cursor, { requests, mostOfAnyTurn, isOneRound = false }: TakeLimits): Turn {
    let { seed, number } = this.current(cursor);
    const [rows, first, round]: [Row[], number, number] = [[], this.order(seed).length, seed];
    // At most as many as a round has.
    for (let [left, seen] = [requests, 0]; left > 0 && seen < first && !(isOneRound && seed > round); seen += 1) {
      const row = this.order(seed)[number];
      const cost = row === undefined ? 0 : requestsOf(row);
      if (cost > left && cost <= mostOfAnyTurn) break;
      if (row !== undefined && cost <= left) {
        rows.push(row);
        left -= cost;
      }
      number += 1;
      if (number >= this.order(seed).length) [seed, number] = [seed + 1, 0];
    }
    return { rows, next: { plan: this.plan(), seed, number } };
  }

  /**
   * The rows of a run that knows nothing of others. Its number decides where it begins, as far as possible from the runs right before it: together
   * they send every row, whether or not each sends as much as it may.
   */
  alone(run: number, requests: number): readonly Row[] {
    const all = this.order(0);
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

  /** Differs between plans with different rows. */
  private plan(): string {
    this.digest ??= hash('sha256', JSON.stringify(this.order(0))).slice(0, 16);
    return this.digest;
  }
}
