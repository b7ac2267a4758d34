import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { systemClock } from '../src/probe/clock.ts';
import type { MonitorConfig } from '../src/probe/config/config.ts';
import { createMonitor } from '../src/probe/monitor.ts';
import { createSmoke, resolveTarget } from '../src/probe/smoke.ts';
import { leave, readCommandLine, wholeNumber } from '../test/support/command-line.ts';
import { keepMeasurement, machine, totalOf } from './measure.ts';
import { hasBlackbox, measureBlackbox } from './probe-blackbox.ts';
import { type ProbeRow, probeMeasurement } from './probe-page.ts';
import type { Addresses, Seen } from './probe-service.ts';

/**
 * A service on loopback in a separate process, every target probed each 30 s in the long form; CPU is that of this process alone. The cost
 * of a run and the delay of runs are measured from the tenth second on. Memory and file handles are measured after 1,000 runs and at the
 * end (10,000 runs of 1,000 targets take 310 seconds). Then blackbox_exporter, if it is installed, requests the same URLs as often, from
 * the same service.
 */
const USAGE = `Usage: npm run bench:probe -- [SECONDS [TARGETS [HUNG [tls]]]]

What targets cost, next to blackbox_exporter where that is installed. Without TARGETS, 1, 100, and 1,000 of them are measured, with TLS
and without, and reports/measured/probe.md is written.

  SECONDS   how long a row is measured, more than 10 (default: 30)
  TARGETS   measure one row with so many targets, each asked every 30 s
  HUNG      so many of them do not respond (default: 0)
  tls       over TLS`;
const KEY = 'bench-key';
const WARM = 10_000;
const EARLY = 1_000;
const [secondsGiven = '30', only, hung = '0', scheme = 'plain'] = readCommandLine({ usage: USAGE, words: 4 }).words;
const seconds = wholeNumber(secondsGiven, 'SECONDS');
if (seconds * 1_000 <= WARM) leave(`SECONDS must be more than ${WARM / 1_000}, received ${seconds}`);
if (scheme !== 'plain' && scheme !== 'tls') leave(`the fourth word is "tls" or is left out, received "${scheme}"`);
type Plan = { readonly count: number; readonly hung: number; readonly tls: boolean };
const PLAN: readonly Plan[] =
  only === undefined
    ? [false, true].flatMap((tls) => [1, 100, 1_000].map((count) => ({ count, hung: 0, tls })))
    : [{ count: wholeNumber(only, 'TARGETS'), hung: hung === '0' ? 0 : wholeNumber(hung, 'HUNG'), tls: scheme === 'tls' }];

/** Milliseconds between the runs of a target. In the short form, at most about three runs per second, which a busy machine can handle. */
const intervalOf = (count: number): number => (only === undefined ? Math.max(2_000, count * 300) : 30_000);

function configOf({ count, hung, tls }: Plan, { baseUrl, tlsUrl, hungUrl, ca }: Addresses): MonitorConfig {
  const interval = intervalOf(count);
  const targets = Array.from({ length: count }, (_unused, index) =>
    resolveTarget({
      name: `target-${index}`,
      baseUrl: index < hung ? hungUrl : tls ? tlsUrl : baseUrl,
      ca: tls ? ca : undefined,
      apiKey: () => KEY,
      interval,
      deadline: interval * 0.8,
      latencyLimit: 5_000,
    }),
  );
  const server = { host: '127.0.0.1', port: 0, tokens: { read: undefined, write: undefined }, publicUrl: undefined };
  return {
    server,
    data: undefined,
    schedule: true,
    concurrentRuns: 256,
    dnsCanary: undefined,
    log: 'logfmt',
    webhooks: [],
    alertmanagers: [],
    heartbeat: undefined,
    maintenance: [],
    modules: new Map(),
    targets,
    warnings: [],
    secrets: () => [KEY],
    addressParts: () => [],
  };
}

function buckets(text: string): ReadonlyMap<string, number> {
  const rows = text.matchAll(/petstore_probe_schedule_delay_seconds_bucket\{le="([^"]+)"\} (\d+)/g);
  return new Map([...rows].map(([, bound = '', seen]) => [bound, Number(seen)]));
}

/** Upper bound of the bucket that contains the 99th percentile of the values between two scrapes. */
function delayBound(before: string, after: string): string {
  const [from, to] = [buckets(before), buckets(after)];
  const since = (bound: string): number => (to.get(bound) ?? 0) - (from.get(bound) ?? 0);
  return [...to.keys()].find((bound) => since(bound) >= since('+Inf') * 0.99) ?? 'none';
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Memory in megabytes and open files, after garbage collection. */
function footprint(): { rss: number; heap: number; handles: number } {
  collectGarbage();
  const { rss, heapUsed } = process.memoryUsage();
  return { rss: Math.round(rss / 1_048_576), heap: Math.round(heapUsed / 1_048_576), handles: readdirSync('/proc/self/fd').length };
}

const runsIn = (text: string): number => totalOf(text, 'checks_total');
const cpuOf = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1_000;

async function measure(plan: Plan, addresses: Addresses) {
  const config = configOf(plan, addresses);
  const monitor = createMonitor({
    config,
    version: 'bench',
    clock: systemClock,
    log: () => undefined,
    loadConfig: () => config,
  });
  const before = footprint().handles;
  monitor.start();
  await pause(WARM);
  const [warm, cpu] = [String(await monitor.metrics()), process.cpuUsage()];
  const end = performance.now() + seconds * 1_000 - WARM;
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
  return {
    targets: plan.count,
    hung: plan.hung,
    tls: plan.tls,
    runs,
    failed: totalOf(text, 'check_failures_total'),
    skipped: totalOf(text, 'checks_skipped_total'),
    requestsARun: Math.round(totalOf(text, 'http_responses_total') / Math.max(1, runs)),
    cpuMsARun: Math.round((used / Math.max(1, runs - runsIn(warm))) * 10) / 10,
    delayP99AtMost: delayBound(warm, text),
    after1000Runs: early,
    atTheEnd: late,
    handlesMore: footprint().handles - before,
    scrapeKilobytes: Math.round(text.length / 1_024),
  };
}

const folder = mkdtempSync(join(tmpdir(), 'petstore-bench-'));
const service = fork(new URL('probe-service.ts', import.meta.url), { env: { ...process.env, KEY, CA_FILE: join(folder, 'ca.pem') } });
const [addresses] = (await once(service, 'message')) as [Addresses];

/** The requests of one warm run, as the service has received them. */
async function requestsOfARun(): Promise<readonly Seen[]> {
  const smoke = createSmoke({ baseUrl: addresses.baseUrl, apiKey: () => KEY }, { version: 'bench' });
  await smoke.run();
  service.send('begin');
  await smoke.run();
  service.send('end');
  const [seen] = (await once(service, 'message')) as [readonly Seen[]];
  return seen;
}

const where = machine();
const urls = await requestsOfARun();
const compares = await hasBlackbox();
if (!compares)
  console.log('blackbox_exporter is not installed, so it is skipped; apt-get install prometheus-blackbox-exporter installs it');
const rows: ProbeRow[] = [];
for (const plan of PLAN) {
  const probe = await measure(plan, addresses);
  const baseUrl = plan.tls ? addresses.tlsUrl : addresses.baseUrl;
  const runs = Math.max(20, Math.min(60, probe.runs));
  const row = { probe, blackbox: compares ? await measureBlackbox(urls, { baseUrl, ca: addresses.ca, runs }) : undefined };
  console.log(JSON.stringify(row));
  rows.push(row);
}
service.kill();
rmSync(folder, { recursive: true, force: true });
if (only === undefined) console.log(keepMeasurement(probeMeasurement(rows, urls.length, where)).join('\n'));
