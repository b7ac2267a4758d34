import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { stringify } from 'yaml';
import { processorTime } from './measure.ts';
import type { Seen } from './probe-service.ts';

const PROGRAM = 'prometheus-blackbox-exporter';
const STARTS_WITHIN = 30_000;
const SCRAPES_AT_ONCE = 16;

/** The cost of the exporter for as many runs: each run requests all of the URLs. */
export type BlackboxCost = {
  readonly runs: number;
  readonly requests: number;
  readonly failed: number;
  readonly cpuMsARun: number;
  readonly rss: number;
};

function freePort(): Promise<number> {
  return new Promise((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => done(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

const moduleOf = ({ method, authorization, status }: Seen): string => JSON.stringify([method, authorization ?? '', status]);

/** A module for each kind of request: method, credential, and expected status. */
function configuration(urls: readonly Seen[], ca: string): string {
  const modules = urls.map((seen) => {
    const headers = seen.authorization === undefined ? {} : { headers: { Authorization: seen.authorization } };
    const http = {
      method: seen.method,
      valid_status_codes: [seen.status],
      follow_redirects: false,
      tls_config: { ca_file: ca },
      ...headers,
    };
    return [moduleOf(seen), { prober: 'http', timeout: '5s', http }] as const;
  });
  return stringify({ modules: Object.fromEntries(modules) });
}

const memory = (pid: number): number =>
  Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024);

/** Whether the exporter is installed. */
export function hasBlackbox(): Promise<boolean> {
  return new Promise((done) => {
    const child = spawn(PROGRAM, ['--version'], { stdio: 'ignore' });
    child.once('error', () => done(false));
    child.once('close', (code) => done(code === 0));
  });
}

async function responds(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).ok;
  } catch {
    return false;
  }
}

/**
 * Makes the exporter request the same URLs as that many runs of the probe, and measures its processor time. A tenth of the runs warms it up
 * first.
 */
export async function measureBlackbox(
  urls: readonly Seen[],
  { baseUrl, ca, runs }: { readonly baseUrl: string; readonly ca: string; readonly runs: number },
): Promise<BlackboxCost> {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-blackbox-'));
  const port = await freePort();
  writeFileSync(join(folder, 'blackbox.yml'), configuration(urls, ca));
  const argv = [`--config.file=${join(folder, 'blackbox.yml')}`, `--web.listen-address=127.0.0.1:${port}`, '--log.level=error'];
  const child = spawn(PROGRAM, argv, { stdio: ['ignore', 'ignore', 'inherit'] });
  const exporter = `http://127.0.0.1:${port}`;
  const { origin } = new URL(baseUrl);
  try {
    const deadline = performance.now() + STARTS_WITHIN;
    while (!(await responds(`${exporter}/-/healthy`))) {
      if (performance.now() > deadline) throw new Error(`${PROGRAM} did not start within ${STARTS_WITHIN} ms`);
      await pause(50);
    }
    const { pid = 0 } = child;
    let failed = 0;
    const scrape = async (seen: Seen): Promise<void> => {
      const query = new URLSearchParams({ module: moduleOf(seen), target: `${origin}${seen.path}` });
      const text = await (await fetch(`${exporter}/probe?${query}`)).text();
      if (!/^probe_success 1$/m.test(text)) failed++;
    };
    const ask = async (rounds: number): Promise<void> => {
      const queue = Array.from({ length: rounds }, () => urls).flat();
      const worker = async (): Promise<void> => {
        for (let next = queue.pop(); next !== undefined; next = queue.pop()) await scrape(next);
      };
      await Promise.all(Array.from({ length: SCRAPES_AT_ONCE }, worker));
    };
    await ask(Math.ceil(runs / 10));
    const before = processorTime(pid);
    await ask(runs);
    const used = processorTime(pid) - before;
    return { runs, requests: runs * urls.length, failed, cpuMsARun: Math.round((used / runs) * 10) / 10, rss: memory(pid) };
  } finally {
    child.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}
