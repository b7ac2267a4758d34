import { readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { openSound } from '../../src/probe/data-folder.ts';
import { type History, NO_COUNTS, openHistory } from '../../src/probe/history.ts';
import { ownFolder } from '../support/program.ts';
import { sampleOf } from './samples.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const START = Date.parse('2026-11-21T00:00:00Z');

function open(file: string, extra: { now?: () => number; maxBytes?: number } = {}): { history: History; problems: string[] } {
  const problems: string[] = [];
  const options = { rawDays: 30, rollupDays: 400, maxBytes: 1e9, now: () => START, ...extra };
  return { history: openHistory({ file, ...options, onProblem: (problem) => problems.push(problem) }), problems };
}

const fresh = (): string => join(ownFolder(), 'history.db');
const range = { target: 'production', from: START - 100 * DAY, to: START + 10 * DAY };

describe('openHistory', () => {
  test('Turns are kept over a restart, but not those of fixed parts of a table, as earlier versions had them.', () => {
    const file = fresh();
    const turn = { check: 'record.pets/lists', at: START, verdict: 'pass', requests: 6, confirmed: false } as const;
    const part = { ...turn, check: 'list.limit-maximum/each-limit', portion: { part: 1, of: 14 } } as const;
    const { history } = open(file);
    history.keepTurns('production', [turn, part]);
    history.close();
    const { history: again, problems } = open(file);
    expect([...(again.turns('production') ?? [])]).toEqual([[turn.check, turn]]);
    again.close();
    expect(problems).toEqual([]);
  });

  test('Runs are summed by the hour and by the day.', () => {
    const { history } = open(fresh());
    for (let minute = 0; minute < 120; minute += 1)
      history.add(sampleOf({ at: START + minute * 60_000, verdict: minute < 30 ? 'fail' : 'pass', duration: minute }));
    history.flush();
    const hours = history.slices({ ...range, step: 'hour' });
    expect(hours.map(({ counts }) => [counts.fail, counts.pass])).toEqual([
      [30, 30],
      [0, 60],
    ]);
    expect(hours[1]).toMatchObject({ from: START + HOUR, meanDuration: 89.5, maxDuration: 119 });
    expect(history.slices({ ...range, step: 'day' })).toMatchObject([{ counts: { fail: 30, pass: 90 } }]);
  });

  test('Runs are counted from a slice on to a moment, for one target; a target without runs has none.', () => {
    const { history } = open(fresh());
    for (const [at, verdict] of [
      [START - DAY, 'fail'],
      [START, 'pass'],
      [START + HOUR, 'degraded'],
      [START + DAY, 'fail'],
    ] as const)
      history.add(sampleOf({ at, verdict }));
    history.add(sampleOf({ at: START, target: 'staging', verdict: 'unknown' }));
    history.flush();
    const today = { target: 'production', from: START + 5, to: START + 2 * HOUR };
    expect(history.counts({ ...today, step: 'day' })).toEqual({ pass: 1, degraded: 1, fail: 0, unknown: 0 });
    expect(history.counts({ ...today, from: START + HOUR + 5, step: 'hour' })).toEqual({ pass: 0, degraded: 1, fail: 0, unknown: 0 });
    expect(history.counts({ ...today, target: 'staging', step: 'day' })).toEqual({ ...NO_COUNTS, unknown: 1 });
    expect(history.counts({ ...today, target: 'none', step: 'day' })).toEqual(NO_COUNTS);
  });

  test('The last runs of a target and the failed ones before them are read newest first, also those that wait to be written.', () => {
    const { history } = open(fresh());
    for (let minute = 0; minute < 120; minute += 1)
      history.add(sampleOf({ at: START + minute * 60_000, verdict: minute % 10 === 0 ? 'fail' : 'pass', duration: minute }));
    history.add(sampleOf({ at: START, target: 'staging' }));
    const { last, failed } = history.runs('production', 15);
    const minutes = (runs: typeof last) => runs.map(({ duration }) => duration);
    expect(minutes(last)).toEqual(Array.from({ length: 15 }, (_unused, index) => 119 - index));
    expect(minutes(failed)).toEqual([100, 90, 80, 70, 60, 50, 40, 30, 20, 10, 0]);
    expect(minutes(history.runs('production', 5).failed)).toEqual([110, 100, 90, 80, 70]);
    expect(failed[0]).toMatchObject({ verdict: 'fail', reason: 'status', clause: 'list.success', note: 'a list returned 500, not 200' });
    expect(last[0]).toEqual({
      ...{ at: START + 119 * 60_000, duration: 119, verdict: 'pass' },
      note: 'all is well',
      reason: undefined,
      clause: undefined,
    });
    expect(history.runs('none', 15)).toEqual({ last: [], failed: [] });
  });

  test('Single runs are removed after thirty days, their sums stay.', () => {
    const file = fresh();
    const { history } = open(file);
    history.add(sampleOf({ at: START - 31 * DAY }));
    history.add(sampleOf({ at: START }));
    history.flush();
    history.prune();
    expect(new DatabaseSync(file).prepare('SELECT count(*) AS n FROM sample').get()).toEqual({ n: 1 });
    expect(history.slices({ ...range, step: 'day' })).toHaveLength(2);
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
    expect(history.slices({ ...range, step: 'day' })).toHaveLength(1);
  });

  test('A file that is deleted while it is in use is noticed, and another one gets what is still in memory.', () => {
    const file = fresh();
    const turn = { check: 'record.pets/lists', at: START, verdict: 'pass', requests: 6, confirmed: false } as const;
    const { history, problems } = open(file);
    history.onSetAside(() => history.keepTurns('production', [turn]));
    history.keepTurns('production', [turn]);
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
    expect(again.runs('production', 5).last.map(({ at }) => at)).toEqual([START + 1]);
    expect([...(again.turns('production') ?? [])]).toEqual([[turn.check, turn]]);
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
    expect(history.runs('production', 5).last.map(({ at }) => at)).toEqual([START - DAY]);
    history.close();
  });

  test('A file that cannot be written stops nothing and is reported.', () => {
    const { history, problems } = open('/proc/nowhere/history.db');
    history.add(sampleOf({}));
    history.flush();
    history.prune();
    expect(history.slices({ ...range, step: 'day' })).toEqual([]);
    expect(history.counts({ ...range, step: 'day' })).toEqual(NO_COUNTS);
    expect(history.available()).toBe(false);
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
    expect(history.runs('production', 5).last).toHaveLength(1);
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
    expect(history.slices({ ...range, step: 'day' }).map(({ counts }) => counts.pass)).toEqual([1, 2, 1]);
  });
});
