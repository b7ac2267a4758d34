import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { reactTo } from '../../src/probe/alerts/event.ts';
import { type AlertRule, FRESH_STATE, type TargetState, wantsConfirmation } from '../../src/probe/alerts/target-state.ts';
import { loadConfig } from '../../src/probe/config/load-config.ts';
import { History } from '../../src/probe/history.ts';
import { Metrics } from '../../src/probe/metrics/metrics.ts';
import { createMonitor } from '../../src/probe/monitor.ts';
import type { ProbeVerdict, Sample } from '../../src/probe/sample.ts';
import { nextDue } from '../../src/probe/schedule.ts';
import { resolveTarget } from '../../src/probe/smoke.ts';
import { clauses } from '../../suites/clauses/index.ts';
import { ownFolder } from '../support/program.ts';
import { startTarget, until } from './running-monitor.ts';
import { createFakeClock, KEY, sampleOf, USUAL } from './samples.ts';

const START = Date.parse('2026-11-21T00:00:00Z');
const MINUTE = 60_000;
const LETTERS: Readonly<Record<string, ProbeVerdict>> = { P: 'pass', D: 'degraded', F: 'fail', U: 'unknown' };

/** Runs of the beat; each that wants a confirmation is marked, and followed by one with the verdict below it. */
function story(beats: string, confirmations: string, rule: AlertRule = USUAL.rule) {
  let state: TargetState = FRESH_STATE;
  const events: string[] = [];
  let marks = '';
  const take = (letter: string, given: Partial<Sample>): boolean => {
    const sample = sampleOf({ verdict: LETTERS[letter] ?? 'pass', ...given });
    const wanted = wantsConfirmation(state, sample);
    const reaction = reactTo(state, sample, { ...USUAL, rule });
    state = reaction.state;
    events.push(...reaction.events.map(({ status, at }) => `${status} after ${(Date.parse(at) - START) / 1_000} s`));
    return wanted;
  };
  [...beats].forEach((letter, minute) => {
    const wanted = take(letter, { at: START + minute * MINUTE });
    marks += wanted ? '^' : ' ';
    if (wanted) take(confirmations[minute] ?? 'P', { at: START + minute * MINUTE + 10_000, confirms: true });
  });
  return { marks, events };
}

describe('wantsConfirmation', () => {
  test.for([
    ['the first failure, and the first success after it', 'PPFFPPP', '..F.P..', '  ^ ^  '],
    ['the first run of all, if it fails', 'FFPP', 'F.P.', '^ ^ '],
    ['a failure that passed when it was confirmed, if it comes again', 'PFPFP', '.P.P.', ' ^ ^ '],
    ['a degraded run, which is a success, only after a failure', 'PDDFD', '...FP', '   ^^'],
    ['what follows a run that says nothing', 'FUPUF', 'F.P.F', '^ ^ ^'],
    ['nothing, by a probe that learned nothing', 'PUUUP', '.....', '     '],
  ] as const)('What is confirmed is %s.', ([, beats, confirmations, marks]) => {
    expect(story(beats, confirmations).marks).toBe(marks);
  });

  test('Nothing is confirmed while failing is expected, or where the service asks to wait.', () => {
    const failed = sampleOf({ verdict: 'fail' });
    const wait = [{ operation: 'listPets' as const, code: '503', count: 1 }];
    expect(wantsConfirmation(FRESH_STATE, failed)).toBe(true);
    expect(wantsConfirmation(FRESH_STATE, { ...failed, maintenance: 'upgrade' })).toBe(false);
    expect(wantsConfirmation(FRESH_STATE, { ...failed, responses: wait })).toBe(false);
  });

  test.for([
    // Three failures are there an interval sooner than without a confirmation, two successes as well.
    ['PFFFPP', '.F..P.', USUAL.rule, ['firing after 120 s', 'resolved after 250 s']],
    ['PFPPPP', '.P....', USUAL.rule, []],
    ['PFPFP', '.P.P.', USUAL.rule, []],
    ['PFFP', '.F.P', { failures: 2, window: 2, passes: 1 }, ['firing after 70 s', 'resolved after 180 s']],
    // Two of two are two in a row: one that is not confirmed is none.
    ['PFPFP', '.P.P.', { failures: 2, window: 2, passes: 2 }, []],
    // A confirmation during which the probe was delayed confirms nothing.
    ['PFPP', '.U..', { failures: 2, window: 2, passes: 2 }, []],
    ['PFP', '.F.', { failures: 1, window: 1, passes: 3 }, ['firing after 60 s']],
  ] as const)(
    'Confirmations are runs among others for the rule: %s with %s by %j alerts with %j.',
    ([beats, confirmations, rule, events]) => {
      expect(story(beats, confirmations, rule).events).toEqual(events);
    },
  );
});

test('A confirmation is on record as one, and leaves the series of the beat as they are.', () => {
  const sample = sampleOf({ at: START, verdict: 'fail', confirms: true });
  const history = new History({
    ...{ file: join(ownFolder(), 'history.db'), maxBytes: 1e9, now: () => START },
    onProblem: (problem) => expect(problem).toBe(''),
  });
  history.add(sample);
  expect(history.runs('production', 5)).toMatchObject([{ verdict: 'fail', note: `confirmation: ${sample.note}` }]);
  history.close();

  const metrics = new Metrics('0');
  metrics.setTargets([resolveTarget({ name: 'production', baseUrl: 'http://127.0.0.1:9/v1', apiKey: () => 'key' })]);
  const ofBeat = (): string[] =>
    metrics
      .text()
      .split('\n')
      .filter((line) => line.includes('check="smoke"'));
  const before = ofBeat();
  metrics.observe(sample);
  expect(ofBeat()).toEqual(before);
  const lines = metrics.text().split('\n');
  expect(lines).toContain('petstore_probe_confirmations_total{target="production"} 1');
  expect(lines).toContain('petstore_probe_http_responses_total{target="production",operation="listPets",code="200"} 3');
});

test('A target that breaks is down, and one that is repaired is up, ten seconds after the run that noticed it.', async () => {
  const folder = ownFolder();
  const target = await startTarget();
  const file = join(folder, 'monitor.yaml');
  writeFileSync(
    file,
    `data: { folder: data }\ntargets: [{ name: production, baseUrl: "${target.baseUrl}", apiKey: env:KEY, interval: 60s, latencyLimit: 10s, downAfter: 2 of 2 }]\n`,
  );
  const clock = createFakeClock();
  const read = () => loadConfig(file, { environment: { KEY }, clauses, today: new Date(clock.wall()) });
  const logged: string[] = [];
  const log = (line: string): number => logged.push(line);
  const monitor = createMonitor({ config: read(), version: '0', clock, log, loadConfig: read });
  monitor.start();
  onTestFinished(() => monitor.stop());
  const seriesValue = async (series: string): Promise<number> =>
    Number(new RegExp(`^petstore_probe_${series} (\\d+)$`, 'm').exec(String(await monitor.metrics()))?.[1]);
  const beats = (count: number): Promise<void> =>
    until(`${count} runs`, async () => (await seriesValue('checks_total\\{.*')) === count, { details: () => logged.join('\n') });
  const confirmed = (count: number): Promise<void> =>
    until(`${count} confirmations`, async () => (await seriesValue('confirmations_total\\{.*')) === count, {
      details: () => logged.join('\n'),
    });
  const health = (): string | undefined => monitor.view().targets[0]?.state.health;

  await clock.advance(nextDue({ name: 'production', interval: MINUTE }, 0));
  await beats(1);
  target.set('gone');
  await clock.advance(MINUTE);
  await beats(2);
  expect(health()).toBe('up');
  await clock.advance(12_000);
  await confirmed(1);
  expect(health()).toBe('down');
  target.set('well');
  await clock.advance(48_000);
  await beats(3);
  expect(health()).toBe('down');
  await clock.advance(12_000);
  await confirmed(2);
  expect(health()).toBe('up');
  await clock.advance(MINUTE);
  await beats(4);
  expect(await seriesValue('confirmations_total\\{.*')).toBe(2);
  const notes = monitor
    .view()
    .targets[0]?.runs(10)
    .map(({ verdict, note }) => `${verdict} ${note.startsWith('confirmation: ')}`);
  expect(notes?.toReversed().map((note) => note.replace('degraded', 'pass'))).toEqual([
    'pass false',
    'fail false',
    'fail true',
    'pass false',
    'pass true',
    'pass false',
  ]);
});
