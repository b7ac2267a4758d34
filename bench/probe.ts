import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { systemClock } from '../src/probe/clock.ts';
import type { MonitorConfig } from '../src/probe/config/config.ts';
import { resolveTarget } from '../src/probe/create-smoke.ts';
import { createMonitor } from '../src/probe/monitor.ts';
import { probeClauses } from '../suites/probe.ts';

/**
 * What a target costs: `npm run bench:probe [SECONDS [TARGETS HUNG]]`.
 * A service on loopback in a process of its own, every target asked each 30 s; CPU is this process's alone. What a run costs and how
 * late runs are is counted from the tenth second on, when the code is warm; memory and file handles are looked at after 1,000 runs
 * and at the end (10,000 runs of 1,000 targets take 310 seconds).
 */
const KEY = 'bench-key';
const INTERVAL = 30_000;
const WARM = 10_000;
const EARLY = 1_000;
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
    warnings: [],
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

function buckets(text: string): ReadonlyMap<string, number> {
  const rows = text.matchAll(/petstore_probe_schedule_delay_seconds_bucket\{le="([^"]+)"\} (\d+)/g);
  return new Map([...rows].map(([, bound = '', seen]) => [bound, Number(seen)]));
}

/** Upper bound of the bucket that holds the 99th percentile of what came between two scrapes. */
function delayBound(before: string, after: string): string {
  const [from, to] = [buckets(before), buckets(after)];
  const since = (bound: string): number => (to.get(bound) ?? 0) - (from.get(bound) ?? 0);
  return [...to.keys()].find((bound) => since(bound) >= since('+Inf') * 0.99) ?? 'none';
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Memory in megabytes and open files, without what is only waiting to be collected. */
function footprint(): { rss: number; heap: number; handles: number } {
  collectGarbage();
  const { rss, heapUsed } = process.memoryUsage();
  return { rss: Math.round(rss / 1_048_576), heap: Math.round(heapUsed / 1_048_576), handles: readdirSync('/proc/self/fd').length };
}

const runsIn = (text: string): number => total(text, 'petstore_probe_checks_total');
const cpuOf = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1_000;

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

async function measure(count: number, hung: number, addresses: Addresses): Promise<void> {
  const config = configOf(count, hung, addresses);
  const monitor = createMonitor({
    config,
    clauses: probeClauses,
    rotating: probeClauses,
    version: 'bench',
    clock: systemClock,
    log: () => undefined,
    loadConfig: () => config,
  });
  const before = footprint().handles;
  monitor.start();
  await pause(WARM);
  const [warm, cpu] = [String(await monitor.metrics()), process.cpuUsage()];
  const end = performance.now() + Number(seconds) * 1_000 - WARM;
  let early: ReturnType<typeof footprint> | undefined;
  while (performance.now() < end) {
    // A scrape of many targets costs as much as several runs.
    await pause(5_000);
    if (early === undefined && runsIn(String(await monitor.metrics())) >= EARLY) early = footprint();
  }
  const used = cpuOf(process.cpuUsage(cpu));
  const text = String(await monitor.metrics());
  const late = footprint();
  await monitor.stop();
  const runs = runsIn(text);
  const row = {
    targets: count,
    hung,
    runs,
    failed: total(text, 'petstore_probe_check_failures_total'),
    skipped: total(text, 'petstore_probe_checks_skipped_total'),
    requestsARun: Math.round(total(text, 'petstore_probe_http_responses_total') / Math.max(1, runs)),
    cpuMsARun: Math.round((used / Math.max(1, runs - runsIn(warm))) * 10) / 10,
    delayP99AtMost: delayBound(warm, text),
    after1000Runs: early,
    atTheEnd: late,
    handlesMore: footprint().handles - before,
    scrapeKilobytes: Math.round(text.length / 1_024),
  };
  console.log(JSON.stringify(row));
}

const service = fork(new URL('probe-service.ts', import.meta.url), { env: { ...process.env, KEY } });
const [addresses] = (await once(service, 'message')) as [Addresses];
for (const [count, hung] of PLAN) await measure(count, hung, addresses);
service.kill();
