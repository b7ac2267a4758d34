import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { ownFolder } from '../support/own-folder.ts';
import { AMTOOL, KUBECTL, needs, PROMTOOL, SYSTEMD } from '../support/tool.ts';

const DEPLOY = fileURLToPath(new URL('../../deploy', import.meta.url));

function run(command: string, ...args: readonly string[]): { readonly status: number | null; readonly output: string } {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  return { status, output: stdout + stderr };
}

test('promtool finds nothing wrong with the configuration of compose', (context) => {
  needs(context, PROMTOOL);
  const folder = ownFolder();
  for (const file of ['compose/prometheus.yml', 'prometheus/petstore-probe.rules.yml'])
    cpSync(join(DEPLOY, file), join(folder, file.split('/')[1] ?? ''));
  const { status, output } = run('promtool', 'check', 'config', '--syntax-only', join(folder, 'prometheus.yml'));
  expect(status, output).toBe(0);
});

test('amtool finds nothing wrong with the configuration of compose', (context) => {
  needs(context, AMTOOL);
  const { status, output } = run('amtool', 'check-config', join(DEPLOY, 'compose', 'alertmanager.yml'));
  expect(status, output).toBe(0);
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
