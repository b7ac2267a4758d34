import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished, test } from 'vitest';
import { animalValue, type Change, describeChange, type Impression } from '../../src/probe/changes/change.ts';
import { Changes } from '../../src/probe/changes/changes.ts';
import { behaviorOfDay, CHANGE_RULE, type KnownValue, settleValue } from '../../src/probe/changes/known-value.ts';
import { History } from '../../src/probe/history.ts';
import type { Sample } from '../../src/probe/sample.ts';
import { parseBehavior } from '../../src/report/behavior.ts';
import { ownFolder } from '../support/program.ts';
import { memoryHistory, sampleOf } from './samples.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const START = Date.parse('2026-11-21T10:00:00Z');

/** The reports on a value that was these, one per minute. */
function toldOf(values: readonly string[]): readonly string[] {
  let knownValue: KnownValue | undefined;
  return values.flatMap((value, minute) => {
    const settled = settleValue(knownValue, { value }, minute);
    knownValue = settled.knownValue;
    const { report } = settled;
    return report === undefined ? [] : [`${minute}: ${report.what} ${report.before} ${report.after} since ${report.since}`];
  });
}

const times = (count: number, ...values: readonly string[]): readonly string[] => Array.from({ length: count }, () => values).flat();

describe('settleValue', () => {
  test('An unchanged value causes no report, for however many runs.', () => {
    expect(toldOf(times(1_000, 'a'))).toEqual([]);
  });

  test('A change is reported once, when a second run shows it, with the time of the first.', () => {
    expect(toldOf([...times(5, 'a'), ...times(100, 'b')])).toEqual(['6: changed a b since 5']);
  });

  test('A single run that differs causes no report, and neither do two that are far apart.', () => {
    const quiet = times(CHANGE_RULE.quiet + 5, 'a');
    expect(toldOf([...quiet, 'b', ...quiet, 'b', ...quiet, 'b', ...quiet, 'c', ...quiet])).toEqual([]);
  });

  test.for([
    ['in turn', times(100, 'a', 'b')],
    ['every fifth time', times(50, 'a', 'a', 'a', 'a', 'b')],
    ['for three runs each', times(30, 'a', 'a', 'a', 'b', 'b', 'b')],
    ['among many', times(40, 'a', 'b', 'c', 'd')],
  ] as const)('A known value with another value %s varies, which is reported once.', ([, values]) => {
    const report = toldOf(['a', 'a', 'a', ...values]);
    expect(report.filter((one) => one.includes('varies'))).toHaveLength(1);
    expect(report.length).toBeLessThanOrEqual(3);
  });

  test('Its end is reported once, too.', () => {
    const report = toldOf([...times(20, 'a', 'b'), ...times(200, 'b')]);
    expect(report).toHaveLength(2);
    expect(report[0]).toContain('varies');
    expect(report[1]).toMatch(/^\d+: settled a b since \d+$/);
  });
});

const impression = (kind: Impression['kind'], subject: string, value: string): Impression => ({ kind, subject, value });
const animal = (id: number, name: string, categoryId: bigint): Impression =>
  impression('animal', String(id), animalValue({ name, categoryId }));

/** A run in that minute. */
function at(minute: number, given: Partial<Sample> = {}): Sample {
  return sampleOf({ at: START + minute * MINUTE, ...given });
}

const answered = (answer: string): Partial<Sample> => ({
  impressions: [impression('behavior', 'list.limit-out-of-range limit=0', answer)],
});

const describeAll = (changes: readonly Change[]): readonly string[] => changes.map(describeChange);

describe('Changes', () => {
  const memory = () => new Changes({ history: memoryHistory(), wall: () => START });

  test('An animal with another name, one with another category, and an id that is another animal are distinguished.', () => {
    const changes = memory();
    const before = [animal(1, 'Rex', 4n), animal(2, 'Tom', 4n), animal(3, 'Jim', 4n), animal(4, 'Bob', 4n)];
    const after = [animal(1, 'Max', 4n), animal(2, 'Tom', 5n), animal(3, 'Pam', 9n), animal(4, 'Bob', 4n)];
    changes.take(at(0, { impressions: before }));
    expect(changes.take(at(1, { impressions: after }))).toEqual([]);
    expect(describeAll(changes.take(at(2, { impressions: after })))).toEqual([
      'animal 1 has another name: "Max"; before: "Rex"',
      'animal 2 has another category: 5; before: 4',
      'id 3 is another animal: "Pam" in category 9; before: "Jim" in category 4',
    ]);
    expect(changes.recent(10).map(({ subject }) => subject)).toEqual(['3', '2', '1']);
    expect(changes.recent(10, 'elsewhere')).toEqual([]);
  });

  test('An id that was gone for a while and returns as another animal is reported.', () => {
    const changes = memory();
    const listed = impression('list', 'animals', 'some');
    for (const minute of [0, 1]) changes.take(at(minute, { impressions: [listed, animal(1, 'Rex', 4n)] }));
    for (let minute = 2; minute < 100; minute += 1) expect(changes.take(at(minute, { impressions: [listed] }))).toEqual([]);
    changes.take(at(100, { impressions: [listed, animal(1, 'Pam', 9n)] }));
    const [change] = changes.take(at(101, { impressions: [listed, animal(1, 'Pam', 9n)] }));
    expect(change).toMatchObject({ kind: 'animal', subject: '1', what: 'changed', since: START + 100 * MINUTE });
  });

  test('Behavior that drifts is reported with the time of the first run that showed it.', () => {
    const changes = memory();
    changes.take(at(0, answered('accepted: 1 animal')));
    changes.take(at(60, answered('rejected with 400')));
    const [change] = changes.take(at(120, answered('rejected with 400')));
    expect(change).toMatchObject({ since: START + 60 * MINUTE, at: START + 120 * MINUTE });
    expect(describeAll(change === undefined ? [] : [change])).toEqual(['limit=0: rejected with 400; before: accepted: 1 animal']);
  });

  test('A failing service says nothing about its behavior.', () => {
    const changes = memory();
    changes.take(at(0, answered('accepted: 1 animal')));
    for (const minute of [1, 2, 3])
      expect(
        changes.take(at(minute, { ...answered('rejected with 500'), verdict: 'fail' })).filter(({ kind }) => kind === 'behavior'),
      ).toEqual([]);
    expect(changes.behavior('production', START)).toEqual({ 'list.limit-out-of-range': { 'limit=0': 'accepted: 1 animal' } });
  });

  test('A target that differs in every run takes no more room than another one.', () => {
    const changes = memory();
    for (let run = 0; run < 2_000; run += 1) {
      const impressions = Array.from({ length: 8 }, (_unused, index) => animal(run * 8 + index, `name ${run}`, 4n));
      expect(changes.take(at(run, { impressions: [impression('list', 'animals', 'some'), ...impressions] }))).toEqual([]);
    }
  });
});

describe('what changes, over restarts', () => {
  function opened(folder: string, wall: () => number) {
    const problems: string[] = [];
    const history = new History({
      ...{ file: join(folder, 'history.db'), maxBytes: 1e9, now: wall },
      onProblem: (problem) => problems.push(problem),
    });
    onTestFinished(() => history.close());
    return { history, problems, changes: new Changes({ history, wall }) };
  }

  test('A change is reported once, although the process is killed between the run that shows it and the one that confirms it, and the clock jumps.', () => {
    const folder = ownFolder();
    const first = opened(folder, () => START);
    first.changes.take(at(0, { impressions: [animal(1, 'Rex', 4n)] }));
    first.changes.take(at(1, { impressions: [animal(1, 'Max', 4n)] }));
    first.history.flush();
    // Not closed: only what was flushed survives a killed process.
    const second = opened(folder, () => START - 400 * DAY);
    const [change, ...others] = second.changes.take(at(-400 * 24 * 60, { impressions: [animal(1, 'Max', 4n)] }));
    expect(change).toMatchObject({ before: animalValue({ name: 'Rex', categoryId: 4n }), since: START + MINUTE });
    expect(others).toEqual([]);
    second.history.flush();
    const third = opened(folder, () => START);
    expect(third.changes.recent(10)).toEqual([change]);
    expect(third.changes.recent(10, 'production')).toEqual([change]);
    for (let run = 3; run < 60; run += 1) expect(third.changes.take(at(run, { impressions: [animal(1, 'Max', 4n)] }))).toEqual([]);
    expect([...first.problems, ...second.problems, ...third.problems]).toEqual([]);
  });

  test('The behavior of each day is stored if it differs from the day before, and reads as behavior.json.', () => {
    let now = START;
    const { changes, history } = opened(ownFolder(), () => now);
    const answers = ['accepted: 1 animal', 'accepted: 1 animal', 'rejected with 400', 'rejected with 400', 'rejected with 400'];
    answers.forEach((answer, day) => {
      now = START + day * DAY;
      changes.take(at((day * DAY) / MINUTE, answered(answer)));
    });
    const known = (day: number) => changes.behavior('production', START + day * DAY)?.['list.limit-out-of-range'];
    expect([0, 1, 2, 3, 4].map((day) => known(day)?.['limit=0'])).toEqual([answers[0], answers[0], answers[0], answers[3], answers[3]]);
    expect(history.behavior('production', now)?.day).toBe(Date.parse('2026-11-24T00:00:00Z'));
    expect(changes.behavior('production', START - 2 * DAY)).toBeUndefined();
    const observations = changes.behavior('production', now) ?? {};
    const text = JSON.stringify(behaviorOfDay(observations, { target: 'production', day: now, version: '1' }));
    expect(parseBehavior(text)).toMatchObject({ ok: true });
  });

  test('A target that never settles keeps a bounded number of rows.', () => {
    const { changes, history } = opened(ownFolder(), () => START);
    for (let run = 0; run < 1_500; run += 1) {
      const value = Math.floor(run / 2) % 2 === 0 ? 'a' : 'b';
      const impressions = Array.from({ length: 5 }, (_unused, index) =>
        impression('behavior', `list.order question ${run}-${index}`, value),
      );
      changes.take(at(run, { impressions }));
      history.keepChange({
        target: 'production',
        kind: 'list',
        subject: 'animals',
        what: 'changed',
        before: 'a',
        after: value,
        since: 0,
        at: run,
      });
    }
    history.flush();
    expect(history.changes(10_000)).toHaveLength(200);
    expect(history.values('production')?.size).toBeLessThanOrEqual(200);
  });

  test('Changes of a kind that version 2 had, and this one has not, are not shown; the others stay.', () => {
    const folder = ownFolder();
    const first = opened(folder, () => START);
    const change = { target: 'production', subject: 'runs', what: 'varies', before: 'a', after: 'b', since: START, at: START } as const;
    first.history.keepChange({ ...change, kind: 'list' });
    first.history.flush();
    const older = new DatabaseSync(join(folder, 'history.db'));
    older
      .prepare('INSERT INTO change (target, at, json) VALUES (?, ?, ?)')
      .run('production', START, JSON.stringify({ ...change, kind: 'flapping' }));
    older
      .prepare('INSERT INTO fact (target, key, json) VALUES (?, ?, ?)')
      .run('production', 'flapping runs', JSON.stringify({ value: 'passing', since: START, doubts: 0, quiet: 0 }));
    older.close();
    const { changes, problems } = opened(folder, () => START);
    expect(changes.recent(10).map(({ kind }) => kind)).toEqual(['list']);
    expect(changes.take(at(0, { verdict: 'fail' }))).toEqual([]);
    expect(changes.take(at(1, { verdict: 'fail' }))).toEqual([]);
    expect(problems).toEqual([]);
  });
});
