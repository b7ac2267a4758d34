import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import type { AlertEvent } from '../../src/probe/alerts/event.ts';
import { systemClock } from '../../src/probe/clock.ts';
import { loadConfig } from '../../src/probe/config/load-config.ts';
import { serveMonitor } from '../../src/probe/http/serve-monitor.ts';
import { createMonitor } from '../../src/probe/monitor.ts';
import { nextDue } from '../../src/probe/schedule.ts';
import { clauses } from '../../suites/clauses/index.ts';
import { ownFolder } from '../support/program.ts';
import { readerOf, startReceiver, startTarget, until } from './running-monitor.ts';
import { KEY, SECRET } from './samples.ts';

const DAY = 86_400_000;
const runsOf = (target: string): string => `petstore_probe_checks_total{target="${target}",check="smoke"}`;

/** A monitor with all its parts, in this process: its date can be set, while real time continues. */
async function startAt(date: string) {
  const folder = ownFolder();
  let offset = Date.parse(date) - Date.now();
  const wall = (): number => Date.now() + offset;
  const logged: string[] = [];
  return {
    folder,
    wall,
    now: () => new Date(wall()),
    setDate: (next: string) => (offset = Date.parse(next) - Date.now()),
    jump: (milliseconds: number) => (offset += milliseconds),
    details: () => logged.join('\n'),
    async watch(targets: Readonly<Record<string, string>>, webhook: string) {
      const file = join(folder, 'monitor.yaml');
      writeFileSync(
        file,
        `server: { port: 0 }
data: { folder: data }
webhooks: [{ name: on-call, url: "${webhook}", secret: env:SECRET }]
defaults: { interval: 1s, latencyLimit: 10s }
targets:
${Object.entries(targets)
  .map(([name, baseUrl]) => `  - { name: ${name}, baseUrl: "${baseUrl}", apiKey: env:KEY }`)
  .join('\n')}
`,
      );
      const read = () => loadConfig(file, { environment: { KEY, SECRET }, clauses, today: new Date(wall()) });
      const clock = { ...systemClock, wall };
      const log = (line: string) => logged.push(line);
      const monitor = createMonitor({
        config: read(),
        version: '0',
        clock,
        log,
        loadConfig: read,
      });
      const server = await serveMonitor(monitor);
      monitor.start();
      onTestFinished(async () => {
        await monitor.stop();
        await server.close();
      });
      return { ...readerOf(server.url), page: async (): Promise<string> => (await fetch(server.url)).text() };
    },
  };
}

test('The removal of getPet is announced ninety days ahead, and when it returns 404 or 410 from its day on, that is no outage.', async () => {
  const time = await startAt('2030-09-05T12:00:00Z');
  const [missing, gone] = await Promise.all(
    ['removed-not-found', 'removed-gone'].map((variant) => startTarget({ now: time.now, variants: [variant] })),
  );
  const receiver = await startReceiver();
  const monitor = await time.watch({ missing: missing?.baseUrl ?? '', gone: gone?.baseUrl ?? '' }, receiver.url);
  const { details } = time;
  const told = () => receiver.messages.map(({ body }) => JSON.parse(body) as Pick<AlertEvent, 'status' | 'clause' | 'reason'>);
  const announcements = () => told().filter(({ status }) => status === 'announcement');
  const runs = async (): Promise<number> =>
    Math.min((await monitor.metric(runsOf('missing'))) ?? 0, (await monitor.metric(runsOf('gone'))) ?? 0);
  const more = async (): Promise<void> => {
    const before = await runs();
    await until('two more runs of each', async () => (await runs()) >= before + 2, { details });
  };

  // Ninety-one days: nothing is announced; only the metrics contain the date, for rules to use.
  await more();
  expect(await monitor.metric('petstore_probe_planned_removal_timestamp_seconds{operation="getPet"}')).toBe(Date.UTC(2030, 11, 5) / 1000);
  expect((await monitor.status()).removal).toMatchObject({ operation: 'getPet', date: '2030-12-05', days: 91, announced: false });
  expect(await monitor.page()).not.toContain('Planned removal');
  expect(announcements()).toEqual([]);

  time.setDate('2030-09-06T12:00:00Z');
  await until('it is announced for both', () => announcements().length === 2, { details });
  for (const announcement of announcements()) expect(announcement).toMatchObject({ clause: 'deprecation.still-works' });
  await until('the page says so', async () => (await monitor.page()).includes('is scheduled for removal in 90 days, on 2030-12-05'), {
    details,
  });
  expect((await monitor.status()).removal).toMatchObject({ days: 90, announced: true });

  time.setDate('2030-12-05T00:00:00Z');
  // A run that was in progress at midnight judges by the day on which it began.
  await more();
  const blames = async (): Promise<string[]> =>
    (await monitor.metrics())
      .split('\n')
      .filter((line) => /^petstore_probe_check_failures_total.*reason="(?:status|schema|assertion)"/.test(line));
  const before = await blames();
  await more();
  await until('the page says so', async () => (await monitor.page()).includes('was scheduled for removal on 2030-12-05'), { details });
  const responsesOf = (target: string, code: number): string =>
    `petstore_probe_http_responses_total{target="${target}",operation="getPet",code="${code}"}`;
  expect(await monitor.metric(responsesOf('missing', 404))).toBeGreaterThan(0);
  expect(await monitor.metric(responsesOf('gone', 410))).toBeGreaterThan(0);
  await until('both pass', async () => (await monitor.status()).targets.every(({ lastRun }) => lastRun?.verdict === 'pass'), { details });
  expect(await blames()).toEqual(before);
  await until('both are up', async () => (await monitor.status()).targets.every(({ health }) => health === 'up'), { details });
  // Once for each, and nothing else about the service: on a busy machine runs end late, which is reported too.
  expect(announcements()).toHaveLength(2);
  expect(told().filter(({ status, reason }) => status === 'firing' && reason !== 'timeout')).toEqual([]);
});

/**
 * Counts the beats of a target. Beats that this process misses while it is blocked don't count for the monitor either, which is part of it.
 */
function countBeats(item: { readonly name: string; readonly interval: number }): () => number {
  let beats = 0;
  let cancel = (): void => undefined;
  const arm = (due: number): void => {
    cancel = systemClock.after(due - systemClock.monotonic(), () => {
      beats += 1;
      arm(nextDue(item, systemClock.monotonic() + 1));
    });
  };
  arm(nextDue(item, systemClock.monotonic()));
  onTestFinished(() => cancel());
  return () => beats;
}

test('A clock that jumps by a day, ahead and back, in the middle of an incident: no run is lost or doubled, alerts come in order, the page reads.', async () => {
  const time = await startAt('2026-11-21T12:00:00Z');
  const target = await startTarget();
  const receiver = await startReceiver();
  const monitor = await time.watch({ production: target.baseUrl }, receiver.url);
  const { details } = time;
  const beats = countBeats({ name: 'production', interval: 1_000 });
  const words = (): string[] => receiver.messages.map(({ id }) => id.split('/').at(-1) ?? '');
  await until('the target is up', async () => (await monitor.health()) === 'up', { details });
  time.jump(DAY);
  target.set('gone');
  await until('firing is told', () => words().includes('firing'), { details });
  time.jump(-2 * DAY);
  target.set('well');
  await until('resolved is told', () => words().includes('resolved'), { details });
  expect(words()).toEqual(['firing', 'resolved']);
  const [firing, resolved] = receiver.messages.map(({ body }) => JSON.parse(body) as { dedupId: string });
  expect(resolved?.dedupId).toBe(firing?.dedupId);
  time.jump(DAY);

  // One run for each beat of the monotonic clock, whatever the wall clock says. A busy machine may cost either side a beat occasionally; a
  // monitor that used the wall clock would have lost all of them, or made up for a day.
  const before = beats();
  const metrics = await monitor.metrics();
  const counted = ['checks_total', 'checks_skipped_total'].flatMap((family) =>
    [...metrics.matchAll(new RegExp(`^petstore_probe_${family}\\{target="production",.*\\} (\\d+)$`, 'gm'))].map(([, value]) =>
      Number(value),
    ),
  );
  const due = counted.reduce((sum, value) => sum + value, 0);
  expect(due).toBeLessThanOrEqual(beats() * 1.5 + 1);
  expect(due).toBeGreaterThan(before / 2);
  await until('the target is up, and nothing of it lies in the future', async () => (await monitor.health()) === 'up', { details });
  const page = await monitor.page();
  expect(page).toContain('The target is up');
  expect(page).not.toMatch(/-\d+ (?:s|min|h|days)\b|NaN|Invalid/);
  expect((await monitor.status()).problems).toEqual([]);
  const history = new DatabaseSync(join(time.folder, 'data', 'history.db'), { readOnly: true });
  const days = history.prepare(`SELECT count(DISTINCT at / ${DAY}) AS days FROM run`).get();
  history.close();
  expect(days).toEqual({ days: 3 });
});
