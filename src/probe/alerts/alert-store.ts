import type { DatabaseSync } from 'node:sqlite';
import { messageOf } from '../../wire/wording.ts';
import { DatabaseFile, isDamage } from '../data-folder.ts';
import { type AlertEvent, EVENT_STATUSES, eventId } from './event.ts';
import { FRESH_STATE, isUnknown, type TargetState } from './target-state.ts';

// The outbox has row ids: they keep the order of events, whatever the wall clock did between them.
const SCHEMA = `
CREATE TABLE IF NOT EXISTS state (target TEXT PRIMARY KEY, json TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS outbox (
  id TEXT NOT NULL, webhook TEXT NOT NULL, json TEXT NOT NULL, attempts INTEGER NOT NULL, next_at INTEGER NOT NULL, PRIMARY KEY (id, webhook));
CREATE TABLE IF NOT EXISTS told (json TEXT NOT NULL);`;

export type Pending = {
  /** Unique to the event; stable across attempts and restarts. */
  readonly id: string;
  readonly webhook: string;
  readonly event: AlertEvent;
  attempts: number;
  /** Wall clock in milliseconds. */
  nextAt: number;
};

export type AlertStoreOptions = {
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

type Memory = {
  readonly states: Map<string, TargetState>;
  outbox: Map<string, Pending>;
  recent: readonly AlertEvent[];
};

const keyOf = ({ webhook, id }: Pick<Pending, 'webhook' | 'id'>): string => `${webhook} ${id}`;

/**
 * Adds the content of the file to the memory: what is in memory already is newer. Throws SQLite's errors; an unreadable row is reported.
 */
function loadInto(database: DatabaseSync, memory: Memory, onProblem: (problem: string) => void): void {
  const event = (json: unknown): AlertEvent[] => {
    try {
      // Version 2 had no conditions.
      const stored = { condition: null, ...(JSON.parse(String(json)) as Omit<AlertEvent, 'condition'>) };
      // Version 2 also sent acknowledgments, which no receiver of this one expects.
      return EVENT_STATUSES.includes(stored.status) ? [stored] : [];
    } catch {
      onProblem('cannot read a stored alert, which is lost');
      return [];
    }
  };
  const states = database.prepare('SELECT target, json FROM state').all();
  const outbox = database.prepare('SELECT id, webhook, json, attempts, next_at FROM outbox ORDER BY rowid').all();
  const told = database.prepare('SELECT json FROM told ORDER BY rowid DESC LIMIT ?').all(MOST_RECENT);
  for (const row of states) {
    const target = String(row['target']);
    if (!memory.states.has(target)) memory.states.set(target, readState(row['json']));
  }
  const waiting = outbox.flatMap((row) =>
    event(row['json']).map((one): Pending => {
      const [id, webhook] = [String(row['id']), String(row['webhook'])];
      return { id, webhook, event: one, attempts: Number(row['attempts']), nextAt: Number(row['next_at']) };
    }),
  );
  memory.outbox = new Map([...waiting.map((one) => [keyOf(one), one] as const), ...memory.outbox]);
  memory.recent = [...memory.recent, ...told.flatMap((row) => event(row['json']))].slice(0, MOST_RECENT);
}

/** What is in memory but not in the file yet: names only, so that it stays small however long a disk is full. */
type Unwritten = {
  readonly states: Set<string>;
  readonly outbox: Map<string, Pick<Pending, 'id' | 'webhook'>>;
  hasNewEvents: boolean;
};

function writeUnwritten(database: DatabaseSync, memory: Memory, unwritten: Unwritten): void {
  const state = database.prepare('INSERT OR REPLACE INTO state (target, json) VALUES (?, ?)');
  const forget = database.prepare('DELETE FROM state WHERE target = ?');
  for (const target of unwritten.states) {
    const kept = memory.states.get(target);
    if (kept === undefined) forget.run(target);
    else state.run(target, JSON.stringify(kept));
  }
  // An existing row keeps its place.
  const put = database.prepare(
    `INSERT INTO outbox (id, webhook, json, attempts, next_at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (id, webhook) DO UPDATE SET attempts = excluded.attempts, next_at = excluded.next_at`,
  );
  const drop = database.prepare('DELETE FROM outbox WHERE id = ? AND webhook = ?');
  for (const [key, { id, webhook }] of unwritten.outbox) {
    const pending = memory.outbox.get(key);
    if (pending === undefined) drop.run(id, webhook);
    else put.run(id, webhook, JSON.stringify(pending.event), pending.attempts, Math.round(pending.nextAt));
  }
  if (!unwritten.hasNewEvents) return;
  database.exec('DELETE FROM told');
  const tell = database.prepare('INSERT INTO told (json) VALUES (?)');
  for (const event of [...memory.recent].reverse()) tell.run(JSON.stringify(event));
}

/** Up, without recent failures, and without an alert that needs a resolved event. */
function hasNothingOpen(state: TargetState): boolean {
  return state.health === 'up' && !state.window.includes(true) && !isUnknown(state) && state.common === undefined;
}

type AlertStoreChange = {
  /** Undefined: no state any more. */
  readonly state: TargetState | undefined;
  readonly events: readonly AlertEvent[];
  readonly webhooks: (event: AlertEvent) => readonly string[];
  readonly at: number;
};

/**
 * Alert state and outbox: in memory, and written through to a file, each change fsynced. If the file can't be written, alerts continue from
 * memory and are written later; if it is damaged, it is set aside and everything in memory is written again, as if it was deleted.
 */
export class AlertStore {
  private readonly options: AlertStoreOptions;
  private readonly file: DatabaseFile | undefined;
  private readonly memory: Memory = { states: new Map(), outbox: new Map(), recent: [] };
  private readonly unwritten: Unwritten = { states: new Set(), outbox: new Map(), hasNewEvents: false };
  private isLoaded: boolean;

  constructor(options: AlertStoreOptions) {
    const { file, now, onProblem } = options;
    const check = (live: DatabaseSync): void => {
      if (!this.isLoaded) loadInto(live, this.memory, onProblem);
    };
    this.options = options;
    this.file = file === undefined ? undefined : new DatabaseFile({ file, schema: SCHEMA, synchronous: 'FULL', check, now, onProblem });
    this.isLoaded = file === undefined;
    this.open();
  }

  targets(): readonly string[] {
    return [...this.memory.states.keys()];
  }

  state(target: string): TargetState {
    return this.memory.states.get(target) ?? FRESH_STATE;
  }

  /** Stores a state and events in one transaction. */
  commit(target: string, { state, events, webhooks, at }: AlertStoreChange): void {
    const { memory, unwritten } = this;
    const before = memory.states.get(target);
    if (state === undefined) memory.states.delete(target);
    else memory.states.set(target, state);
    for (const event of events) for (const webhook of webhooks(event)) this.put({ id: eventId(event), event, webhook, at });
    memory.recent = [...[...events].reverse(), ...memory.recent].slice(0, MOST_RECENT);
    // A healthy target writes nothing: its window of passes is equivalent to a fresh one.
    if (
      events.length === 0 &&
      state !== undefined &&
      (before === state || (hasNothingOpen(state) && hasNothingOpen(before ?? FRESH_STATE)))
    )
      return;
    unwritten.states.add(target);
    unwritten.hasNewEvents ||= events.length > 0;
    // Thousands of targets may go at once: their rows are removed together, at the next write.
    if (state !== undefined || events.length > 0) this.sync();
  }

  /** Stores events for one webhook alone, under ids of their own. */
  enqueue(events: readonly Pick<Pending, 'id' | 'event'>[], to: { readonly webhook: string; readonly at: number }): void {
    for (const { id, event } of events) this.put({ id, event, ...to });
    if (events.length > 0) this.sync();
  }

  /** In the order of the events. */
  pending(): readonly Pending[] {
    return [...this.memory.outbox.values()];
  }

  settle(pending: Pending): void {
    this.memory.outbox.delete(keyOf(pending));
    this.postpone(pending);
  }

  postpone(pending: Pending): void {
    this.unwritten.outbox.set(keyOf(pending), pending);
    this.sync();
  }

  /** The last events, newest first. */
  recent(most: number): readonly AlertEvent[] {
    return this.memory.recent.slice(0, most);
  }

  /** Writes what could not be written before. */
  sync(): void {
    const { memory, options, unwritten } = this;
    if (this.isLoaded && unwritten.states.size === 0 && unwritten.outbox.size === 0 && !unwritten.hasNewEvents) return;
    const live = this.open();
    if (live === undefined) return;
    try {
      live.exec('BEGIN IMMEDIATE');
      writeUnwritten(live, memory, unwritten);
      live.exec('COMMIT');
      unwritten.states.clear();
      unwritten.outbox.clear();
      unwritten.hasNewEvents = false;
    } catch (error) {
      options.onProblem(`writing alert state to ${options.file} failed: ${messageOf(error)}`);
      if (isDamage(error)) {
        this.file?.giveUp();
        this.markAllUnwritten();
      } else if (live.isTransaction) live.exec('ROLLBACK');
    }
  }

  /** Writes everything in memory again if somebody deleted or replaced the file. */
  lookAfter(): void {
    if (this.file?.lookAfter('what the monitor remembers is written to a new one') === undefined) return;
    this.markAllUnwritten();
    this.sync();
  }

  close(): void {
    this.sync();
    this.file?.close();
  }

  private open(): DatabaseSync | undefined {
    const live = this.file?.open();
    this.isLoaded ||= live !== undefined;
    return live;
  }

  /** All of it is to be written to the next file. */
  private markAllUnwritten(): void {
    const { memory, unwritten } = this;
    for (const target of memory.states.keys()) unwritten.states.add(target);
    for (const [key, pending] of memory.outbox) unwritten.outbox.set(key, pending);
    unwritten.hasNewEvents = true;
  }

  private put({ id, event, webhook, at }: Pick<Pending, 'id' | 'event' | 'webhook'> & { readonly at: number }): void {
    const pending: Pending = { id, webhook, event, attempts: 0, nextAt: at };
    this.memory.outbox.set(keyOf(pending), pending);
    this.unwritten.outbox.set(keyOf(pending), pending);
  }
}
