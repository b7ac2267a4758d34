import type { DatabaseSync } from 'node:sqlite';
import { isJsonObject } from '../../wire/json.ts';
import { prepared } from '../data-folder.ts';
import { CHANGE_KINDS, type Change } from './change.ts';
import type { KnownValue } from './known-value.ts';

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
  /** Stores a known value, or deletes it; written together with others by `flush`. Never throws. */
  keepValue(target: string, key: string, knownValue: KnownValue | undefined): void;
  keepChange(change: Change): void;
  /** Stores changes again, oldest first, that were in a file that is set aside, together with those that were not written to it. */
  keepChangesAnew(changes: readonly Change[]): void;
  /** Stores what is known since the day that begins at `day`. */
  keepBehavior(target: string, row: BehaviorDay): void;
  /** By key; undefined if they can't be read. */
  values(target: string): ReadonlyMap<string, KnownValue> | undefined;
  /** Newest first; of all targets if none is named. Undefined if they can't be read. */
  changes(most: number, target?: string): readonly Change[] | undefined;
  /** The last row that began at or before that moment. */
  behavior(target: string, at: number): BehaviorDay | undefined;
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

const isKnownValue = ({ value, since, doubts, quiet, candidate }: Partial<KnownValue>): boolean =>
  typeof value === 'string' &&
  [since, doubts, quiet].every(Number.isFinite) &&
  (candidate === undefined || (typeof candidate?.value === 'string' && Number.isFinite(candidate.since)));

const isChange = ({ kind, subject, target, before, after, since, at }: Partial<Change>): boolean =>
  areTexts([subject, target, before, after]) && CHANGE_KINDS.some((one) => one === kind) && areMoments([since, at]);

/** By clause, the texts of its questions' answers. */
const isBehavior = (value: object): boolean =>
  isJsonObject(value) && Object.values(value).every((one) => isJsonObject(one) && areTexts(Object.values(one)));

/**
 * The underlying tables, and what waits to be written to them: at most all known values and a few thousand changes. Reads include what has not been written yet:
 * a full disk hides nothing that is known.
 */
export class ChangesTables implements Omit<ChangesStore, 'values' | 'changes' | 'behavior'> {
  private readonly unwrittenValues = new Map<string, readonly [target: string, key: string, knownValue: KnownValue | undefined]>();
  private readonly unwrittenBehaviors = new Map<string, readonly [target: string, row: BehaviorDay]>();
  private readonly unwrittenChanges: Change[] = [];

  keepValue(target: string, key: string, knownValue: KnownValue | undefined): void {
    this.unwrittenValues.set(`${target} ${key}`, [target, key, knownValue]);
  }

  keepChange(change: Change): void {
    this.unwrittenChanges.push(change);
    if (this.unwrittenChanges.length > MOST_WAITING) this.unwrittenChanges.shift();
  }

  keepChangesAnew(changes: readonly Change[]): void {
    const known = new Set(changes);
    const before = this.unwrittenChanges.filter((change) => !known.has(change));
    this.unwrittenChanges.splice(0, this.unwrittenChanges.length, ...[...before, ...changes].slice(-MOST_WAITING));
  }

  keepBehavior(target: string, row: BehaviorDay): void {
    this.unwrittenBehaviors.set(`${target} ${row.day}`, [target, row]);
  }

  isEmpty(): boolean {
    return this.unwrittenValues.size + this.unwrittenChanges.length + this.unwrittenBehaviors.size === 0;
  }

  /** Within a transaction of the caller, who confirms with `written` that it was committed. */
  write(live: DatabaseSync): void {
    for (const [target, key, knownValue] of this.unwrittenValues.values()) {
      if (knownValue === undefined) prepared(live, 'DELETE FROM fact WHERE target = ? AND key = ?').run(target, key);
      else prepared(live, 'INSERT OR REPLACE INTO fact (target, key, json) VALUES (?, ?, ?)').run(target, key, JSON.stringify(knownValue));
    }
    for (const change of this.unwrittenChanges) this.writeChange(live, change);
    for (const [target, { day, json }] of this.unwrittenBehaviors.values())
      prepared(live, 'INSERT OR REPLACE INTO behavior (target, day, json) VALUES (?, ?, ?)').run(target, day, json);
  }

  written(): void {
    this.unwrittenValues.clear();
    this.unwrittenBehaviors.clear();
    this.unwrittenChanges.length = 0;
  }

  values(live: DatabaseSync, target: string): ReadonlyMap<string, KnownValue> {
    const rows = prepared(live, 'SELECT key, json FROM fact WHERE target = ?').all(target);
    const read = new Map(
      rows.flatMap((row) => parsed<KnownValue>(row['json'], isKnownValue).map((knownValue) => [String(row['key']), knownValue] as const)),
    );
    for (const [owner, key, knownValue] of this.unwrittenValues.values()) {
      if (owner !== target) continue;
      if (knownValue === undefined) read.delete(key);
      else read.set(key, knownValue);
    }
    return read;
  }

  changes(live: DatabaseSync, most: number, target: string | undefined): readonly Change[] {
    const rows =
      target === undefined
        ? prepared(live, 'SELECT json FROM change ORDER BY id DESC LIMIT ?').all(most)
        : prepared(live, 'SELECT json FROM change WHERE target = ? ORDER BY id DESC LIMIT ?').all(target, most);
    const unwritten = this.unwrittenChanges.filter((change) => target === undefined || change.target === target).toReversed();
    return [...unwritten, ...rows.flatMap((row) => parsed<Change>(row['json'], isChange))].slice(0, most);
  }

  behavior(live: DatabaseSync, target: string, at: number): BehaviorDay | undefined {
    const rows = prepared(live, 'SELECT day, json FROM behavior WHERE target = ? AND day <= ? ORDER BY day DESC').iterate(target, at);
    const unwritten = [...this.unwrittenBehaviors.values()]
      .filter(([owner, { day }]) => owner === target && day <= at)
      .map(([, row]) => row);
    const [last] = unwritten.toSorted((a, b) => b.day - a.day);
    for (const row of rows) {
      const read = { day: Number(row['day']), json: String(row['json']) };
      if (last !== undefined && last.day >= read.day) return last;
      // A row that is not valid leaves the one before it in force.
      if (parsed(read.json, isBehavior).length > 0) return read;
    }
    return last;
  }

  /** Removes what is older than a moment, except what is still valid. */
  prune(live: DatabaseSync, before: number): void {
    prepared(live, 'DELETE FROM change WHERE at < ?').run(before);
    // The last row of a target is valid until there is another one.
    prepared(
      live,
      `DELETE FROM behavior WHERE day < ? AND EXISTS (
         SELECT 1 FROM behavior AS later WHERE later.target = behavior.target AND later.day > behavior.day AND later.day <= ?)`,
    ).run(before, before);
  }

  private writeChange(live: DatabaseSync, change: Change): void {
    prepared(live, 'INSERT INTO change (target, at, json) VALUES (?, ?, ?)').run(
      change.target,
      Math.round(change.at),
      JSON.stringify(change),
    );
    prepared(
      live,
      'DELETE FROM change WHERE target = ? AND id <= (SELECT id FROM change WHERE target = ? ORDER BY id DESC LIMIT 1 OFFSET ?)',
    ).run(change.target, change.target, MOST_CHANGES);
  }
}
