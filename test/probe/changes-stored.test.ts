import { mkdirSync, readdirSync, readFileSync, renameSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { animalValue, describeChange } from '../../src/probe/changes/change.ts';
import { Changes } from '../../src/probe/changes/changes.ts';
import { History } from '../../src/probe/history.ts';
import type { Sample } from '../../src/probe/sample.ts';
import { ownFolder } from '../support/program.ts';
import { integrity } from './running-monitor.ts';
import { sampleOf } from './samples.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;
const START = Date.parse('2026-11-21T10:00:00Z');
const CLAUSE = 'list.limit-out-of-range';

/** A run in that minute, which shows the name of animal 1 and what limit=0 returns. */
function run(minute: number, name: string, answer: string): Sample {
  const at = START + minute * MINUTE;
  return sampleOf({
    at,
    impressions: [
      { kind: 'animal', subject: '1', value: animalValue({ name, categoryId: 4n }) },
      { kind: 'behavior', subject: `${CLAUSE} limit=0`, value: answer },
    ],
  });
}

/** The storage of a monitor in a file. */
function opened(file: string, wall: () => number = () => START) {
  const problems: string[] = [];
  const options = { file, maxBytes: 1e9, now: wall };
  const history = new History({ ...options, onProblem: (problem) => problems.push(problem) });
  onTestFinished(() => history.close());
  const changes = new Changes({ history, wall });
  const take = (...samples: readonly Sample[]): readonly string[] =>
    samples.flatMap((sample) => {
      history.add(sample);
      return changes.take(sample).map(describeChange);
    });
  const recent = (): readonly string[] => changes.recent(10, 'production').map(describeChange);
  return { history, changes, problems, take, recent };
}

/** Every kind of row: facts, one change of an animal, and the behavior of a day. */
function filled(file: string) {
  const monitor = opened(file);
  monitor.take(run(0, 'Rex', 'rejected with 400'), run(1, 'Max', 'rejected with 400'), run(2, 'Max', 'rejected with 400'));
  monitor.history.flush();
  return monitor;
}

const RENAMED = 'animal 1 has another name: "Max"; before: "Rex"';
const RENAMED_AGAIN = 'animal 1 has another name: "Tom"; before: "Max"';

/** Checks the content of `filled` from another process. */
function expectFilled(file: string): void {
  const { changes, recent, problems, take } = opened(file);
  expect(changes.recent(10).map(describeChange)).toEqual([RENAMED]);
  expect(recent()).toEqual([RENAMED]);
  expect(changes.behavior('production', START)).toEqual({ [CLAUSE]: { 'limit=0': 'rejected with 400' } });
  expect(take(run(9, 'Tom', 'rejected with 400'), run(10, 'Tom', 'rejected with 400'))).toEqual([RENAMED_AGAIN]);
  expect(problems).toEqual([]);
}

const fresh = (): string => join(ownFolder(), 'history.db');
const asideOf = (file: string): readonly string[] => readdirSync(join(file, '..')).filter((name) => name.startsWith('history.db.damaged-'));

function sabotage(file: string, statements: string): void {
  const saboteur = new DatabaseSync(file, { defensive: false });
  saboteur.exec(statements);
  saboteur.close();
}

describe('The file of what changes over time', () => {
  test('A process that ends, however it ends, leaves all of it.', () => {
    const file = fresh();
    filled(file);
    expectFilled(file);
  });

  test.for([0.9, 0.5, 0.1, 0.001])('A file that is cut to %d of its length is set aside as it is, and the monitor goes on.', (share) => {
    const file = fresh();
    filled(file).history.close();
    const length = Math.floor(readFileSync(file).length * share);
    truncateSync(file, length);
    const { take, recent, problems, history } = opened(file);
    expect(take(run(9, 'Max', 'x'), run(10, 'Tom', 'x'), run(11, 'Tom', 'x'))).toEqual([RENAMED_AGAIN]);
    history.flush();
    expect(recent()).toEqual([RENAMED_AGAIN]);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain('set aside as');
    expect(asideOf(file).map((name) => readFileSync(join(file, '..', name)).length)).toEqual([length]);
    expect(integrity(file)).toBe('ok');
  });

  test.for(['fact', 'change', 'behavior', 'run'])(
    'Damage of the table %s that shows while it is in use costs nothing that is remembered.',
    (table) => {
      const file = fresh();
      const { history, take, problems } = filled(file);
      // Simulates disk damage from another process: the table exists, but its content is not readable.
      sabotage(
        file,
        `PRAGMA writable_schema = ON; UPDATE sqlite_schema SET rootpage = 99999 WHERE name = '${table}'; PRAGMA schema_version = 4711;`,
      );
      // Any read or write of the tables notices it.
      history.add(sampleOf({ at: START + 6 * MINUTE }));
      for (const work of [() => history.flush(), () => history.changes(10), () => history.values('production')]) work();
      history.behavior('production', START);
      expect(take(run(7, 'Max', 'rejected with 400'))).toEqual([]);
      history.close();
      expect(problems.join()).toContain('set aside as');
      expect(asideOf(file)).toHaveLength(1);
      expectFilled(file);
    },
  );

  test('An unreadable row affects nothing else.', () => {
    const file = fresh();
    let now = START;
    const monitor = opened(file, () => now);
    monitor.take(run(0, 'Rex', 'rejected with 400'));
    now += DAY;
    const day = DAY / MINUTE;
    monitor.take(run(day, 'Rex', 'accepted: 1 animal'), run(day + 1, 'Rex', 'accepted: 1 animal'));
    monitor.take(run(day + 2, 'Max', 'accepted: 1 animal'), run(day + 3, 'Max', 'accepted: 1 animal'));
    monitor.history.close();
    for (const json of ['{', 'null', '[]', '{"kind":"animal","subject":"1","target":"production","before":"a","after":"b"}']) {
      for (const [table, where] of [
        ['change', 'id = (SELECT min(id) FROM change)'],
        ['behavior', 'day = (SELECT max(day) FROM behavior)'],
        ['fact', "key LIKE 'behavior %'"],
      ])
        sabotage(file, `UPDATE ${table} SET json = '${json}' WHERE ${where}`);
      const { changes, recent, problems, take } = opened(file, () => now);
      expect(recent()).toEqual([RENAMED]);
      expect(changes.behavior('production', now)).toEqual({ [CLAUSE]: { 'limit=0': 'rejected with 400' } });
      expect(take(run(day + 4, 'Max', 'accepted: 1 animal'))).toEqual([]);
      expect(problems).toEqual([]);
    }
  });

  test('What cannot be read at the start is not overwritten: once the file is back it is known, and a change since then is reported once.', () => {
    const folder = ownFolder();
    const [disk, away] = [join(folder, 'disk'), join(folder, 'away')];
    mkdirSync(disk);
    const file = join(disk, 'data', 'history.db');
    filled(file).history.close();
    renameSync(disk, away);
    const { take, recent, problems, history, changes } = opened(file);
    expect(problems).toMatchObject([expect.stringContaining(`cannot open ${file}`)]);
    expect(take(run(9, 'Tom', 'x'), run(10, 'Tom', 'x'))).toEqual([]);
    expect(recent()).toEqual([]);
    renameSync(away, disk);
    // The next try is due.
    const later = performance.now() + MINUTE;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => later);
    onTestFinished(() => clock.mockRestore());
    expect(take(run(11, 'Tom', 'x'), run(12, 'Tom', 'x'), run(13, 'Tom', 'x'))).toEqual([
      RENAMED_AGAIN,
      'limit=0: x; before: rejected with 400',
    ]);
    expect(changes.recent(10).map(describeChange).at(-1)).toBe(RENAMED);
    expect(recent()).toHaveLength(3);
    history.close();
    expect(opened(file).recent()).toHaveLength(3);
    expect(problems).toHaveLength(1);
  });

  test('A file that cannot be written hides nothing that is known: new and old are shown together.', () => {
    const file = fresh();
    const { take, recent, history, problems } = filled(file);
    sabotage(file, "CREATE TRIGGER full BEFORE INSERT ON run BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END");
    expect(take(run(9, 'Tom', 'rejected with 400'), run(10, 'Tom', 'rejected with 400'))).toEqual([RENAMED_AGAIN]);
    expect(recent()).toEqual([RENAMED_AGAIN, RENAMED]);
    expect(history.values('production')?.get('animal 1')?.value).toBe(animalValue({ name: 'Tom', categoryId: 4n }));
    expect(new Set(problems)).toEqual(new Set([`writing to ${file} failed: database or disk is full`]));
    expect(opened(file).recent()).toEqual([RENAMED]);
    sabotage(file, 'DROP TRIGGER full');
    history.flush();
    expect(opened(file).recent()).toEqual([RENAMED_AGAIN, RENAMED]);
  });
});

test('A file that is not a database at the start loses no later change.', () => {
  const file = fresh();
  writeFileSync(file, 'no database at all, but long enough to be taken for one '.repeat(40));
  filled(file);
  expectFilled(file);
  expect(asideOf(file)).toHaveLength(1);
});
