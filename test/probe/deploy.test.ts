import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { basename } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { createMetrics } from '../../src/probe/metrics/metrics.ts';
import { listening, startProcess, until } from './running-monitor.ts';

const read = (path: string): string => readFileSync(new URL(`../../deploy/${path}`, import.meta.url), 'utf8');

type Container = { readonly securityContext: unknown; readonly resources: { readonly requests?: { readonly memory?: string } } };
type PodSpec = {
  readonly automountServiceAccountToken: boolean;
  readonly securityContext: { readonly runAsNonRoot: boolean; readonly fsGroup?: number };
  readonly containers: readonly Container[];
  readonly volumes: readonly { readonly secret?: { readonly defaultMode?: number } }[];
};
type Pod = { readonly metadata: { readonly labels: Readonly<Record<string, string>> }; readonly spec: PodSpec };
type Manifest = {
  readonly kind: string;
  readonly spec: {
    readonly template?: Pod;
    readonly jobTemplate?: { readonly spec: { readonly template: Pod } };
    readonly podSelector?: { readonly matchLabels: Readonly<Record<string, string>> };
    readonly policyTypes?: readonly string[];
  };
};

/** Parsed as by kubectl, in whose YAML 0400 is octal. */
function manifests(file: string): readonly Manifest[] {
  return parseAllDocuments(read(`kubernetes/${file}`), { version: '1.1' }).map((document) => {
    expect(document.errors).toEqual([]);
    return document.toJS() as Manifest;
  });
}

describe.for(['monitor.yaml', 'smoke-cronjob.yaml'])('deploy/kubernetes/%s', (file) => {
  const all = manifests(file);
  const pod = all.map(({ spec }) => spec?.template ?? spec?.jobTemplate?.spec.template).find((one) => one !== undefined);
  if (pod === undefined) throw new Error(`${file} has no pod`);

  test('Its secrets are readable by root and, by fsGroup, by the probe, and by nobody else.', () => {
    const modes = pod.spec.volumes.flatMap(({ secret }) => (secret === undefined ? [] : [secret.defaultMode]));
    expect(modes).toEqual([0o400]);
    expect(pod.spec.securityContext).toMatchObject({ runAsNonRoot: true, fsGroup: 1000 });
    expect(pod.spec.automountServiceAccountToken).toBe(false);
  });

  test('Its containers ask for memory, write nowhere and have no capabilities.', () => {
    for (const { resources, securityContext } of pod.spec.containers) {
      expect(resources.requests?.memory).toMatch(/^\d+Mi$/);
      expect(securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
    }
  });

  test('A network policy is about its pods, in both directions.', () => {
    const [policy, ...others] = all.filter(({ kind }) => kind === 'NetworkPolicy');
    expect(others).toEqual([]);
    expect(policy?.spec.podSelector?.matchLabels).toEqual(pod.metadata.labels);
    expect(policy?.spec.policyTypes).toEqual(['Ingress', 'Egress']);
  });
});

describe('deploy/prometheus/petstore-probe.rules.yml', () => {
  test('Every metric in it is one that a monitor shows.', () => {
    const metrics = createMetrics('0');
    const shown = new Set([...metrics.text().matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name));
    const asked = [...read('prometheus/petstore-probe.rules.yml').matchAll(/(?<!:)\bpetstore_probe_\w+/g)].map(([name]) => name);
    expect(asked).toEqual(expect.arrayContaining(['petstore_probe_target_down', 'petstore_probe_target_maintenance']));
    expect(asked.filter((name) => !shown.has(name))).toEqual([]);
  });
});

describe('deploy/systemd/petstore-probe.service', () => {
  const unit = read('systemd/petstore-probe.service');

  test('What it names as its documentation is in the package.', () => {
    const { files } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { files: readonly string[] };
    const [, path = ''] = /^Documentation=file:\/usr\/lib\/node_modules\/@[\w-]+\/[\w-]+\/(.+)$/m.exec(unit) ?? [];
    expect(files).toContain(path);
    expect(existsSync(new URL(`../../${basename(path)}`, import.meta.url))).toBe(true);
  });

  test('It removes permissions that a monitor does not need.', () => {
    const wanted = ['UMask=0077', 'StateDirectoryMode=0700', 'SystemCallFilter=@system-service', 'SystemCallArchitectures=native'];
    const yes = ['ProtectClock', 'ProtectHostname', 'ProtectKernelLogs', 'PrivateUsers', 'RestrictRealtime'].map((name) => `${name}=yes`);
    const lines = unit.split('\n');
    for (const line of [...wanted, ...yes, 'ProtectProc=invisible']) expect(lines).toContain(line);
  });
});

describe('deploy/container/Containerfile', () => {
  const file = read('container/Containerfile');

  test('Its health check passes while the monitor is healthy, and fails if it is unhealthy or missing.', async () => {
    const [, command = ''] = /^HEALTHCHECK .*CMD (\[.*\])$/m.exec(file) ?? [];
    let status = 200;
    const server = createServer((incoming, response) => response.writeHead(incoming.url === '/-/healthy' ? status : 404).end());
    const port = await listening(server);
    const check = async (): Promise<number | null> => {
      const [, ...args] = JSON.parse(command.replace(':9464/', `:${port}/`)) as string[];
      const { child } = await startProcess([process.execPath, ...args], { cwd: '/tmp' });
      await until('the check ends', () => child.exitCode !== null);
      return child.exitCode;
    };
    expect(await check()).toBe(0);
    status = 503;
    expect(await check()).toBe(1);
    server.closeAllConnections();
    server.close();
    expect(await check()).toBe(1);
  });

  test('It names its base in one place, which a build can replace, and does not run as root.', () => {
    expect(file.match(/^FROM .*$/gm)).toEqual(['FROM ${BASE} AS build', 'FROM ${BASE}']);
    expect(file).toMatch(/^ARG BASE=docker\.io\/library\/node:26\./m);
    expect(file.slice(file.lastIndexOf('FROM '))).toMatch(/^USER node$/m);
  });
});
