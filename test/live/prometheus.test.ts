import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { type Message, startMonitor, startProcess, startReceiver, startTarget, until } from '../probe/running-monitor.ts';
import { ownFolder } from '../support/own-folder.ts';
import { ALERTMANAGER, needs, PROMETHEUS } from '../support/tool.ts';
import { addressOf, SHIPPED, startPrometheus } from './running-prometheus.ts';

const ALERT = 'PetstoreErrorBudgetFastBurn';

type Scrape = { metrics_path?: string; scrape_interval?: string; scrape_timeout?: string } & Record<string, unknown>;
type PrometheusConfig = { scrape_configs: Scrape[] } & Record<string, unknown>;

/** The shipped configuration with the addresses of this test, scraping each second; /probe every two, because a run needs time. */
function configuration(monitor: string, alertmanager: string): string {
  const text = readFileSync(join(SHIPPED, 'prometheus.yml'), 'utf8')
    .replaceAll('localhost:9464', monitor)
    .replaceAll('localhost:9093', alertmanager);
  const shipped = parse(text) as PrometheusConfig;
  const scrapes = shipped.scrape_configs.map((one) =>
    one.metrics_path === '/probe' ? { ...one, scrape_interval: '2s', scrape_timeout: '2s' } : one,
  );
  return stringify({ global: { scrape_interval: '1s', evaluation_interval: '1s' }, ...shipped, scrape_configs: scrapes });
}

async function startAlertmanager(folder: string, webhook: string): Promise<{ address: string }> {
  const config = {
    route: { receiver: 'hook', group_by: ['alertname', 'target'], group_wait: '0s', group_interval: '1s', repeat_interval: '1h' },
    receivers: [{ name: 'hook', webhook_configs: [{ url: webhook, send_resolved: true }] }],
  };
  writeFileSync(join(folder, 'alertmanager.yml'), stringify(config));
  const flags = ['--config.file=alertmanager.yml', '--storage.path=alertmanager', '--web.listen-address=127.0.0.1:0'];
  const program = await startProcess(['prometheus-alertmanager', ...flags, '--cluster.listen-address='], { cwd: folder });
  return { address: await addressOf(program) };
}

type Notification = { readonly status: string; readonly alerts: readonly { readonly labels: Readonly<Record<string, string>> }[] };
const told = ({ body }: Message): string => {
  const { status, alerts } = JSON.parse(body) as Notification;
  return `${alerts[0]?.labels['alertname']} ${alerts[0]?.labels['target']} ${status}`;
};

test('Prometheus scrapes /metrics and /probe; a shipped alert fires, reaches Alertmanager, and resolves.', async (context) => {
  needs(context, PROMETHEUS, ALERTMANAGER);
  const folder = ownFolder();
  const [target, receiver] = [await startTarget(), await startReceiver(() => 200)];
  const monitor = await startMonitor(
    `server: { port: 0 }\ntargets:\n  - { name: production, baseUrl: "${target.baseUrl}", apiKey: env:KEY, interval: 2s, latencyLimit: 10s }\n`,
    folder,
  );
  const alertmanager = await startAlertmanager(folder, receiver.url);
  const prometheus = await startPrometheus(folder, configuration(new URL(monitor.url).host, alertmanager.address));
  const details = (): string => `${prometheus.output().slice(-2_000)}\n${monitor.output()}\n${receiver.messages.map(told).join('\n')}`;
  const becomes = (query: string, value: string): Promise<void> =>
    until(`${query} is ${value}`, async () => (await prometheus.value(query)) === value, { details });

  await becomes('petstore_probe_check_success{target="production"}', '1');
  await becomes('probe_success{target="production"}', '1');
  await until('every rule was evaluated', async () => (await prometheus.rules()).every(({ health }) => health !== 'unknown'), { details });
  expect((await prometheus.rules()).filter(({ health }) => health !== 'ok')).toEqual([]);
  expect(await prometheus.value('count(up == 1)')).toBe('2');
  expect(await prometheus.firing()).toEqual([]);

  target.set('gone');
  await until(`${ALERT} fires`, async () => (await prometheus.firing()).includes(ALERT), { details });
  await until('Alertmanager passes it on', () => receiver.messages.some((one) => told(one) === `${ALERT} production firing`), { details });
  await becomes('probe_success{target="production"}', '0');
  // The fault is the target's: no alert blames the probe.
  expect((await prometheus.firing()).filter((name) => name.startsWith('PetstoreProbe'))).toEqual([]);

  target.set('well');
  await until(`${ALERT} resolves`, async () => !(await prometheus.firing()).includes(ALERT), { details });
  await until('Alertmanager says so', () => receiver.messages.some((one) => told(one) === `${ALERT} production resolved`), { details });
  await becomes('probe_success{target="production"}', '1');
});
