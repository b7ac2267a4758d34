import { execFileSync } from 'node:child_process';
import { existsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { end, startMonitor, startReceiver, startTarget, until } from '../probe/running-monitor.ts';
import { ownFolder } from '../support/program.ts';
import { ALERTMANAGER, AMTOOL, needs } from '../support/tool.ts';
import { type Notification, type RunningAlertmanager, startAlertmanager } from './running-alertmanager.ts';

const DOWN = 'PetstoreTargetDown';

test('A real Alertmanager groups, silences, and resolves what a monitor pushes, and a kill of either loses nothing.', async (context) => {
  needs(context, ALERTMANAGER, AMTOOL);
  const folder = ownFolder();
  const broken = { faults: ['missing-animal-bad-request'] };
  const [a, b, well] = [await startTarget(broken), await startTarget(broken), await startTarget()];
  const receiver = await startReceiver(() => 200);
  const routes = stringify({
    route: { receiver: 'hook', group_by: ['alertname'], group_wait: '6s', group_interval: '1s', repeat_interval: '1h' },
    receivers: [{ name: 'hook', webhook_configs: [{ url: receiver.url, send_resolved: true }] }],
  });
  let manager: RunningAlertmanager = await startAlertmanager(folder, routes);
  const { address } = manager;
  const config = (first: string, second: string): string => `server: { port: 0, publicUrl: "https://status.example" }
data: { folder: data }
alertmanagers: [{ name: local, url: "http://${address}" }]
defaults: { apiKey: env:KEY, interval: 5s, latencyLimit: 10s, downAfter: 1 of 1, upAfter: 1 }
targets: [{ name: a, baseUrl: "${first}" }, { name: b, baseUrl: "${second}" }, { name: well, baseUrl: "${well.baseUrl}" }]
`;
  let monitor = await startMonitor(config(a.baseUrl, b.baseUrl), folder);
  const notifications = (): readonly Notification[] => receiver.messages.map(({ body }) => JSON.parse(body) as Notification);
  const details = (): string => `${monitor.output()}\n${manager.output().slice(-2_000)}\n${JSON.stringify(notifications())}`;
  /** Whether the last message about a target says so. */
  const said = (target: string, status: string): boolean =>
    notifications()
      .flatMap(({ alerts }) => alerts)
      .findLast(({ labels }) => labels['alertname'] === DOWN && labels['target'] === target)?.status === status;
  const states = async (): Promise<readonly string[]> =>
    (await manager.alerts())
      .filter(({ labels }) => labels['alertname'] === DOWN)
      .map(({ labels, status }) => `${labels['target']} ${status.state}`)
      .toSorted();
  const becomes = (wanted: readonly string[]): Promise<void> =>
    until(`the alerts are: ${wanted.join(', ')}`, async () => JSON.stringify(await states()) === JSON.stringify(wanted), { details });

  // Firing, and grouped.
  await until('both are in one message', () => notifications().some(({ alerts }) => alerts.length === 2), { details });
  const [first] = notifications().filter(({ alerts }) => alerts.length === 2);
  expect(first?.alerts.map(({ labels }) => labels)).toEqual(
    ['a', 'b'].map((target) => ({ alertname: DOWN, target, clause: 'get.not-found', severity: 'page', reason: 'status' })),
  );
  expect(first?.alerts[0]?.annotations).toMatchObject({
    summary: expect.stringContaining('400'),
    failures: '1 of 1',
    link: 'https://status.example/?target=a',
  });

  // Silenced.
  execFileSync(AMTOOL.name, [
    ...['silence', 'add', `--alertmanager.url=http://${address}`, '--author=test', '--comment=moving disks', '--duration=1h'],
    'target=a',
  ]);
  await becomes(['a suppressed', 'b active']);
  const silences = join(folder, 'alertmanager', 'silences');
  await until('the silence is on disk', () => existsSync(silences) && statSync(silences).size > 0, { details });

  // Killed: the runs push again what is open.
  await end(manager.child, 'SIGKILL');
  manager = await startAlertmanager(folder, routes, address);
  await becomes(['a suppressed', 'b active']);

  // The monitor killed: what nobody sends any more ends, and is back with the first run after the restart.
  await end(monitor.child, 'SIGKILL');
  await until('the end of b is told', () => said('b', 'resolved'), { details });
  monitor = await startMonitor(config(a.baseUrl, b.baseUrl), folder);
  await until('b is told again', () => said('b', 'firing'), { details });
  expect(said('a', 'firing')).toBe(true);

  // Resolved.
  writeFileSync(join(folder, 'monitor.yaml'), config(well.baseUrl, well.baseUrl));
  monitor.child.kill('SIGHUP');
  await until('its end is told', () => said('b', 'resolved'), { details });
  await becomes([]);
});
