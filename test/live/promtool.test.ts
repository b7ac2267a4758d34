import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { startMonitor, startTarget, until } from '../probe/running-monitor.ts';
import { ownFolder } from '../support/own-folder.ts';
import { needs, PROMTOOL } from '../support/tool.ts';

/** What promtool says, on standard output and standard error. */
function promtool(args: readonly string[], options: { input?: string; cwd?: string } = {}): string {
  return execFileSync('sh', ['-c', 'promtool "$@" 2>&1', 'promtool', ...args], { ...options, encoding: 'utf8' });
}

test('promtool finds nothing wrong with /metrics and /probe.', async (context) => {
  needs(context, PROMTOOL);
  const target = await startTarget();
  const entry = `name: production, baseUrl: "${target.baseUrl}", apiKey: env:KEY, interval: 10s, writes: { perDay: 24, lifetime: 30 }`;
  const monitor = await startMonitor(`server: { port: 0 }\ndata: { folder: data }\ntargets:\n  - { ${entry} }\n`, ownFolder());
  await until('the target is up', async () => (await monitor.health()) === 'up', { details: monitor.output });
  const probed = await fetch(`${monitor.url}/probe?target=production`, { headers: { 'x-prometheus-scrape-timeout-seconds': '5' } });
  for (const input of [await monitor.metrics(), await probed.text()]) {
    expect(input).toContain('petstore_probe_');
    expect(promtool(['check', 'metrics'], { input })).toBe('');
  }
});

test('The shipped rules are sound, and one lost run pages nobody.', (context) => {
  needs(context, PROMTOOL);
  const cwd = 'deploy/prometheus';
  expect(promtool(['check', 'rules', 'petstore-probe.rules.yml'], { cwd })).toContain('SUCCESS');
  expect(promtool(['test', 'rules', 'petstore-probe.rules.test.yml'], { cwd })).toContain('SUCCESS');
});
