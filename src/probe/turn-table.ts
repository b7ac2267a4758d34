// The states of turns in the file of the history: a small JSON value for each target.

import type { DatabaseSync } from 'node:sqlite';
import { type TurnState, turnStateIn } from './turn-state.ts';

export const TURN_STATES_SCHEMA = `
CREATE TABLE IF NOT EXISTS turn_state (target TEXT PRIMARY KEY, json TEXT NOT NULL) WITHOUT ROWID;`;

/** The part of the history that keeps how far targets are. */
export type TurnStore = {
  /** Stores the state of a target; written together with others by `flush`. Never throws. */
  keepTurnState(target: string, state: TurnState): void;
  /** `none` if the file has none; undefined if it can't be read. */
  turnState(target: string): TurnState | 'none' | undefined;
};

/** The underlying table. What has not been written yet is read, too. */
export type TurnTable = Pick<TurnStore, 'keepTurnState'> & {
  readonly isEmpty: () => boolean;
  /** Within a transaction of the caller, who confirms with `written` that it was committed. */
  write(live: DatabaseSync): void;
  written(): void;
  /** A value that is not valid is as good as none. */
  turnState(live: DatabaseSync, target: string): TurnState | 'none';
};

export function createTurnTable(): TurnTable {
  const waiting = new Map<string, TurnState>();
  return {
    keepTurnState: (target, state) => void waiting.set(target, state),
    isEmpty: () => waiting.size === 0,
    write(live) {
      const insert = live.prepare('INSERT OR REPLACE INTO turn_state (target, json) VALUES (?, ?)');
      for (const [target, state] of waiting) insert.run(target, JSON.stringify(state));
    },
    written: () => waiting.clear(),
    turnState(live, target) {
      const row = live.prepare('SELECT json FROM turn_state WHERE target = ?').get(target);
      return waiting.get(target) ?? (row === undefined ? undefined : turnStateIn(String(row['json']))) ?? 'none';
    },
  };
}
