import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { end, listening, type Message, startMonitor, startProcess, startReceiver, startTarget, until } from '../probe/running-monitor.ts';
import { ownFolder } from '../support/program.ts';
import { ALERTMANAGER, needs, PROMETHEUS, PROMTOOL } from '../support/tool.ts';
import { addressOf, type Notification, startAlertmanager } from './running-alertmanager.ts';

/** The folder of what is shipped for Prometheus. */
const SHIPPED = 'deploy/prometheus';

/** The shipped rules with minutes replaced by seconds and hours by minutes; thresholds and expressions are unchanged. */
function hastened(rules: string): string {
  return rules
    .replaceAll(/\[(\d+)m\]/g, '[$1s]')
    .replaceAll(/\[(\d+)h\]/g, '[$1m]')
    .replaceAll(/^(\s+for: )(\d+)m$/gm, '$1$2s');
}

type Alert = { readonly labels: Readonly<Record<string, string>>; readonly state: string };
type Active = { readonly labels: Readonly<Record<string, string>>; readonly scrapeInterval: string };
type Rule = { readonly name: string; readonly health: string; readonly lastError?: string };

/** A real Prometheus with the shipped rules, running until the test is over. */
async function startPrometheus(folder: string, config: string) {
  writeFileSync(join(folder, 'petstore-probe.rules.yml'), hastened(readFileSync(join(SHIPPED, 'petstore-probe.rules.yml'), 'utf8')));
  writeFileSync(join(folder, 'prometheus.yml'), config);
  // What fires is sent each second, and ends four seconds after Prometheus has sent it last.
  const flags = [
    '--config.file=prometheus.yml',
    '--storage.tsdb.path=prometheus',
    '--web.listen-address=127.0.0.1:0',
    '--rules.alert.resend-delay=1s',
  ];
  const program = await startProcess(['prometheus', ...flags], { cwd: folder });
  const address = await addressOf(program);
  await until('Prometheus is ready', async () => (await fetch(`http://${address}/-/ready`)).ok, { details: program.output });
  const ask = async (path: string): Promise<unknown> => {
    const response = (await (await fetch(`http://${address}/api/v1/${path}`)).json()) as { data?: unknown };
    return response.data;
  };
  return {
    child: program.child,
    output: program.output,
    value: async (query: string): Promise<string | undefined> => {
      const data = (await ask(`query?query=${encodeURIComponent(query)}`)) as { result: { value: [number, string] }[] } | undefined;
      return data?.result[0]?.value[1];
    },
    firing: async (): Promise<string[]> => {
      const data = (await ask('alerts')) as { alerts: Alert[] } | undefined;
      return (data?.alerts ?? []).filter(({ state }) => state === 'firing').map(({ labels }) => labels['alertname'] ?? '');
    },
    /** Each target with its interval. */
    targets: async (): Promise<string[]> => {
      const { activeTargets } = (await ask('targets?state=active')) as { activeTargets: Active[] };
      return activeTargets.map(({ labels, scrapeInterval }) => `${labels['target']} ${scrapeInterval}`);
    },
    rules: async (): Promise<Rule[]> => ((await ask('rules')) as { groups: { rules: Rule[] }[] }).groups.flatMap(({ rules }) => rules),
  };
}

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

/** Sends each alert on to a webhook at once. */
const alwaysTo = (webhook: string): string =>
  stringify({
    route: { receiver: 'hook', group_by: ['alertname', 'target'], group_wait: '0s', group_interval: '1s', repeat_interval: '1h' },
    receivers: [{ name: 'hook', webhook_configs: [{ url: webhook, send_resolved: true }] }],
  });

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
  const alertmanager = await startAlertmanager(folder, alwaysTo(receiver.url));
  const prometheus = await startPrometheus(folder, configuration(new URL(monitor.url).host, alertmanager.address));
  const details = (): string => `${prometheus.output().slice(-2_000)}\n${monitor.output()}\n${receiver.messages.map(told).join('\n')}`;
  const becomes = (query: string, value: string): Promise<void> =>
    until(`${query} is ${value}`, async () => (await prometheus.value(query)) === value, { details });

  await becomes('petstore_probe_check_success{target="production"}', '1');
  await becomes('probe_success{target="production"}', '1');
  await until('every rule was evaluated', async () => (await prometheus.rules()).every(({ health }) => health !== 'unknown'), { details });
  expect((await prometheus.rules()).filter(({ health }) => health !== 'ok')).toEqual([]);
  expect(await prometheus.value('count(up == 1)')).toBe('2');
  // It may have fired before the first scrape, because its minutes are seconds here; it ends with the next evaluation.
  await until('the monitor is there', async () => !(await prometheus.firing()).includes('PetstoreProbeAbsent'), { details });
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

type Entry = Readonly<Record<string, unknown>>;

/** The shipped configuration of the monitor, on a free port, with these targets and with intervals short enough for a test. */
function monitorConfig(targets: readonly Entry[]): string {
  const shipped = parse(readFileSync(join(SHIPPED, 'fleet-monitor.yaml'), 'utf8')) as Entry & {
    readonly server: Entry;
    readonly defaults: Entry;
  };
  return stringify({
    ...shipped,
    server: { ...shipped.server, port: 0 },
    defaults: { interval: '4s', deadline: '3s', latencyLimit: '10s' },
    targets,
  });
}

/** The shipped configuration of Prometheus, with the address of this monitor; files are read as often as the others. */
function prometheusConfig(monitor: string): string {
  const text = readFileSync(join(SHIPPED, 'fleet.yml'), 'utf8')
    .replaceAll('localhost:9464', monitor)
    .replaceAll('refresh_interval: 60s', 'refresh_interval: 1s');
  return text.replaceAll('scrape_interval: 60s', 'scrape_interval: 4s').replaceAll('scrape_timeout: 30s', 'scrape_timeout: 4s');
}

/** A load balancer that gives each connection to the next of the monitors; `served` counts them. */
async function startBalancer(monitors: readonly { readonly url: string }[]) {
  const served = monitors.map(() => 0);
  let next = 0;
  const port = await listening(
    createServer((socket) => {
      const index = next++ % monitors.length;
      served[index] = (served[index] ?? 0) + 1;
      const through = connect(Number(new URL(monitors[index]?.url ?? '').port), '127.0.0.1').on('error', () => socket.destroy());
      socket.on('error', () => through.destroy()).on('close', () => through.destroy());
      socket.pipe(through).pipe(socket);
    }),
  );
  return { host: `127.0.0.1:${port}`, served };
}

test('Prometheus finds the targets of monitors behind a load balancer by http_sd and in files, and scrapes /probe for each, by its module, in its interval.', async (context) => {
  needs(context, PROMETHEUS, PROMTOOL);
  const folder = ownFolder();
  for (const file of ['targets', 'fleet.yml', 'petstore-probe.rules.yml'])
    cpSync(join(SHIPPED, file), join(folder, file), { recursive: true });
  execFileSync(PROMTOOL.name, ['check', 'config', 'fleet.yml'], { cwd: folder });
  const [well, ill] = [await startTarget(), await startTarget({ faults: ['missing-animal-bad-request'] })];
  const target = (name: string, baseUrl: string, more: Entry = {}): Entry => ({ name, baseUrl, apiKey: 'env:KEY', ...more });
  const config = monitorConfig([target('production', ill.baseUrl), target('staging', well.baseUrl, { interval: '8s', deadline: '3s' })]);
  const monitors = [await startMonitor(config, folder), await startMonitor(config, ownFolder())];
  const balancer = await startBalancer(monitors);
  expect(await (await fetch(`http://${balancer.host}/api/targets`)).json()).toEqual([
    { targets: ['production'], labels: { __scrape_interval__: '4000ms', __scrape_timeout__: '4000ms' } },
    { targets: ['staging'], labels: { __scrape_interval__: '8000ms', __scrape_timeout__: '4000ms' } },
  ]);
  const prometheus = await startPrometheus(folder, prometheusConfig(balancer.host));
  const details = (): string => [prometheus.output().slice(-2_000), ...monitors.map(({ output }) => output())].join('\n');
  const becomes = (query: string, value: string): Promise<void> =>
    until(`${query} is ${value}`, async () => (await prometheus.value(query)) === value, { details });
  await becomes('probe_success{job="petstore-fleet",target="staging"}', '1');
  // Production fails on reads, which the module in the files leaves out.
  await becomes('probe_success{job="petstore-fleet",target="production"}', '0');
  await becomes('probe_success{job="petstore-fleet-files",target="production",team="shop"}', '1');
  expect(await prometheus.value('count(up == 1)')).toBe('3');
  const intervals = await prometheus.targets();
  expect(intervals.toSorted()).toEqual(['production 4000ms', 'production 4s', 'staging 8000ms']);

  await until('both have served', () => balancer.served.every((connections) => connections > 0), { details });
});

/** The shipped configurations of compose, with the addresses of this test and minutes replaced by seconds. */
function composed(monitor: string, alertmanager: string, receiver: string) {
  const shipped = (file: string): string => readFileSync(join('deploy', 'compose', file), 'utf8');
  const prometheus = shipped('prometheus.yml')
    .replaceAll('probe:9464', monitor)
    .replaceAll('alertmanager:9093', alertmanager)
    .replaceAll('15s', '1s')
    .replace(/ +authorization: .*\n/, '');
  const routes = shipped('alertmanager.yml')
    .replace('url_file: /run/secrets/heartbeat-url', `url: "${receiver}heartbeat"`)
    .replace('group_interval: 1m, repeat_interval: 50s', 'group_interval: 1s, repeat_interval: 1s')
    .replace('group_wait: 30s', 'group_wait: 1s\n  group_interval: 1s')
    .replace('- name: page-of-alertmanager', `- { name: page-of-alertmanager, webhook_configs: [{ url: "${receiver}alerts" }] }`);
  return { prometheus, routes };
}

test('In the shipped composition, the absence of Prometheus is seen outside, and what the rules say of an outage is left out where the monitor says it.', async (context) => {
  needs(context, PROMETHEUS, ALERTMANAGER);
  const folder = ownFolder();
  const [target, receiver] = [await startTarget(), await startReceiver(() => 200)];
  cpSync(join('deploy', 'compose', 'watchdog.rules.yml'), join(folder, 'watchdog.rules.yml'));
  const manager = await startAlertmanager(folder, composed('', '', receiver.url).routes);
  const monitor = await startMonitor(
    `server: { port: 0 }
data: { folder: data }
alertmanagers: [{ name: compose, url: "http://${manager.address}" }]
targets: [{ name: production, baseUrl: "${target.baseUrl}", apiKey: env:KEY, interval: 3s, latencyLimit: 10s, upAfter: 1 }]
`,
    folder,
  );
  const config = composed(new URL(monitor.url).host, manager.address, receiver.url).prometheus;
  let prometheus = await startPrometheus(folder, config);
  const to = (path: string): readonly Notification[] =>
    receiver.messages.filter((one) => one.path === path).map(({ body }) => JSON.parse(body) as Notification);
  const details = (): string => `${prometheus.output().slice(-2_000)}\n${monitor.output()}\n${JSON.stringify(to('/alerts'))}`;
  const beats = (more: number): Promise<void> => {
    const wanted = to('/heartbeat').length + more;
    return until('the Watchdog is heard', () => to('/heartbeat').length >= wanted, { details });
  };
  await beats(3);

  target.set('gone');
  const isDown = ({ labels }: Notification['alerts'][number]): boolean => labels['alertname'] === 'PetstoreTargetDown';
  await until('the outage is told', () => to('/alerts').some(({ alerts }) => alerts.some((one) => isDown(one) && 'reason' in one.labels)), {
    details,
  });
  // The rules say the same without the reason: neither that the target is down, nor what this does to its error budget, is told again.
  const isSuppressed = async (name: string): Promise<boolean> =>
    (await manager.alerts()).some(
      ({ labels, status }) => labels['alertname'] === name && labels['reason'] === undefined && status.state === 'suppressed',
    );
  for (const name of ['PetstoreTargetDown', ALERT]) await until(`${name} of the rule is suppressed`, () => isSuppressed(name), { details });

  await end(prometheus.child, 'SIGKILL');
  const hasWatchdog = async (): Promise<boolean> => (await manager.alerts()).some(({ labels }) => labels['alertname'] === 'Watchdog');
  await until('nobody sends the Watchdog any more', async () => !(await hasWatchdog()), { details });
  const heard = to('/heartbeat').length;
  // Time for three more.
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  expect(to('/heartbeat').length - heard).toBeLessThanOrEqual(1);
  prometheus = await startPrometheus(folder, config);
  await beats(3);
  // The outage is still told by the monitor: its group did not end.
  expect(to('/alerts').filter(({ status, alerts }) => status === 'resolved' && alerts.some(isDown))).toEqual([]);

  target.set('well');
  await until('its end is told', () => to('/alerts').some(({ status, alerts }) => status === 'resolved' && alerts.some(isDown)), {
    details,
  });
});
