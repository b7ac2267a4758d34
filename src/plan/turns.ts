// An endless plan for the monitor: all rows that only read, in turn, in another order in each round.

import { hash } from 'node:crypto';
import { createRandom } from '../session/numbers.ts';
import { shuffle } from './fill.ts';
import { type Row, vectorsOf } from './row.ts';

/** How far a target has come: of which plan, in which order, and how many rows of it were taken. */
export type Cursor = { readonly digest: string; readonly seed: number; readonly number: number };

export type Turn = { readonly rows: readonly Row[]; readonly next: Cursor };

/** Targets with the same seed share them. */
const KEPT_ROUNDS = 4;

/**
 * `rowsOf` makes the rows of a round from a seed: the same number of them for each. Of another plan than this one, a cursor begins anew, with its seed.
 */
export function createTurns(rowsOf: (seed: number) => readonly Row[]) {
  let known: { readonly digest: string; readonly length: number } | undefined;
  function identity(): { readonly digest: string; readonly length: number } {
    if (known !== undefined) return known;
    const rows = rowsOf(0);
    known = { digest: hash('sha256', JSON.stringify(rows)).slice(0, 16), length: rows.length };
    return known;
  }

  const rounds = new Map<number, readonly Row[]>();
  function roundOf(round: number): readonly Row[] {
    const rows = rounds.get(round) ?? shuffle(rowsOf(round), createRandom(round));
    if (rounds.size >= KEPT_ROUNDS && !rounds.has(round)) rounds.clear();
    rounds.set(round, rows);
    return rows;
  }

  /** The next rows, of at most so many requests. A row that takes more by itself is passed over. */
  function take(cursor: Cursor, requests: number): Turn {
    const { digest, length } = identity();
    const from = cursor.digest === digest ? cursor.number : 0;
    const rows: Row[] = [];
    let [number, left, round, current] = [from, requests, -1, [] as readonly Row[]];
    while (number - from < length) {
      if (round !== Math.floor(number / length)) {
        round = Math.floor(number / length);
        current = roundOf(cursor.seed + round);
      }
      const row = current[number % length];
      const cost = row === undefined ? 0 : vectorsOf(row).length;
      if (cost > left && cost <= requests) break;
      if (row !== undefined && cost <= left) {
        rows.push(row);
        left -= cost;
      }
      number += 1;
    }
    return { rows, next: { digest, seed: cursor.seed, number } };
  }

  return { identity, take, start: (seed: number): Cursor => ({ digest: identity().digest, seed, number: 0 }) };
}
