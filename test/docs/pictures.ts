// `npm run docs:pictures`: the pictures of the README, from real runs against the reference server.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Browser, chromium } from 'playwright-core';
import { startReference } from '../../src/reference/server.ts';
import { MAIN, runProgram } from '../support/program.ts';
import { setup } from '../support/unpack-browser.ts';

const KEY = 'pictures-6Qw2zX8tB4vR';
const PORT = 9464;
const FOLDER = fileURLToPath(new URL('../../docs/pictures/', import.meta.url));
const WINDOW = { width: 1100, height: 720 } as const;

async function photograph(browser: Browser, url: string, name: string): Promise<void> {
  const page = await browser.newPage({ viewport: WINDOW, colorScheme: 'light' });
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

async function until(seconds: number, holds: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + seconds * 1000;
  while (!(await holds().catch(() => false))) {
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
  writeFileSync(join(cwd, 'monitor.yaml'), `server: { port: ${PORT} }\ndefaults: { interval: 10s }\ntargets:\n${targets.join('\n')}\n`);
  const monitor = spawn(process.execPath, [MAIN, 'monitor', '--config', 'monitor.yaml'], { cwd, stdio: 'ignore' });
  try {
    const address = `http://127.0.0.1:${PORT}`;
    const known = /check_success\{[^}]*"production"[^}]*\} 1[\s\S]*check_success\{[^}]*"staging"[^}]*\} 0/;
    await until(240, async () => known.test(await (await fetch(`${address}/metrics`)).text()));
    await photograph(browser, address, 'status.png');
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
