// `npm run docs:pictures`: the pictures of the README, from real runs against the reference server.
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Browser, chromium } from 'playwright-core';
import { startReference } from '../../src/reference/server.ts';
import { MAIN, runProgram } from '../support/program.ts';
import { setup } from '../support/unpack-browser.ts';

const KEY = 'pictures-6Qw2zX8tB4vR';
/** Runs of each target in the picture. */
const RUNS = 12;
const FOLDER = fileURLToPath(new URL('../../docs/pictures/', import.meta.url));
const WINDOW = { width: 1100, height: 720 } as const;
const STATUS_WINDOW = { width: 1100, height: 560 } as const;

async function photograph(
  browser: Browser,
  url: string,
  name: string,
  viewport: { width: number; height: number } = WINDOW,
): Promise<void> {
  const page = await browser.newPage({ viewport, colorScheme: 'light' });
  await page.goto(url);
  await page.screenshot({ path: join(FOLDER, name), type: 'png' });
  await page.close();
}

async function photographReport(browser: Browser, cwd: string): Promise<void> {
  const server = await startReference({ apiKey: KEY, seedAnimals: 30, faults: ['limit-plus-one'] });
  await runProgram(['run', '--base-url', server.baseUrl, '--seed', '1'], { cwd, env: { PETSTORE_API_KEY: KEY }, patience: 300_000 });
  await server.close();
  await photograph(browser, pathToFileURL(join(cwd, 'reports', 'report.html')).href, 'report.png');
  await photograph(browser, `${pathToFileURL(join(cwd, 'reports', 'document.html')).href}#section-endpoints`, 'document.png');
}

/** The address that a monitor prints. */
async function addressOf(monitor: ChildProcessByStdio<null, Readable, Readable>): Promise<string> {
  let said = '';
  monitor.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  for await (const line of createInterface({ input: monitor.stdout })) {
    const address = /status on (\S+)\/"$/.exec(line)?.[1];
    if (address !== undefined) return address;
  }
  throw new Error(`the monitor ended: ${said}`);
}

async function until(seconds: number, holds: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + seconds * 1000;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error('the monitor did not judge its targets in time');
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

async function photographStatus(browser: Browser, cwd: string): Promise<void> {
  const good = await startReference({ apiKey: KEY, seedAnimals: 30 });
  const bad = await startReference({ apiKey: KEY, seedAnimals: 30, faults: ['limit-plus-one'] });
  writeFileSync(join(cwd, 'key'), KEY, { mode: 0o600 });
  const targets = [
    `  - { name: production, baseUrl: "${good.baseUrl}", apiKey: "file:key" }`,
    `  - { name: staging, baseUrl: "${bad.baseUrl}", apiKey: "file:key" }`,
  ];
  writeFileSync(join(cwd, 'monitor.yaml'), `server: { port: 0 }\ndefaults: { interval: 5s }\ntargets:\n${targets.join('\n')}\n`);
  const monitor = spawn(process.execPath, [MAIN, 'monitor', '--config', 'monitor.yaml'], { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  try {
    const address = await addressOf(monitor);
    // Which target comes first in the metrics depends on whose first run ends first.
    const wanted = { production: 1, staging: 0 };
    await until(240, async () => {
      const text = await (await fetch(`${address}/metrics`)).text();
      const metric = (family: string, target: string): number =>
        Number(new RegExp(`^petstore_probe_${family}\\{target="${target}",check="smoke"\\} (\\d+)$`, 'm').exec(text)?.[1]);
      return Object.entries(wanted).every(
        ([target, success]) => metric('check_success', target) === success && metric('checks_total', target) >= RUNS,
      );
    });
    await photograph(browser, address, 'status.png', STATUS_WINDOW);
    await photograph(browser, `${address}/?target=staging`, 'failure.png', WINDOW);
  } finally {
    monitor.kill('SIGTERM');
    await Promise.all([good.close(), bad.close()]);
  }
}

let found: { readonly executablePath: string; readonly env: Readonly<Record<string, string>> } | undefined;
await setup({ provide: (_name: string, value: typeof found) => (found = value) } as never);
if (found === undefined) throw new Error('there is no Chromium: apt-get install chromium');
const browser = await chromium.launch({
  executablePath: found.executablePath,
  env: { ...found.env },
  args: ['--no-sandbox', '--disable-gpu'],
});
const cwd = mkdtempSync(join(tmpdir(), 'petstore-pictures-'));
await photographReport(browser, cwd);
await photographStatus(browser, cwd);
await browser.close();
rmSync(cwd, { recursive: true, force: true });
