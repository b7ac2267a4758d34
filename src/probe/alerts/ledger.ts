import type { DatabaseSync } from 'node:sqlite';
import { openDatabase } from '../history/database.ts';
import { messageOf } from '../messages.ts';
import type { AlertEvent } from './event.ts';
import { FRESH_STATE, type TargetState } from './target-state.ts';

const SCHEMA = `
CREATE TABLE IF NOT EXISTS state (target TEXT PRIMARY KEY, json TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS outbox (
  id TEXT NOT NULL, webhook TEXT NOT NULL, json TEXT NOT NULL, attempts INTEGER NOT NULL, next_at INTEGER NOT NULL, PRIMARY KEY (id, webhook)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS told (at INTEGER NOT NULL, json TEXT NOT NULL);`;

/** An event that one webhook has not taken yet. */
export type Pending = {
  /** Unique to the event; stable over all tries and restarts. */
  readonly id: string;
  readonly webhook: string;
  readonly event: AlertEvent;
  attempts: number;
  /** Wall clock in milliseconds. */
  nextAt: number;
};

export type AlertLedger = {
  state(target: string): TargetState;
  /** Takes over a new state together with the events that come of it, in one transaction. */
  commit(target: string, change: { state: TargetState; events: readonly AlertEvent[]; webhooks: readonly string[]; at: number }): void;
  pending(): readonly Pending[];
  settle(pending: Pending): void;
  postpone(pending: Pending): void;
  /** The last events, newest first. */
  recent(most: number): readonly AlertEvent[];
  /** Writes what could not be written before. */
  sync(): void;
  close(): void;
};

export type LedgerOptions = {
  readonly file: string | undefined;
  readonly now: () => number;
  readonly onProblem: (problem: string) => void;
};

const MOST_RECENT = 50;

function readState(json: unknown): TargetState {
  try {
    return { ...FRESH_STATE, ...(JSON.parse(String(json)) as Partial<TargetState>) };
  } catch {
    return FRESH_STATE;
  }
}

type Memory = { readonly states: Map<string, TargetState>; readonly outbox: Map<string, Pending>; recent: AlertEvent[] };

function load(database: DatabaseSync, memory: Memory): void {
  for (const row of database.prepare('SELECT target, json FROM state').all()) {
    const target = String(row['target']);
    if (!memory.states.has(target)) memory.states.set(target, readState(row['json']));
  }
  for (const row of database.prepare('SELECT * FROM outbox').all()) {
    const [id, webhook] = [String(row['id']), String(row['webhook'])];
    const event = JSON.parse(String(row['json'])) as AlertEvent;
    memory.outbox.set(`${webhook} ${id}`, { id, webhook, event, attempts: Number(row['attempts']), nextAt: Number(row['next_at']) });
  }
  const told = database.prepare('SELECT json FROM told ORDER BY rowid DESC LIMIT ?').all(MOST_RECENT);
  memory.recent = [...memory.recent, ...told.map((row) => JSON.parse(String(row['json'])) as AlertEvent)].slice(0, MOST_RECENT);
}

type Write = (database: DatabaseSync) => void;

/**
 * Alert state and outbox: in memory, written through to a file of its own, each change fsynced. When the file can't be written, alerts
 * go on from memory and the writes wait in their order.
 */
export function openAlertLedger({ file, now, onProblem }: LedgerOptions): AlertLedger {
  const memory: Memory = { states: new Map(), outbox: new Map(), recent: [] };
  const owed: Write[] = [];
  let database = file === undefined ? undefined : openDatabase({ file, schema: SCHEMA, synchronous: 'FULL', now, onProblem });
  if (database !== undefined) load(database, memory);

  function sync(): void {
    if (owed.length === 0 || file === undefined) return;
    database ??= openDatabase({ file, schema: SCHEMA, synchronous: 'FULL', now, onProblem });
    if (database === undefined) return;
    try {
      database.exec('BEGIN IMMEDIATE');
      for (const write of owed) write(database);
      database.exec('COMMIT');
      owed.length = 0;
    } catch (error) {
      if (database.isTransaction) database.exec('ROLLBACK');
      onProblem(`writing alert state to ${file} failed: ${messageOf(error)}`);
    }
  }

  function save(write: Write): void {
    if (file === undefined) return;
    owed.push(write);
    sync();
  }

  const put = (live: DatabaseSync, { id, webhook, event, attempts, nextAt }: Pending): void => {
    live
      .prepare('INSERT OR REPLACE INTO outbox (id, webhook, json, attempts, next_at) VALUES (?, ?, ?, ?, ?)')
      .run(id, webhook, JSON.stringify(event), attempts, Math.round(nextAt));
  };

  return {
    state: (target) => memory.states.get(target) ?? FRESH_STATE,
    commit(target, { state, events, webhooks, at }) {
      const before = memory.states.get(target);
      memory.states.set(target, state);
      const added = events.flatMap((event) =>
        webhooks.map((webhook): Pending => ({ id: `${event.dedupId}/${event.status}`, webhook, event, attempts: 0, nextAt: at })),
      );
      for (const pending of added) memory.outbox.set(`${pending.webhook} ${pending.id}`, pending);
      memory.recent = [...[...events].reverse(), ...memory.recent].slice(0, MOST_RECENT);
      // A healthy target writes nothing: its window of passes says no more than a fresh one.
      if (events.length === 0 && (before === state || (isCalm(state) && isCalm(before ?? FRESH_STATE)))) return;
      save((live) => {
        live.prepare('INSERT OR REPLACE INTO state (target, json) VALUES (?, ?)').run(target, JSON.stringify(state));
        for (const event of events) live.prepare('INSERT INTO told (at, json) VALUES (?, ?)').run(Math.round(at), JSON.stringify(event));
        if (events.length > 0) live.prepare('DELETE FROM told WHERE rowid <= (SELECT max(rowid) FROM told) - ?').run(MOST_RECENT);
        for (const pending of added) put(live, pending);
      });
    },
    pending: () => [...memory.outbox.values()],
    settle({ id, webhook }) {
      memory.outbox.delete(`${webhook} ${id}`);
      save((live) => live.prepare('DELETE FROM outbox WHERE id = ? AND webhook = ?').run(id, webhook));
    },
    postpone(pending) {
      save((live) => put(live, pending));
    },
    recent: (most) => memory.recent.slice(0, most),
    sync,
    close() {
      sync();
      database?.close();
      database = undefined;
    },
  };
}

/** Up, and no failure in sight. */
function isCalm({ health, window }: TargetState): boolean {
  return health === 'up' && !window.includes(true);
}
