import { readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { openSound } from '../../src/probe/data-folder.ts';
import { History } from '../../src/probe/history.ts';
import type { TurnState } from '../../src/probe/turn-state.ts';
import { ownFolder } from '../support/program.ts';
import { sampleOf } from './samples.ts';

const DAY = 86_400_000;
const START = Date.parse('2026-11-21T00:00:00Z');

function open(file: string, extra: { now?: () => number; maxBytes?: number } = {}): { history: History; problems: string[] } {
  const problems: string[] = [];
  const options = { maxBytes: 1e9, now: () => START, ...extra };
  return { history: new History({ file, ...options, onProblem: (problem) => problems.push(problem) }), problems };
}

const fresh = (): string => join(ownFolder(), 'history.db');
const atsOf = (history: History): number[] => history.runs('production', 10).map(({ at }) => at);

/** How far a target is, with a row that failed. */
const STATE: TurnState = {
  ...{ cursor: { plan: 'abc', seed: 1, number: 7 }, nearMisses: { plan: 'abc', seed: 1, number: 0, endedAt: START } },
  failing: [{ row: { op: 'list', limit: 13 }, clause: 'list.limit-accepted', confirmed: true, at: START }],
  ...{ asked: [], asks: false, taken: 7, marks: [{ at: START, taken: 0 }] },
};

/** The tables of version 2 that this one does not have. */
const SCHEMA_2 = `
CREATE TABLE turn (
  target TEXT NOT NULL, check_id TEXT NOT NULL, turn TEXT NOT NULL, PRIMARY KEY (target, check_id)) WITHOUT ROWID;
CREATE TABLE sample (
  target TEXT NOT NULL, at INTEGER NOT NULL, duration REAL NOT NULL, verdict TEXT NOT NULL,
  reason TEXT, clause TEXT, note TEXT NOT NULL);
CREATE INDEX sample_target_at ON sample (target, at);
CREATE INDEX sample_at ON sample (at);
CREATE INDEX sample_failed ON sample (target, at) WHERE verdict = 'fail';
CREATE TABLE rollup (
  target TEXT NOT NULL, hour INTEGER NOT NULL, pass INTEGER NOT NULL DEFAULT 0, degraded INTEGER NOT NULL DEFAULT 0,
  fail INTEGER NOT NULL DEFAULT 0, unknown INTEGER NOT NULL DEFAULT 0, duration_sum REAL NOT NULL DEFAULT 0,
  duration_max REAL NOT NULL DEFAULT 0, PRIMARY KEY (target, hour)) WITHOUT ROWID;
CREATE TABLE rollup_day (
  target TEXT NOT NULL, day INTEGER NOT NULL, pass INTEGER NOT NULL DEFAULT 0, degraded INTEGER NOT NULL DEFAULT 0,
  fail INTEGER NOT NULL DEFAULT 0, unknown INTEGER NOT NULL DEFAULT 0, duration_sum REAL NOT NULL DEFAULT 0,
  duration_max REAL NOT NULL DEFAULT 0, PRIMARY KEY (target, day)) WITHOUT ROWID;
CREATE TABLE incident (
  number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, target TEXT NOT NULL, at INTEGER NOT NULL, json TEXT NOT NULL);`;

describe('History', () => {
  test('How far a target is in the plan is kept over a restart.', () => {
    const file = fresh();
    const { history } = open(file);
    history.keepTurnState('production', STATE);
    expect(history.turnState('production')).toEqual(STATE);
    history.close();
    const { history: again, problems } = open(file);
    expect([again.turnState('production'), again.turnState('staging')]).toEqual([STATE, 'none']);
    again.close();
    expect(problems).toEqual([]);
  });

  test('The last runs of a target and the failed ones are read newest first, also those that wait to be written.', () => {
    const { history } = open(fresh());
    for (let minute = 0; minute < 120; minute += 1)
      history.add(sampleOf({ at: START + minute * 60_000, verdict: minute % 10 === 0 ? 'fail' : 'pass', duration: minute }));
    history.add(sampleOf({ at: START, target: 'staging' }));
    const [last, failed] = [history.runs('production', 15), history.failedRuns('production', 5)];
    expect(last.map(({ duration }) => duration)).toEqual(Array.from({ length: 15 }, (_unused, index) => 119 - index));
    expect(failed.map(({ duration }) => duration)).toEqual([110, 100, 90, 80, 70]);
    expect(failed[0]).toMatchObject({ verdict: 'fail', reason: 'status', clause: 'list.success', note: 'a list returned 500, not 200' });
    expect(last[0]).toEqual({
      ...{ at: START + 119 * 60_000, duration: 119, verdict: 'pass' },
      note: 'all is well',
      reason: undefined,
      clause: undefined,
    });
    expect([history.runs('none', 15), history.failedRuns('none', 15)]).toEqual([[], []]);
  });

  test('It says since when runs have had a verdict, whatever was unknown in between.', () => {
    const { history } = open(fresh());
    for (const [minute, verdict] of [...'PFFUFPPUPP'].entries())
      history.add(sampleOf({ at: START + minute, verdict: ({ P: 'pass', F: 'fail', U: 'unknown' } as const)[verdict] ?? 'pass' }));
    expect(history.since('production', 'pass')).toBe(START + 5);
    expect(history.since('production', 'fail')).toBeUndefined();
    history.add(sampleOf({ at: START + 20, verdict: 'fail' }));
    expect(history.since('production', 'fail')).toBe(START + 20);
    expect(history.since('none', 'pass')).toBeUndefined();
  });

  test('The last failure stays, with what shows it, through good runs, a restart, and what is too old to be kept of runs.', () => {
    const file = fresh();
    const { history } = open(file);
    const shown = { exchange: 'GET /v1/pets', condition: 'only with limit=13', command: 'curl' };
    const failure = { clause: 'list.success', level: 'required', check: 'list.success/plain', reason: 'status', summary: '500' } as const;
    history.add(sampleOf({ at: START - 3 * DAY, verdict: 'fail', failures: [failure] }));
    history.add(sampleOf({ at: START - 2 * DAY, verdict: 'fail', failures: [{ ...failure, ...shown }, ...Array(30).fill(failure)] }));
    history.add(sampleOf({ at: START }));
    history.prune();
    history.close();
    const { history: again, problems } = open(file);
    const kept = again.lastFailure('production');
    expect(kept).toMatchObject({ at: START - 2 * DAY, clause: 'list.success' });
    expect(kept?.failures[0]).toEqual({ ...failure, ...shown });
    expect(kept?.failures).toHaveLength(10);
    expect(again.lastFailure('none')).toBeUndefined();
    again.close();
    const database = new DatabaseSync(file);
    database.exec("UPDATE failure SET json = 'null'");
    database.close();
    expect(open(file).history.lastFailure('production')).toBeUndefined();
    expect(problems).toEqual([]);
  });

  test('Runs are kept for a day.', () => {
    const { history } = open(fresh());
    for (const at of [START - DAY - 1, START - DAY + 1, START]) history.add(sampleOf({ at }));
    history.flush();
    history.prune();
    expect(atsOf(history)).toEqual([START, START - DAY + 1]);
  });

  test('A file of version 2 is opened without the runs, sums, incidents, and turns that it kept, and with everything else.', () => {
    const file = fresh();
    const { history } = open(file);
    history.keepValue('production', 'list animals', { value: 'some', since: START, doubts: 0, quiet: 0 });
    history.close();
    const database = new DatabaseSync(file);
    database.exec(SCHEMA_2);
    database.prepare("INSERT INTO sample VALUES ('production', ?, 12, 'pass', NULL, NULL, 'x')").run(START);
    database.prepare("INSERT INTO rollup (target, hour, pass) VALUES ('production', ?, 60)").run(START);
    database.prepare("INSERT INTO rollup_day (target, day, pass) VALUES ('production', ?, 1440)").run(START);
    database.exec("INSERT INTO turn VALUES ('production', 'record.pets/lists', '{}')");
    database.close();
    const { history: again, problems } = open(file);
    expect([...(again.values('production') ?? [])].map(([key]) => key)).toEqual(['list animals']);
    expect(again.turnState('production')).toBe('none');
    again.add(sampleOf({ at: START + 1 }));
    expect(atsOf(again)).toEqual([START + 1]);
    again.prune();
    again.close();
    expect(problems).toEqual([]);
    const tables = new DatabaseSync(file).prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
    expect(tables.map(({ name }) => String(name)).filter((name) => /sample|rollup|incident|turn$/.test(name))).toEqual([]);
  });

  test('The file stays below its size by giving up the oldest runs.', () => {
    const file = fresh();
    const { history } = open(file, { maxBytes: 1_000_000 });
    for (let index = 0; index < 19_000; index += 1) history.add(sampleOf({ at: START + index, note: 'x'.repeat(200) }));
    history.flush();
    history.prune();
    const size = new DatabaseSync(file).prepare('SELECT page_count * page_size AS size FROM pragma_page_count, pragma_page_size').get();
    expect(Number(size?.['size'])).toBeLessThan(1_100_000);
  });

  test.for([
    ['a text', () => 'this is no database, but it is long enough to look like one at first sight '.repeat(40)],
    ['a header and noise', () => `SQLite format 3\0${'\x07'.repeat(8_000)}`],
  ] as const)('A file that is %s is set aside under a name that says when, and history begins anew.', ([, content]) => {
    const file = fresh();
    writeFileSync(file, content(), 'latin1');
    const { history, problems } = open(file);
    history.add(sampleOf({ at: START }));
    history.flush();
    expect(problems.join()).toContain('set aside as');
    expect(readdirSync(dirname(file)).some((name) => name.startsWith('history.db.damaged-2026-11-21'))).toBe(true);
    expect(atsOf(history)).toEqual([START]);
  });

  test('A file that is deleted while it is in use is noticed, and another one gets what is still in memory.', () => {
    const file = fresh();
    const { history, problems } = open(file);
    history.onSetAside(() => history.keepTurnState('production', STATE));
    history.keepTurnState('production', STATE);
    history.add(sampleOf({ at: START }));
    history.flush();
    history.lookAfter();
    expect(problems).toEqual([]);
    for (const name of readdirSync(dirname(file))) rmSync(join(dirname(file), name));
    history.add(sampleOf({ at: START + 1 }));
    history.lookAfter();
    expect(problems).toEqual([`${file} was deleted or replaced while it was in use: started over`]);
    history.close();
    const { history: again } = open(file);
    expect(again.runs('production', 5).map(({ at }) => at)).toEqual([START + 1]);
    expect(again.turnState('production')).toEqual(STATE);
    again.close();
  });

  test('A file that is replaced while it is in use is noticed, and its content is used from then on.', () => {
    const file = fresh();
    const { history, problems } = open(file);
    history.add(sampleOf({ at: START }));
    history.flush();
    const backup = join(ownFolder(), 'backup.db');
    const { history: other } = open(backup);
    other.add(sampleOf({ at: START - DAY }));
    other.close();
    renameSync(backup, file);
    history.lookAfter();
    expect(problems).toHaveLength(1);
    expect(history.runs('production', 5).map(({ at }) => at)).toEqual([START - DAY]);
    history.close();
  });

  test('A file that cannot be written stops nothing and is reported.', () => {
    const { history, problems } = open('/proc/nowhere/history.db');
    history.add(sampleOf({}));
    history.flush();
    history.prune();
    expect(atsOf(history)).toEqual([]);
    expect(history.isAvailable()).toBe(false);
    expect(problems.length).toBeGreaterThan(0);
  });

  test('A file that another process has locked is waited for only briefly, and written when it is free.', () => {
    const file = fresh();
    const { history, problems } = open(file);
    const other = new DatabaseSync(file);
    other.exec('BEGIN IMMEDIATE');
    history.add(sampleOf({ at: START }));
    history.flush();
    expect(problems.join()).toContain('locked');
    other.exec('ROLLBACK');
    expect(history.runs('production', 5)).toHaveLength(1);
    const opened = openSound({ file, schema: '', synchronous: 'NORMAL' });
    // The process is blocked while it waits: no response is sent, and no run begins.
    expect(Number(opened.prepare('PRAGMA busy_timeout').get()?.['timeout'])).toBeLessThanOrEqual(100);
    for (const one of [opened, other]) one.close();
  });

  test('A clock that jumps by a day both ways leaves a history that reads as it was written.', () => {
    const { history } = open(fresh());
    for (const at of [START, START + DAY, START - DAY, START + 1]) history.add(sampleOf({ at }));
    history.flush();
    history.prune();
    expect(atsOf(history)).toEqual([START + DAY, START + 1, START, START - DAY]);
  });
});
