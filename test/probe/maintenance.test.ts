import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type AlertEvent, reactTo } from '../../src/probe/alerts/event.ts';
import { createMaintenance, type PlannedMaintenance } from '../../src/probe/alerts/maintenance.ts';
import { recurrenceOf } from '../../src/probe/alerts/recurrence.ts';
import { FRESH_STATE, type TargetState } from '../../src/probe/alerts/target-state.ts';
import { Metrics } from '../../src/probe/metrics/metrics.ts';
import type { ProbeVerdict, Sample } from '../../src/probe/sample.ts';
import { resolveTarget } from '../../src/probe/smoke.ts';
import { ownFolder } from '../support/program.ts';
import { startMonitor, startReceiver, startTarget, until } from './running-monitor.ts';
import { createFakeClock, memoryHistory, sampleOf, USUAL } from './samples.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** A Saturday. */
const START = Date.parse('2026-11-21T00:00:00Z');

function office(planned: readonly PlannedMaintenance[]) {
  const clock = createFakeClock(START);
  return { clock, maintenance: createMaintenance({ planned: () => planned, wall: clock.wall }) };
}

describe('Windows of maintenance', () => {
  const once: PlannedMaintenance = { reason: 'upgrade', targets: ['production'], duration: HOUR, starts: () => [START + HOUR] };
  const sundays = recurrenceOf('0 2 * * 0', 'UTC').around;
  const weekly: PlannedMaintenance = { reason: 'restart', targets: [], duration: HOUR, starts: sundays };

  test('One that is planned holds for its targets from its start until its end.', async () => {
    const { clock, maintenance } = office([once]);
    const reasons = (): (string | undefined)[] => ['production', 'staging'].map((name) => maintenance.of(name)?.reason);
    expect(reasons()).toEqual([undefined, undefined]);
    expect(maintenance.windows()).toMatchObject([{ reason: 'upgrade', from: START + HOUR, to: START + 2 * HOUR }]);
    await clock.advance(HOUR);
    expect(reasons()).toEqual(['upgrade', undefined]);
    await clock.advance(HOUR - 1);
    expect(reasons()).toEqual(['upgrade', undefined]);
    await clock.advance(1);
    expect(reasons()).toEqual([undefined, undefined]);
    expect(maintenance.windows()).toEqual([]);
  });

  test('A weekly one recurs each week.', async () => {
    const { clock, maintenance } = office([weekly]);
    for (let week = 0; week < 3; week += 1) {
      await clock.advance(DAY + 2 * HOUR - 1);
      expect(maintenance.of('production')).toBeUndefined();
      await clock.advance(1);
      expect(maintenance.of('production')).toMatchObject({ reason: 'restart', to: clock.wall() + HOUR });
      await clock.advance(6 * DAY - 2 * HOUR);
    }
  });

  test('The longest of several counts.', () => {
    const { maintenance } = office([
      { ...once, reason: 'short', starts: () => [START] },
      { ...once, reason: 'long', starts: () => [START], duration: 3 * HOUR },
    ]);
    expect(maintenance.of('production')?.reason).toBe('long');
  });
});

describe('recurrenceOf', () => {
  const utc = (times: readonly (number | undefined)[]): (string | undefined)[] =>
    times.map((time) => (time === undefined ? undefined : new Date(time).toISOString().slice(0, 16)));

  /** The first times after a moment, and what is around each of them and the moment before it. */
  function timesOf(pattern: string, timeZone: string, moment: string) {
    const recurrence = recurrenceOf(pattern, timeZone);
    const times: number[] = [];
    for (let last: number | undefined = Date.parse(moment); times.length < 4; ) {
      last = recurrence.after(last);
      if (last === undefined) break;
      times.push(last);
    }
    // In both directions: what is kept from one moment must not be given for another.
    for (const order of [times, times.toReversed()])
      for (const time of order) {
        expect(utc(recurrence.around(time).slice(0, 1))).toEqual(utc([time]));
        expect(utc(recurrence.around(time - 1).slice(-1))).toEqual(utc([time]));
      }
    return utc(times);
  }

  test.for([
    [
      'A time in winter and the same in summer are an hour apart in UTC',
      ...['30 4 * * *', 'Europe/Berlin', '2027-03-26T12:00Z'],
      ['2027-03-27T03:30', '2027-03-28T02:30', '2027-03-29T02:30', '2027-03-30T02:30'],
    ],
    [
      'A time that the clocks skip takes place when they have been set forward',
      ...['30 2 * * *', 'Europe/Berlin', '2027-03-26T12:00Z'],
      ['2027-03-27T01:30', '2027-03-28T01:00', '2027-03-29T00:30', '2027-03-30T00:30'],
    ],
    [
      'A time that occurs twice takes place once, the first time',
      ...['30 2 * * *', 'Europe/Berlin', '2026-10-23T12:00Z'],
      ['2026-10-24T00:30', '2026-10-25T00:30', '2026-10-26T01:30', '2026-10-27T01:30'],
    ],
    [
      'One of several times that the clocks skip takes place too',
      ...['30 2,14 * * *', 'America/New_York', '2027-03-14T00:00Z'],
      ['2027-03-14T07:00', '2027-03-14T18:30', '2027-03-15T06:30', '2027-03-15T18:30'],
    ],
    [
      'A zone whose clocks are set at midnight',
      ...['0 0 * * 0', 'America/Asuncion', '2024-09-28T12:00Z'],
      ['2024-09-29T04:00', '2024-10-06T04:00', '2024-10-13T03:00', '2024-10-20T03:00'],
    ],
    [
      'Days of the week are those of the zone',
      ...['0 1 * * 1,4', 'Asia/Tokyo', '2026-11-21T00:00Z'],
      ['2026-11-22T16:00', '2026-11-25T16:00', '2026-11-29T16:00', '2026-12-02T16:00'],
    ],
    [
      'A day that few years have',
      ...['0 0 29 2 *', 'UTC', '2026-11-21T00:00Z'],
      ['2028-02-29T00:00', '2032-02-29T00:00', '2036-02-29T00:00', '2040-02-29T00:00'],
    ],
  ] as const)('%s: %s in %s after %s.', ([, pattern, zone, moment, expected]) => {
    expect(timesOf(pattern, zone, moment)).toEqual(expected);
  });

  test('A window that begins before the clocks are set lasts as long as it says.', async () => {
    const plan: PlannedMaintenance = {
      reason: 'restart',
      targets: [],
      duration: 2 * HOUR,
      starts: recurrenceOf('30 1 * * *', 'Europe/Berlin').around,
    };
    const clock = createFakeClock(Date.parse('2027-03-28T00:29:59Z'));
    const maintenance = createMaintenance({
      planned: () => [plan],
      wall: clock.wall,
    });
    expect(maintenance.of('production')).toBeUndefined();
    await clock.advance(1_000);
    expect(maintenance.of('production')).toMatchObject({ from: clock.wall(), to: clock.wall() + 2 * HOUR });
    await clock.advance(2 * HOUR - 1);
    expect(maintenance.of('production')).toBeDefined();
    await clock.advance(1);
    expect(maintenance.of('production')).toBeUndefined();
  });
});

const LETTERS: Readonly<Record<string, ProbeVerdict>> = { P: 'pass', F: 'fail', U: 'unknown' };

/** Runs one minute apart, those in maintenance in lower case, and the alerts of each; the state is stored in a file each time. */
function story(letters: string) {
  let state: TargetState = FRESH_STATE;
  const told: AlertEvent[] = [];
  const words: string[] = [];
  [...letters].forEach((letter, minute) => {
    const verdict = LETTERS[letter.toUpperCase()] ?? 'pass';
    const maintenance = letter === letter.toUpperCase() ? {} : { maintenance: 'upgrade' };
    const sample: Sample = sampleOf({ verdict, at: START + minute * MINUTE, note: `run ${minute}`, ...maintenance });
    const reaction = reactTo(state, sample, USUAL);
    state = JSON.parse(JSON.stringify(reaction.state)) as TargetState;
    told.push(...reaction.events);
    words.push(...reaction.events.map(({ status }) => `${minute} ${status}`));
  });
  return { words, told };
}

describe('Alerts in a maintenance window', () => {
  test.for([
    ['PfffffPPPP', []],
    ['PffffpppP', []],
    ['PfffffFFF', ['6 firing']],
    ['PfffffFPP', ['6 firing', '8 resolved']],
    ['PfffffPFP', ['7 firing']],
    ['PffFFF', ['3 firing']],
    ['FFFfffFFPP', ['2 firing', '9 resolved']],
    ['FFFfffppP', ['2 firing', '7 resolved']],
    ['uuuuuuUUP', ['6 firing', '8 resolved']],
    ['uuuuuuPP', []],
    ['UUUUUuuup', ['4 firing', '8 resolved']],
  ] as const)('They are held, and sent if the target still fails when it ends: %s alerts with %j.', ([letters, wanted]) => {
    expect(story(letters).words).toEqual(wanted);
  });

  test('An alert after it says since when the target is down, and why.', () => {
    expect(story('PfffffFFF').told[0]).toMatchObject({
      since: new Date(START + MINUTE).toISOString(),
      summary: 'run 3',
      failures: 5,
      total: 5,
    });
  });

  test('Its failures are on record as such, and do not count as failures in the metrics.', () => {
    const sample = sampleOf({ at: START, verdict: 'fail', maintenance: 'upgrade' });
    const history = memoryHistory();
    history.add(sample);
    expect(history.runs('production', 1)[0]?.note).toBe('in maintenance (upgrade): a list returned 500, not 200');
    const metrics = new Metrics('0');
    metrics.setTargets([resolveTarget({ name: 'production', baseUrl: 'http://127.0.0.1:9/v1', apiKey: () => 'key' })]);
    metrics.observe(sample);
    metrics.setTargetState('production', { down: true, maintenance: true, shared: false });
    const lines = metrics.text().split('\n');
    expect(lines.filter((line) => /check_failures_total\{/.test(line) && !line.endsWith(' 0'))).toEqual([]);
    expect(lines).toContain('petstore_probe_check_success{target="production",check="smoke"} 0');
    expect(lines).toContain('petstore_probe_target_down{target="production"} 1');
    expect(lines).toContain('petstore_probe_target_maintenance{target="production"} 1');
  });
});

test('A monitor alerts nobody of what fails in a planned window, says so on its page and in a metric, and alerts once the window is removed.', async () => {
  const [target, receiver, folder] = [await startTarget(), await startReceiver(), ownFolder()];
  target.set('gone');
  const start = new Date(Date.now() - HOUR).toISOString();
  const entry = `name: production, baseUrl: "${target.baseUrl}", apiKey: env:KEY, interval: 1s, latencyLimit: 10s, downAfter: 2 of 3`;
  const config = `server: { port: 0 }\nwebhooks: [{ name: on-call, url: "${receiver.url}" }]\ntargets: [{ ${entry} }]\n`;
  const planned = `maintenance: [{ reason: moving disks, start: ${start}, duration: 3h, targets: [production] }]\n`;
  const monitor = await startMonitor(`${config}${planned}`, folder);
  const details = (): string => monitor.output();
  await until('it is down', async () => (await monitor.metric('petstore_probe_target_down{target="production"}')) === 1, { details });
  expect(await monitor.metric('petstore_probe_target_maintenance{target="production"}')).toBe(1);
  expect(await monitor.health()).toBe('maintenance');
  expect(await (await fetch(`${monitor.url}/?public`)).text()).toMatch(
    /aria-label="Maintenance">.*<b>production<\/b> until .*moving disks/,
  );
  expect(receiver.arrived()).toBe(0);
  writeFileSync(join(folder, 'monitor.yaml'), config);
  monitor.child.kill('SIGHUP');
  await until('the outage is alerted', () => receiver.messages.length > 0, { details });
  expect(JSON.parse(receiver.messages[0]?.body ?? '')).toMatchObject({ status: 'firing', target: 'production' });
});
