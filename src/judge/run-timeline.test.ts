import { describe, expect, test } from 'vitest';
import { clauses } from '../../suites/clauses/index.ts';
import { error, history, KEY, pet } from '../../test/support/history.ts';
import type { RunTimeline } from '../clause/run-record.ts';
import { judgeHistory } from '../oracle/verdicts.ts';
import { runTimelineOf } from './run-timeline.ts';

type Run = ReturnType<typeof history>;

const PHASES = [
  { title: 'the opening', from: 0, requests: 2 },
  { title: 'a small store', from: 1_999.6, requests: 3 },
];

function timeline(run: Run): RunTimeline {
  const world = run.now();
  return runTimelineOf({ world, verdicts: judgeHistory(clauses, world), phases: PHASES });
}

/** Lists of one animal; those with that limit are rejected. */
function lists(count: number, limits: readonly number[] = []): Run {
  const run = history();
  for (let sent = 0; sent < count; sent += 1) run.add({}, { status: 200, body: [pet(1)] }, sent * 20);
  for (const [index, limit] of limits.entries()) run.add({ target: `/pets?limit=${limit}` }, error(400), (count + index) * 20);
  return run;
}

describe('timelineOf', () => {
  test('has a number a request in each column, in the order of sending', () => {
    const run = history();
    run.add({}, { status: 200, body: [pet(1)] }, 100.4);
    run.add({ body: { name: 'x', categoryId: 3 } }, undefined, 0);
    run.add({ target: '/pets/7' }, error(404), 300);
    expect(timeline(run)).toMatchObject({
      ...{ requests: 3, starts: [0, 100, 300], durations: [10, 10, 10] },
      ...{ operations: [1, 0, 2], classes: [0, 2, 4] },
    });
  });

  test('gives requests that are in flight together the lowest lanes that are free', () => {
    const run = history();
    for (const at of [0, 2, 4, 10, 13, 40]) run.add({}, { status: 200, body: [pet(1)] }, at);
    expect(timeline(run).lanes).toEqual([0, 1, 2, 0, 1, 0]);
  });

  test('has the places of the requests that break a clause, and the phases', () => {
    const { broken, phases } = timeline(lists(3, [7, 8]));
    expect(broken).toEqual([{ clause: 'list.limit-accepted', places: [3, 4] }]);
    expect(phases).toEqual([
      { title: 'the opening', from: 0 },
      { title: 'a small store', from: 2_000 },
    ]);
  });

  test('keeps what is broken where there are too many requests, and takes less than 60 KB', () => {
    const whole = timeline(lists(4_000, [7, 8]));
    expect([whole.requests, whole.starts.length]).toEqual([4_002, 3_000]);
    expect(whole.broken[0]?.places.map((place) => whole.classes[place])).toEqual([4, 4]);
    expect(whole.starts[0]).toBeLessThan(100);
    expect(JSON.stringify(whole).length).toBeLessThan(60_000);
    expect(JSON.stringify(whole)).not.toContain(KEY);
  });

  test('bounds how many are named, and says how many there are', () => {
    const { broken } = timeline(
      lists(
        3,
        Array.from({ length: 3_500 }, (_unused, index) => (index % 98) + 1),
      ),
    );
    expect(broken.find(({ clause }) => clause === 'list.limit-accepted')?.of).toBe(3_500);
    expect(broken.flatMap(({ places }) => places).length).toBeLessThanOrEqual(3_000);
  });
});
