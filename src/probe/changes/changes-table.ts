import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { isJsonObject } from '../../wire/json.ts';
import { CHANGE_KINDS, type Change } from './change.ts';
import type { Fact } from './fact.ts';

export const CHANGES_SCHEMA = `
CREATE TABLE IF NOT EXISTS fact (target TEXT NOT NULL, key TEXT NOT NULL, json TEXT NOT NULL, PRIMARY KEY (target, key)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS change (id INTEGER PRIMARY KEY AUTOINCREMENT, target TEXT NOT NULL, at INTEGER NOT NULL, json TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS change_by_target ON change (target, id);
CREATE TABLE IF NOT EXISTS behavior (
  target TEXT NOT NULL, day INTEGER NOT NULL, json TEXT NOT NULL, PRIMARY KEY (target, day)) WITHOUT ROWID;`;

/** Per target. */
const MOST_CHANGES = 200;
const MOST_WAITING = 2_000;

/** What was known about a target on a day, valid until the next row. */
export type BehaviorDay = { readonly day: number; readonly json: string };

/** The part of the history that changes over time. */
export type ChangesStore = {
  /** Stores a fact, or deletes it; written together with others by `flush`. Never throws. */
  keepFact(target: string, key: string, fact: Fact | undefined): void;
  keepChange(change: Change): void;
  /** Stores changes again, oldest first, that were in a file that is set aside, together with those that were not written to it. */
  keepChangesAnew(changes: readonly Change[]): void;
  /** Stores what is known since the day that begins at `day`. */
  keepBehavior(target: string, row: BehaviorDay): void;
  /** By key; undefined if they can't be read. */
  facts(target: string): ReadonlyMap<string, Fact> | undefined;
  /** Newest first; of all targets if none is named. Undefined if they can't be read. */
  changes(most: number, target?: string): readonly Change[] | undefined;
  /** The last row that began at or before that moment. */
  behavior(target: string, at: number): BehaviorDay | undefined;
};

/** The underlying tables. Reads include what has not been written yet: a full disk hides nothing that is known. */
export type ChangesTables = Omit<ChangesStore, 'facts' | 'changes' | 'behavior'> & {
  readonly isEmpty: () => boolean;
  /** Within a transaction of the caller, who confirms with `written` that it was committed. */
  write(live: DatabaseSync): void;
  written(): void;
  facts(live: DatabaseSync, target: string): ReadonlyMap<string, Fact>;
  changes(live: DatabaseSync, most: number, target: string | undefined): readonly Change[];
  behavior(live: DatabaseSync, target: string, at: number): BehaviorDay | undefined;
  /** Removes what is older than a moment, except what is still valid. */
  prune(live: DatabaseSync, before: number): void;
};

function parsed<Value>(text: unknown, isSound: (value: Partial<Value>) => boolean): readonly Value[] {
  try {
    const value = JSON.parse(String(text)) as Partial<Value>;
    return isSound(value) ? [value as Value] : [];
  } catch {
    return [];
  }
}

const areTexts = (values: readonly unknown[]): boolean => values.every((one) => typeof one === 'string');
const areMoments = (values: readonly unknown[]): boolean =>
  values.every((one) => typeof one === 'number' && !Number.isNaN(new Date(one).getTime()));

const isFact = ({ value, since, doubts, quiet, candidate }: Partial<Fact>): boolean =>
  typeof value === 'string' &&
  [since, doubts, quiet].every(Number.isFinite) &&
  (candidate === undefined || (typeof candidate?.value === 'string' && Number.isFinite(candidate.since)));

const isChange = ({ kind, subject, target, before, after, since, at }: Partial<Change>): boolean =>
  areTexts([subject, target, before, after]) && CHANGE_KINDS.some((one) => one === kind) && areMoments([since, at]);

/** By clause, the texts of its questions' answers. */
const isBehavior = (value: object): boolean =>
  isJsonObject(value) && Object.values(value).every((one) => isJsonObject(one) && areTexts(Object.values(one)));

/** One statement per database: a file that was set aside takes its statements with it. */
function preparing(): (live: DatabaseSync, text: string) => StatementSync {
  const known = new WeakMap<DatabaseSync, Map<string, StatementSync>>();
  return (live, text) => {
    const statements = known.get(live) ?? new Map<string, StatementSync>();
    known.set(live, statements);
    const statement = statements.get(text) ?? live.prepare(text);
    statements.set(text, statement);
    return statement;
  };
}

/** What waits to be written: at most all facts and a few thousand changes. */
export function createChangesTables(): ChangesTables {
  const prepare = preparing();
  const facts = new Map<string, readonly [target: string, key: string, fact: Fact | undefined]>();
  const behaviors = new Map<string, readonly [target: string, row: BehaviorDay]>();
  const waiting: Change[] = [];

  function writeChange(live: DatabaseSync, change: Change): void {
    prepare(live, 'INSERT INTO change (target, at, json) VALUES (?, ?, ?)').run(
      change.target,
      Math.round(change.at),
      JSON.stringify(change),
    );
    prepare(
      live,
      'DELETE FROM change WHERE target = ? AND id <= (SELECT id FROM change WHERE target = ? ORDER BY id DESC LIMIT 1 OFFSET ?)',
    ).run(change.target, change.target, MOST_CHANGES);
  }

  return {
    keepFact: (target, key, fact) => facts.set(`${target} ${key}`, [target, key, fact]),
    keepChange(change) {
      waiting.push(change);
      if (waiting.length > MOST_WAITING) waiting.shift();
    },
    keepChangesAnew(changes) {
      const known = new Set(changes);
      const before = waiting.filter((change) => !known.has(change));
      waiting.splice(0, waiting.length, ...[...before, ...changes].slice(-MOST_WAITING));
    },
    keepBehavior: (target, row) => behaviors.set(`${target} ${row.day}`, [target, row]),
    isEmpty: () => facts.size === 0 && waiting.length === 0 && behaviors.size === 0,
    write(live) {
      for (const [target, key, fact] of facts.values()) {
        if (fact === undefined) prepare(live, 'DELETE FROM fact WHERE target = ? AND key = ?').run(target, key);
        else prepare(live, 'INSERT OR REPLACE INTO fact (target, key, json) VALUES (?, ?, ?)').run(target, key, JSON.stringify(fact));
      }
      for (const change of waiting) writeChange(live, change);
      for (const [target, { day, json }] of behaviors.values())
        prepare(live, 'INSERT OR REPLACE INTO behavior (target, day, json) VALUES (?, ?, ?)').run(target, day, json);
    },
    written() {
      facts.clear();
      behaviors.clear();
      waiting.length = 0;
    },
    facts(live, target) {
      const rows = prepare(live, 'SELECT key, json FROM fact WHERE target = ?').all(target);
      const read = new Map(rows.flatMap((row) => parsed<Fact>(row['json'], isFact).map((fact) => [String(row['key']), fact] as const)));
      for (const [owner, key, fact] of facts.values()) {
        if (owner !== target) continue;
        if (fact === undefined) read.delete(key);
        else read.set(key, fact);
      }
      return read;
    },
    changes(live, most, target) {
      const rows =
        target === undefined
          ? prepare(live, 'SELECT json FROM change ORDER BY id DESC LIMIT ?').all(most)
          : prepare(live, 'SELECT json FROM change WHERE target = ? ORDER BY id DESC LIMIT ?').all(target, most);
      const unwritten = waiting.filter((change) => target === undefined || change.target === target).toReversed();
      return [...unwritten, ...rows.flatMap((row) => parsed<Change>(row['json'], isChange))].slice(0, most);
    },
    behavior(live, target, at) {
      const rows = prepare(live, 'SELECT day, json FROM behavior WHERE target = ? AND day <= ? ORDER BY day DESC').iterate(target, at);
      const unwritten = [...behaviors.values()].filter(([owner, { day }]) => owner === target && day <= at).map(([, row]) => row);
      const [last] = unwritten.toSorted((a, b) => b.day - a.day);
      for (const row of rows) {
        const read = { day: Number(row['day']), json: String(row['json']) };
        if (last !== undefined && last.day >= read.day) return last;
        // A row that is not valid leaves the one before it in force.
        if (parsed(read.json, isBehavior).length > 0) return read;
      }
      return last;
    },
    prune(live, before) {
      prepare(live, 'DELETE FROM change WHERE at < ?').run(before);
      // The last row of a target is valid until there is another one.
      prepare(
        live,
        `DELETE FROM behavior WHERE day < ? AND EXISTS (
           SELECT 1 FROM behavior AS later WHERE later.target = behavior.target AND later.day > behavior.day AND later.day <= ?)`,
      ).run(before, before);
    },
  };
}
