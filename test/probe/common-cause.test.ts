import { describe, expect, test } from 'vitest';
import { AlertStore } from '../../src/probe/alerts/alert-store.ts';
import { CommonCauses, type CommonCausesParts } from '../../src/probe/alerts/common-cause.ts';
import { type AlertEvent, reactTo } from '../../src/probe/alerts/event.ts';
import type { AlertRule } from '../../src/probe/alerts/target-state.ts';
import type { Sample } from '../../src/probe/sample.ts';
import { ownFolder } from '../support/program.ts';
import { startMonitor, startReceiver, startTarget, until } from './running-monitor.ts';
import { sampleOf, USUAL } from './samples.ts';

const START = Date.parse('2026-11-21T06:00:00Z');
const MINUTE = 60_000;

/** The result of a run, by its letter; a dot stands for no run. */
const RUNS: Readonly<Record<string, Partial<Sample>>> = {
  P: { verdict: 'pass' },
  C: { verdict: 'fail', reason: 'connect', note: 'no connection' },
  T: { verdict: 'fail', reason: 'timeout', note: 'no response' },
  S: { verdict: 'fail', reason: 'status', clause: 'list.success', note: 'a list returned 500' },
  U: { verdict: 'unknown', reason: 'internal', note: 'this probe was held up' },
  M: { verdict: 'fail', reason: 'connect', note: 'no connection', maintenance: 'moving disks' },
};

type Options = { readonly rule?: AlertRule; readonly restartAt?: number };

/**
 * The events of a number of targets, each with one run a minute on its own second: a column for each target, a row for each minute.
 * `restartAt`: the minute before which the process is killed.
 */
function story(rows: readonly string[], { rule = USUAL.rule, restartAt }: Options = {}): readonly string[] {
  const told: AlertEvent[] = [];
  const alertStore = new AlertStore({ file: undefined, now: () => START, onProblem: (problem) => expect(problem).toBe('') });
  let now = START;
  const dispatch: CommonCausesParts['dispatch'] = (key, { state, events }) => {
    alertStore.commit(key, {
      state: state === undefined ? undefined : (JSON.parse(JSON.stringify(state)) as typeof state),
      events,
      webhooks: () => [],
      at: now,
    });
    told.push(...events);
  };
  const names = [...(rows[0] ?? '')].map((_letter, position) => `t${position}`);
  const open = () => {
    const causes = new CommonCauses({ alertStore, dispatch, wall: () => now, link: () => null });
    causes.use(new Map(names.map((name) => [name, MINUTE])));
    return causes;
  };
  let causes = open();
  const lines: string[] = [];
  rows.forEach((row, minute) => {
    now = START + minute * MINUTE;
    if (minute === restartAt) causes = open();
    [...row].forEach((letter, position) => {
      if (letter === '.') return;
      now = START + minute * MINUTE + position * 1_000;
      const target = names[position] ?? '';
      const sample = { ...sampleOf({}), ...RUNS[letter], target, at: now } as Sample;
      const otherTargets = causes.note(sample);
      causes.end();
      const reaction = reactTo(alertStore.state(target), sample, { ...USUAL, rule, otherTargets });
      dispatch(target, reaction);
      causes.begin(sample, reaction.state);
    });
    for (const { target, status, reason, failures, total } of told.splice(0))
      lines.push(`${minute} ${target ?? `${reason} ${failures}/${total}`} ${status}`);
  });
  return lines;
}

const times = (count: number, row: string): readonly string[] => Array.from({ length: count }, () => row);

describe('A cause that many targets share', () => {
  test.for([
    [
      'a lost uplink of six targets',
      [...times(1, 'PPPPPP'), ...times(6, 'CCCCCC'), ...times(3, 'PPPPPP')],
      ['3 connect 6/6 firing', '7 connect 6/6 resolved'],
    ],
    [
      'two targets, of which each has its own',
      [...times(4, 'CC'), ...times(2, 'PP')],
      ['2 t0 firing', '2 t1 firing', '5 t0 resolved', '5 t1 resolved'],
    ],
    ['a third of nine targets', times(4, 'CCCPPPPPP'), ['2 t0 firing', '2 t1 firing', '2 t2 firing']],
    ['more than a third of nine', times(4, 'CCCCPPPPP'), ['2 connect 4/9 firing']],
    ['different causes, none of which is common', times(4, 'CCTTPPPPP'), ['2 t0 firing', '2 t1 firing', '2 t2 firing', '2 t3 firing']],
    ['broken services, which are not its', times(3, 'SSSS'), ['2 t0 firing', '2 t1 firing', '2 t2 firing', '2 t3 firing']],
    ['runs that fail once', [...times(2, 'CCCCCC'), 'PPPPPP'], []],
    ['a stalled probe', [...times(7, 'UUUUUU'), 'PPPPPP'], ['4 internal 6/6 firing', '7 internal 6/6 resolved']],
    [
      'a lost uplink, of which one target has more runs than others',
      ['PPPPPP', ...times(4, 'C.....'), ...times(2, 'CCCCCC'), ...times(3, 'PPPPPP')],
      ['6 connect 6/6 firing', '7 connect 6/6 resolved'],
    ],
    [
      'one target of its own, until the late runs of others show it',
      ['PPPPPP', ...times(4, 'C.....'), ...times(2, 'CPPPPP')],
      ['6 t0 firing'],
    ],
    ['one target, while others have no run at all', ['PPPPPP', ...times(12, 'C.....')], ['11 t0 firing']],
    ['targets in maintenance', times(3, 'MMMMCPP'), ['2 t4 firing']],
  ] as const)('The events of %s', ([, rows, events]) => {
    expect(story(rows)).toEqual(events);
  });

  test('What remains when it is over has an alert of its own, with what is then broken.', () => {
    expect(story([...times(4, 'CCCCCC'), 'CPPPPP', 'SPPPPP', 'SPPPPP', ...times(2, 'PPPPPP')])).toEqual([
      '2 connect 6/6 firing',
      '4 connect 6/6 resolved',
      '5 t0 firing',
      '8 t0 resolved',
    ]);
  });

  test('A target that broke before, and one that breaks in another way meanwhile, keep their own.', () => {
    expect(story([...times(3, 'SPPPPPP'), ...times(4, 'SCCCCCC'), ...times(3, 'SSPPPPP')])).toEqual([
      '2 t0 firing',
      '5 connect 6/7 firing',
      '7 t1 firing',
      '7 connect 6/7 resolved',
    ]);
  });

  test("One alert is enough where a single failure takes a target down, and what is a target's own is not lost.", () => {
    const rule = { failures: 1, window: 1, passes: 1 };
    expect(story(['PPPPPP', 'CCCCCC', 'PPPPPP'], { rule })).toEqual(['1 connect 3/6 firing', '2 connect 3/6 resolved']);
    expect(story(['PPPPPP', 'CPPPPP', 'CPPPPP', 'PPPPPP'], { rule })).toEqual(['2 t0 firing', '3 t0 resolved']);
    expect(story(['PPPPPP', 'CPPPPP', 'PPPPPP'], { rule })).toEqual(['2 t0 firing', '2 t0 resolved']);
    expect(story(['PPPPPP', 'SPPPPP'], { rule })).toEqual(['1 t0 firing']);
  });

  test('A restart in the middle of it tells nobody anything.', () => {
    // Right after a restart, fewer targets are known to share it.
    const told = (rows: readonly string[], restartAt: number): readonly string[] =>
      story(rows, { restartAt }).map((line) => line.replace(/ \d\/6/, ''));
    const lost = [...times(6, 'CCCCCC'), ...times(3, 'PPPPPP')];
    for (const restartAt of [0, 1, 2, 3, 4, 5, 6]) expect(told(lost, restartAt)).toEqual(['2 connect firing', '6 connect resolved']);
    const stalled = [...times(7, 'UUUUUU'), 'PPPPPP'];
    for (const restartAt of [1, 4, 5, 6]) expect(told(stalled, restartAt)).toEqual(['4 internal firing', '7 internal resolved']);
  });
});

test('A monitor whose targets are all gone alerts once, with their names; a stall of the probe reaches only its owner; a reload ends it.', async () => {
  const [targets, receiver, owner] = [
    await Promise.all(times(4, '').map(() => startTarget())),
    await startReceiver(),
    await startReceiver(),
  ];
  for (const target of targets) target.set('gone');
  const entries = targets.map(
    ({ baseUrl }, position) => `  - { name: t${position}, baseUrl: "${baseUrl}", apiKey: env:KEY, interval: 2s, latencyLimit: 10s }\n`,
  );
  const monitor = await startMonitor(
    `server: { port: 0, publicUrl: "https://status.example" }
webhooks:
  - { name: on-call, url: "${receiver.url}", about: targets }
  - { name: owner, url: "${owner.url}", about: probe }
targets:
${entries.join('')}`,
    ownFolder(),
  );
  const events = (): readonly AlertEvent[] => receiver.messages.map(({ body }) => JSON.parse(body) as AlertEvent);
  const details = (): string => `${monitor.output()}\n${JSON.stringify(events())}`;
  await until('it is alerted', () => events().length > 0, { details });
  // Three of four share it already.
  const isPart = async (): Promise<boolean> => (await monitor.metric('petstore_probe_target_common_cause{target="t0"}')) === 1;
  await until('the alert is about t0, too', isPart, { details });
  for (const target of targets) target.set('well');
  // A rule looks at any moment: while they come back, one after the other, none of them is down for a reason of its own.
  const alone: string[] = [];
  const areUp = async (): Promise<boolean> => {
    const shown = (await monitor.metrics()).split('\n');
    const has = (name: string, family: string): boolean => shown.includes(`petstore_probe_target_${family}{target="${name}"} 1`);
    const down = targets.map((_target, position) => `t${position}`).filter((name) => has(name, 'down'));
    alone.push(...down.filter((name) => !has(name, 'common_cause')));
    return down.length === 0;
  };
  await until('all are up', areUp, { details });
  await until('it is over', () => events().some(({ status }) => status === 'resolved'), { details });
  expect(events().map(({ target, status }) => [target, status])).toEqual([
    [null, 'firing'],
    [null, 'resolved'],
  ]);
  expect(alone).toEqual([]);
  expect(events()[0]).toMatchObject({ clause: null, link: 'https://status.example/', total: 4, dedupId: events()[1]?.dedupId });
  expect(events()[0]?.targets?.every((name) => /^t\d$/.test(name))).toBe(true);
  expect(owner.messages.filter(({ body }) => (JSON.parse(body) as AlertEvent).reason !== 'internal')).toEqual([]);
});
