import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { startMonitor, startTarget, until } from '../probe/running-monitor.ts';
import { ownFolder } from '../support/program.ts';
import { AMTOOL, KUBECTL, needs, PROMTOOL, SYSTEMD } from '../support/tool.ts';

const DEPLOY = fileURLToPath(new URL('../../deploy', import.meta.url));

function run(command: string, ...args: readonly string[]): { readonly status: number | null; readonly output: string } {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  return { status, output: stdout + stderr };
}

test('promtool finds nothing wrong with the configuration of compose', (context) => {
  needs(context, PROMTOOL);
  const folder = ownFolder();
  for (const file of ['compose/prometheus.yml', 'compose/watchdog.rules.yml', 'prometheus/petstore-probe.rules.yml'])
    cpSync(join(DEPLOY, file), join(folder, file.split('/')[1] ?? ''));
  const { status, output } = run('promtool', 'check', 'config', '--syntax-only', join(folder, 'prometheus.yml'));
  expect(status, output).toBe(0);
});

/** Fields of the version that compose pins, which that of Debian does not know: an address in a file, and Teams. */
const NEWER = /^ *- \{ (?:url_file|webhook_url_file): .*\n|^ *msteamsv2_configs:\n/gm;
const UNKNOWN = /field (\S+) not found/g;

/** The same without these fields. */
function olderOf(shipped: string): string {
  const older = join(ownFolder(), 'alertmanager.yml');
  const address = '      - { url: "http://localhost/", send_resolved: false }\n';
  writeFileSync(
    older,
    readFileSync(shipped, 'utf8').replace(NEWER, (field) => (field.includes('{ url_file') ? address : '')),
  );
  return older;
}

test.for(['compose', 'prometheus'])('amtool finds nothing wrong with alertmanager.yml of deploy/%s', (folder, context) => {
  needs(context, AMTOOL);
  const shipped = join(DEPLOY, folder, 'alertmanager.yml');
  const { status, output } = run('amtool', 'check-config', shipped);
  if (status === 0) return;
  const unknown = [...output.matchAll(UNKNOWN)].map(([, field]) => field);
  expect(['url_file', 'msteamsv2_configs'], output).toEqual(expect.arrayContaining(unknown));
  const again = run('amtool', 'check-config', olderOf(shipped));
  expect(again.status, again.output).toBe(0);
});

test.for([
  ['PetstoreTargetDown', 'page', 'on-call,team'],
  ['PetstoreFlapping', 'ticket', 'team'],
  ['PetstoreProbeAbsent', 'page', 'owner-of-the-probe,on-call,team'],
  ['PetstoreProbeDelayed', 'ticket', 'owner-of-the-probe'],
  ['Watchdog', 'none', 'heartbeat'],
] as const)('deploy/prometheus sends %s to whom it concerns', ([alertname, severity, receivers], context) => {
  needs(context, AMTOOL);
  const config = `--config.file=${olderOf(join(DEPLOY, 'prometheus', 'alertmanager.yml'))}`;
  const { status, output } = run('amtool', 'config', 'routes', 'test', config, `alertname=${alertname}`, `severity=${severity}`);
  expect(status, output).toBe(0);
  expect(output.split('\n')).toContain(receivers);
});

test('systemd finds nothing wrong with the timer and its service', (context) => {
  needs(context, SYSTEMD);
  const { output } = run(
    'systemd-analyze',
    'verify',
    ...['service', 'timer'].map((kind) => join(DEPLOY, 'systemd', `petstore-smoke.${kind}`)),
  );
  expect(
    output.split('\n').filter((line) => line.includes('petstore-smoke') && !/petstore-conformance is not executable/.test(line)),
  ).toEqual([]);
});

test('kustomize builds the base, and an overlay that sets the image', (context) => {
  needs(context, KUBECTL);
  const folder = ownFolder();
  cpSync(join(DEPLOY, 'kubernetes'), join(folder, 'base'), { recursive: true });
  mkdirSync(join(folder, 'overlay'));
  const image = `{ name: registry.example.com/petstore-conformance, newName: registry.acme.example/probe, digest: "sha256:${'0'.repeat(64)}" }`;
  writeFileSync(join(folder, 'overlay', 'kustomization.yaml'), `resources: [../base]\nnamespace: shop\nimages: [${image}]\n`);
  const { status, output } = run('kubectl', 'kustomize', join(folder, 'overlay'));
  expect(status, output).toBe(0);
  const kinds = parseAllDocuments(output).map((document) => (document.toJS() as { readonly kind: string }).kind);
  expect(kinds).toEqual(expect.arrayContaining(['Deployment', 'CronJob', 'ServiceMonitor', 'PrometheusRule', 'NetworkPolicy']));
  expect(output).not.toContain('registry.example.com');
});

const UNIT = fileURLToPath(new URL('../../deploy/systemd/petstore-probe.service', import.meta.url));
/** On a scale to ten, which is no protection at all. */
const MOST_EXPOSURE = 2;

function analyze(...args: readonly string[]): string {
  const { stdout, stderr } = spawnSync('systemd-analyze', [...args, UNIT], { encoding: 'utf8' });
  return stdout + stderr;
}

test('systemd finds nothing wrong with the unit, except that our program is not installed here', (context) => {
  needs(context, SYSTEMD);
  const lines = analyze('verify').split('\n');
  expect(lines.filter((line) => line.includes('petstore-probe.service') && !/petstore-conformance is not executable/.test(line))).toEqual(
    [],
  );
});

test('systemd calls the unit hardly exposed', (context) => {
  needs(context, SYSTEMD);
  const said = analyze('security', '--offline=true');
  const [, exposure = '10'] = /Overall exposure level for petstore-probe\.service: (\d+\.\d)/.exec(said) ?? [];
  expect(Number(exposure), said).toBeLessThanOrEqual(MOST_EXPOSURE);
});

/** What promtool says, on standard output and standard error. */
function promtool(args: readonly string[], options: { input?: string; cwd?: string } = {}): string {
  const { stdout, status } = spawnSync('sh', ['-c', 'promtool "$@" 2>&1', 'promtool', ...args], { ...options, encoding: 'utf8' });
  if (status !== 0) throw new Error(`promtool ${args.join(' ')} ended with ${status}: ${stdout}`);
  return stdout;
}

test('promtool finds nothing wrong with /metrics and /probe.', async (context) => {
  needs(context, PROMTOOL);
  const target = await startTarget();
  const entry = `name: production, baseUrl: "${target.baseUrl}", apiKey: env:KEY, interval: 10s`;
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
  for (const file of ['petstore-probe.rules.test.yml', 'petstore-slower.rules.test.yml'])
    expect(promtool(['test', 'rules', file], { cwd })).toContain('SUCCESS');
});
