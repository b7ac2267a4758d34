import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { systemClock } from '../src/probe/clock.ts';
import type { MonitorConfig } from '../src/probe/config/config.ts';
import { resolveTarget } from '../src/probe/create-smoke.ts';
import { createMonitor } from '../src/probe/monitor.ts';
import { probeClauses } from '../suites/probe.ts';

/**
 * What a target costs: `npm run bench:probe [SECONDS [TARGETS HUNG]]`.
 * A service on loopback in a process of its own, every target asked each 30 s; CPU is this process's alone.
 */
const KEY = 'bench-key';
const INTERVAL = 30_000;
const [seconds = '60', only, hungArgument = '0'] = process.argv.slice(2);
const PLAN: readonly (readonly [targets: number, hung: number])[] =
  only === undefined
    ? [
        [1, 0],
        [100, 0],
        [1_000, 0],
        [1_000, 100],
      ]
    : [[Number(only), Number(hungArgument)]];

type Addresses = { readonly baseUrl: string; readonly hungUrl: string };

function configOf(count: number, hung: number, { baseUrl, hungUrl }: Addresses): MonitorConfig {
  const targets = Array.from({ length: count }, (_unused, index) =>
    resolveTarget({
      name: `target-${index}`,
      baseUrl: index < hung ? hungUrl : baseUrl,
      apiKey: () => KEY,
      interval: INTERVAL,
      deadline: INTERVAL * 0.8,
      latencyLimit: 5_000,
    }),
  );
  const server = { host: '127.0.0.1', port: 0, token: undefined, publicUrl: undefined };
  return {
    server,
    data: undefined,
    schedule: true,
    concurrentRuns: 256,
    dnsCanary: undefined,
    webhooks: [],
    targets,
    secrets: () => [KEY],
  };
}

/** Sum of a family over all its series, from the text that Prometheus would scrape. */
function total(text: string, prefix: string): number {
  return text
    .split('\n')
    .filter((line) => line.startsWith(prefix))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
}

/** Upper bound of the bucket that holds the 99th percentile. */
function delayBound(text: string): string {
  const count = total(text, 'petstore_probe_schedule_delay_seconds_count');
  const rows = [...text.matchAll(/petstore_probe_schedule_delay_seconds_bucket\{le="([^"]+)"\} (\d+)/g)];
  return rows.find(([, , seen]) => Number(seen) >= count * 0.99)?.[1] ?? 'none';
}

const handles = (): number => readdirSync('/proc/self/fd').length;

async function measure(count: number, hung: number, addresses: Addresses): Promise<void> {
  const config = configOf(count, hung, addresses);
  const monitor = createMonitor({
    config,
    clauses: probeClauses,
    version: 'bench',
    clock: systemClock,
    log: () => undefined,
    loadConfig: () => config,
  });
  const cpu = process.cpuUsage();
  const before = handles();
  monitor.start();
  await new Promise((resolve) => setTimeout(resolve, Number(seconds) * 1_000));
  const used = process.cpuUsage(cpu);
  const text = await monitor.metrics();
  await monitor.stop();
  const runs = total(text, 'petstore_probe_checks_total');
  const row = {
    targets: count,
    hung,
    runs,
    failed: total(text, 'petstore_probe_check_failures_total'),
    skipped: total(text, 'petstore_probe_checks_skipped_total'),
    requestsARun: Math.round(total(text, 'petstore_probe_http_responses_total') / Math.max(1, runs)),
    cpuMsARun: Math.round((used.user + used.system) / 1_000 / Math.max(1, runs)),
    delayP99AtMost: delayBound(text),
    rssMegabytes: Math.round(process.memoryUsage.rss() / 1_048_576),
    handlesMore: handles() - before,
    scrapeKilobytes: Math.round(text.length / 1_024),
  };
  console.log(JSON.stringify(row));
}

const service = fork(new URL('probe-service.ts', import.meta.url), { env: { ...process.env, KEY } });
const [addresses] = (await once(service, 'message')) as [Addresses];
for (const [count, hung] of PLAN) await measure(count, hung, addresses);
service.kill();
