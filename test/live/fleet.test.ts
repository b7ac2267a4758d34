import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { startMonitor, startTarget, until } from '../probe/running-monitor.ts';
import { ownFolder } from '../support/own-folder.ts';
import { needs, PROMETHEUS, PROMTOOL } from '../support/tool.ts';
import { SHIPPED, startPrometheus } from './running-prometheus.ts';

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

test('Prometheus finds the targets of a monitor by http_sd and in files, and scrapes /probe for each, by its module, in its interval.', async (context) => {
  needs(context, PROMETHEUS, PROMTOOL);
  const folder = ownFolder();
  for (const file of ['targets', 'fleet.yml', 'petstore-probe.rules.yml'])
    cpSync(join(SHIPPED, file), join(folder, file), { recursive: true });
  execFileSync(PROMTOOL.name, ['check', 'config', 'fleet.yml'], { cwd: folder });
  const [well, ill] = [await startTarget(), await startTarget({ faults: ['missing-animal-bad-request'] })];
  const target = (name: string, baseUrl: string, more: Entry = {}): Entry => ({ name, baseUrl, apiKey: 'env:KEY', ...more });
  const monitor = await startMonitor(
    monitorConfig([target('production', ill.baseUrl), target('staging', well.baseUrl, { interval: '8s', deadline: '3s' })]),
    folder,
  );
  expect(await (await fetch(`${monitor.url}/api/targets`)).json()).toEqual([
    { targets: ['production'], labels: { __scrape_interval__: '4000ms', __scrape_timeout__: '4000ms' } },
    { targets: ['staging'], labels: { __scrape_interval__: '8000ms', __scrape_timeout__: '4000ms' } },
  ]);
  const prometheus = await startPrometheus(folder, prometheusConfig(new URL(monitor.url).host));
  const details = (): string => `${prometheus.output().slice(-2_000)}\n${monitor.output()}`;
  const becomes = (query: string, value: string): Promise<void> =>
    until(`${query} is ${value}`, async () => (await prometheus.value(query)) === value, { details });
  await becomes('probe_success{job="petstore-fleet",target="staging"}', '1');
  // Production fails on reads, which the module in the files leaves out.
  await becomes('probe_success{job="petstore-fleet",target="production"}', '0');
  await becomes('probe_success{job="petstore-fleet-files",target="production",team="shop"}', '1');
  expect(await prometheus.value('count(up == 1)')).toBe('3');
  const intervals = await prometheus.targets();
  expect(intervals.toSorted()).toEqual(['production 4000ms', 'production 4s', 'staging 8000ms']);
});
