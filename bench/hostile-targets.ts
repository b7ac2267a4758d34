import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { HOSTILE_KEY } from '../test/hostile/attacker.ts';
import { leave, readCommandLine, wholeNumber } from '../test/support/command-line.ts';
import { MAIN } from '../test/support/program.ts';
import type { Services } from './hostile-service.ts';
import { percentile, processorTime, totalOf } from './measure.ts';

const USAGE = `Usage: npm run bench:hostile-targets -- [MINUTES [TARGETS]]

A monitor with its data folder, and with many targets each 30 s, every third of which is hostile: the attacks of \`npm run hostile\`. Prints a
row a minute, and ends with 1 if memory or descriptors grow between the second quarter and the last one, if /-/healthy takes more than
100 ms, or if a conforming target is blamed.

  MINUTES   how long it is measured, at least 4 (default: 60)
  TARGETS   how many targets (default: 300)`;
const [minutesGiven = '60', targetsGiven = '300'] = readCommandLine({ usage: USAGE, words: 2 }).words;
const minutes = wholeNumber(minutesGiven, 'MINUTES');
if (minutes < 4) leave(`MINUTES must be at least 4, received ${minutes}`);
const count = wholeNumber(targetsGiven, 'TARGETS');

const SAMPLE_EVERY = 2_000;
/** How much more the last quarter may have than the second one: caches fill, and the engine decides when memory is collected. */
const MOST_GROWTH = 1.1;
/** Milliseconds. */
const MOST_HEALTHY = 100;

type Look = { readonly memory: number; readonly descriptors: number; readonly healthy: number };

function configOf(folder: string, { conforming, hostile }: Services): string {
  const targets = Array.from({ length: count }, (_unused, index) => {
    const attack = index % 3 === 0 ? hostile[(index / 3) % hostile.length] : undefined;
    return { name: `${attack?.name ?? 'conforming'}-${index}`, baseUrl: attack?.baseUrl ?? conforming };
  });
  return JSON.stringify({
    server: { port: 0 },
    data: { folder: join(folder, 'data') },
    defaults: { interval: '30s', latencyLimit: '10s', apiKey: `file:${join(folder, 'key')}` },
    targets,
  });
}

async function addressOf(monitor: ChildProcess): Promise<string> {
  if (monitor.stdout === null) throw new Error('a process without output');
  for await (const line of createInterface({ input: monitor.stdout })) {
    const address = /status on (\S+)\/"\}?$/.exec(line)?.[1];
    if (address !== undefined) return address;
  }
  throw new Error('the monitor ended before it listened');
}

/** Megabytes, open files, and milliseconds of a request that an orchestrator sends. */
async function look(pid: number, address: string): Promise<Look> {
  const begin = performance.now();
  await (await fetch(`${address}/-/healthy`)).text();
  const healthy = performance.now() - begin;
  const memory = Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_000;
  return { memory, descriptors: readdirSync(`/proc/${pid}/fd`).length, healthy };
}

const medianOf = (looks: readonly Look[], of: keyof Look): number =>
  percentile(
    looks.map((one) => one[of]),
    0.5,
  );

const folder = mkdtempSync(join(tmpdir(), 'petstore-hostile-targets-'));
writeFileSync(join(folder, 'key'), HOSTILE_KEY, { mode: 0o600 });
const service = fork(new URL('hostile-service.ts', import.meta.url), { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
const [services] = (await once(service, 'message')) as [Services];
writeFileSync(join(folder, 'monitor.yaml'), configOf(folder, services));
const monitor = spawn(process.execPath, [MAIN, 'monitor', '--config', join(folder, 'monitor.yaml')], {
  cwd: folder,
  stdio: ['ignore', 'pipe', 'ignore'],
});
const pid = monitor.pid ?? 0;
const address = await addressOf(monitor);
const looks: Look[] = [];
const end = performance.now() + minutes * 60_000;
console.log(`${count} targets, every third one of ${services.hostile.length} attacks; load ${(loadavg()[0] ?? 0).toFixed(1)}`);
console.log('minute  memory MB  descriptors  /-/healthy p50, p99, most (ms)  runs');
for (let minute = 1; performance.now() < end; minute += 1) {
  const ofMinute: Look[] = [];
  for (const next = performance.now() + 60_000; performance.now() < next; ) {
    ofMinute.push(await look(pid, address));
    await pause(SAMPLE_EVERY);
  }
  looks.push(...ofMinute);
  const times = ofMinute.map(({ healthy }) => healthy);
  const runs = totalOf(await (await fetch(`${address}/metrics`)).text(), 'checks_total');
  const shown = [percentile(times, 0.5), percentile(times, 0.99), Math.max(...times)].map((time) => time.toFixed(1)).join(', ');
  console.log(`${minute}\t${medianOf(ofMinute, 'memory').toFixed(0)}\t${medianOf(ofMinute, 'descriptors')}\t${shown}\t${runs}`);
}
const metrics = await (await fetch(`${address}/metrics`)).text();
const runs = totalOf(metrics, 'checks_total');
const cpu = processorTime(pid);
monitor.kill('SIGTERM');
await once(monitor, 'exit');
service.kill();
rmSync(folder, { recursive: true, force: true });

const quarter = (from: number): readonly Look[] =>
  looks.slice(Math.floor((looks.length * from) / 4), Math.floor((looks.length * (from + 1)) / 4));
const growth = (of: keyof Look): number => medianOf(quarter(3), of) / Math.max(1, medianOf(quarter(1), of));
const slowest = Math.max(...looks.map(({ healthy }) => healthy));
const blamed = totalOf(metrics, 'check_failures_total', /target="conforming-.*reason="(?!internal)/);
const unknown = totalOf(metrics, 'check_failures_total', /target="conforming-.*reason="internal"/);
console.log(
  `${runs} runs, ${(cpu / Math.max(1, runs)).toFixed(1)} ms of CPU each; ${totalOf(metrics, 'checks_skipped_total')} skipped; conforming: ${blamed} failed, ${unknown} unknown; load ${(loadavg()[0] ?? 0).toFixed(1)}`,
);
const problems = [
  ...(['memory', 'descriptors'] as const).flatMap((of) =>
    growth(of) > MOST_GROWTH ? [`${of} grew by ${((growth(of) - 1) * 100).toFixed(0)} % from the second quarter to the last`] : [],
  ),
  ...(slowest > MOST_HEALTHY ? [`/-/healthy took up to ${slowest.toFixed(0)} ms, more than ${MOST_HEALTHY} ms`] : []),
  ...(blamed > 0 ? [`${blamed} runs of conforming targets failed`] : []),
];
for (const problem of problems) console.log(`not met: ${problem}`);
process.exitCode = problems.length === 0 ? 0 : 1;
