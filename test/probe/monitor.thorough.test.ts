import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ownFolder, runProgram } from '../support/program.ts';
import { isSigned, startMonitor, startReceiver, startTarget, until } from './running-monitor.ts';
import { KEY, SECRET } from './samples.ts';

const text = async (url: string): Promise<string> => (await fetch(url)).text();

describe('monitor', () => {
  test('Alerts about a target that breaks and recovers are signed and sent at least once, and everything shown is clean.', async () => {
    const target = await startTarget();
    const { url: webhook, messages } = await startReceiver((number) => (number < 2 ? 503 : 204));
    const monitor = await startMonitor(
      `server: { port: 0 }
data: { folder: data }
webhooks:
  - { name: on-call, url: "${webhook}", secret: env:SECRET }
targets:
  - { name: production, baseUrl: "${target.baseUrl}", apiKey: env:KEY, interval: 5s, latencyLimit: 10s }
`,
      ownFolder(),
    );
    const { url, output: details } = monitor;
    await until('the target is up', async () => (await monitor.health()) === 'up', { details });
    target.set('nonsense');
    await until('the target is down', async () => (await monitor.health()) === 'down', { details });
    const page = await text(`${url}/`);
    expect(page).not.toContain('<script');
    expect(page).toContain('Down</span>');
    const shown = await text(`${url}/?public`);
    expect(shown).not.toContain('127.0.0.1');
    expect(shown).not.toContain('oops');
    await until('the third try of the alert arrives', () => messages.length >= 3, { details });
    target.set('well');
    await until('the end is told', () => messages.some(({ body }) => body.includes('"resolved"')), { details });
    const firing = messages.filter(({ body }) => body.includes('"firing"'));
    expect(new Set(firing.map(({ id }) => id)).size).toBe(1);
    expect(firing).toHaveLength(3);
    expect(messages.every(isSigned)).toBe(true);
    const metrics = await monitor.metrics();
    for (const output of [page, shown, metrics, monitor.output(), ...messages.map(({ body }) => body)]) {
      expect(output).not.toContain(KEY);
      expect(output).not.toContain(SECRET);
    }
    expect(metrics).toMatch(/petstore_probe_check_failures_total\{target="production",check="smoke",reason="dns"\} 0/);
    expect((await fetch(`${url}/probe?target=http://127.0.0.1:1/`)).status).toBe(404);
    monitor.child.kill('SIGTERM');
    expect(await once(monitor.child, 'exit')).toEqual([0, null]);
  });

  test('--check-config ends with 2 and names line and field.', async () => {
    const cwd = ownFolder();
    writeFileSync(join(cwd, 'monitor.yaml'), 'targets:\n  - { name: a, baseUrl: "https://x/v1", apiKey: plain }\n');
    const ended = await runProgram(['monitor', '--check-config', '--config', 'monitor.yaml'], { cwd });
    expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining(':2: targets[0].apiKey') });
  });
});
