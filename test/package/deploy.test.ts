import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PrometheusRule, ServiceMonitor } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1';
import { DCLinter } from 'dclint';
import { Deployment } from 'kubernetes-models/apps/v1';
import { CronJob } from 'kubernetes-models/batch/v1';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import { ConfigMap, PersistentVolumeClaim, Service } from 'kubernetes-models/v1';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { Metrics } from '../../src/probe/metrics/metrics.ts';
import { listening, startProcess, until } from '../probe/running-monitor.ts';
import { ownFolder } from '../support/program.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string): string => readFileSync(join(ROOT, 'deploy', path), 'utf8');

type Manifest = { readonly apiVersion: string; readonly kind: string; readonly spec?: Readonly<Record<string, unknown>> };
type Model = new (data: never) => { validate(): void };

/** The kinds in the base; their schemas are those of Kubernetes and of the Prometheus operator. */
const MODELS: Readonly<Record<string, Model>> = {
  ...{ ConfigMap, CronJob, Deployment, NetworkPolicy, PersistentVolumeClaim, PrometheusRule, Service, ServiceMonitor },
};

const { resources } = parse(read('kubernetes/kustomization.yaml')) as { readonly resources: readonly string[] };
const manifests = resources.flatMap((file) =>
  parseAllDocuments(read(`kubernetes/${file}`), { version: '1.1' }).map((document) => ({ file, manifest: document.toJS() as Manifest })),
);

/** Throws for a value that the schema of its kind rejects. */
function validate(manifest: Manifest): void {
  const model = MODELS[manifest.kind];
  if (model === undefined) throw new Error(`there is no schema for the kind ${manifest.kind}`);
  new model(manifest as never).validate();
}

/** Type errors in these manifests: Kubernetes silently drops an unknown member. */
function unknownMembers(all: readonly Manifest[]): string {
  const folder = ownFolder();
  const lines = all.map(({ apiVersion, kind, ...rest }, index) => {
    const source = apiVersion.startsWith('monitoring.') ? '@kubernetes-models/prometheus-operator' : 'kubernetes-models';
    const type = `import('${source}/${apiVersion}').I${kind}`;
    return `export const manifest${index}: ${type} = ${JSON.stringify({ apiVersion, kind, ...rest })};`;
  });
  writeFileSync(join(folder, 'manifests.ts'), lines.join('\n'));
  const paths = Object.fromEntries(
    ['kubernetes-models', '@kubernetes-models/prometheus-operator'].map((name) => [
      `${name}/*`,
      [join(ROOT, 'node_modules', name, '*', 'index.d.ts')],
    ]),
  );
  const compilerOptions = { module: 'nodenext', target: 'es2024', strict: true, noEmit: true, skipLibCheck: true, types: [], paths };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['manifests.ts'] }));
  return spawnSync(process.execPath, [join(ROOT, 'node_modules', '.bin', 'tsc'), '-p', folder], { encoding: 'utf8' }).stdout;
}

describe('deploy/kubernetes', () => {
  test('has a workload, a job, and what Prometheus needs', () => {
    const kinds = manifests.map(({ manifest: { kind } }) => kind);
    expect(kinds).toEqual(
      expect.arrayContaining(['Deployment', 'CronJob', 'Service', 'NetworkPolicy', 'ServiceMonitor', 'PrometheusRule']),
    );
  });

  test.for(manifests)('fits the schema of its kind: $manifest.kind of $file', ({ manifest }) => {
    expect(() => validate(manifest)).not.toThrow();
    expect(() => validate({ ...manifest, metadata: 'wrong' } as Manifest)).toThrow('metadata');
  });

  test('has no member that its kinds do not know', () => {
    const all = manifests.map(({ manifest }) => manifest);
    expect(unknownMembers(all)).toBe('');
    const misspelled = all.map((manifest) =>
      manifest.kind === 'Deployment' ? { ...manifest, spec: { ...manifest.spec, replica: 1 } } : manifest,
    );
    expect(unknownMembers(misspelled)).toContain(`'"replica"' does not exist in type 'IDeploymentSpec'`);
  });
});

describe('deploy/compose/compose.yaml', () => {
  const linter = new DCLinter({ rules: {}, quiet: true, debug: false, exclude: [] });
  type Linted = { readonly messages: readonly { readonly type: string; readonly message: string }[] };

  function errorsIn(file: string): readonly string[] {
    const linted: readonly Linted[] = linter.lintFiles([file], false);
    return linted.flatMap(({ messages }) => messages.filter(({ type }) => type === 'error').map(({ message }) => message));
  }

  test('fits the schema of compose files', () => {
    expect(errorsIn(join(ROOT, 'deploy', 'compose', 'compose.yaml'))).toEqual([]);
    const wrong = join(ownFolder(), 'compose.yaml');
    writeFileSync(wrong, read('compose/compose.yaml').replace('read_only: true', 'read_only: true\n    readonly: true'));
    expect(errorsIn(wrong).join()).toContain('instancePath="/services/probe"');
  });
});

const readShipped = (path: string): string => readFileSync(new URL(`../../deploy/${path}`, import.meta.url), 'utf8');

type Container = { readonly securityContext: unknown; readonly resources: { readonly requests?: { readonly memory?: string } } };
type PodSpec = {
  readonly automountServiceAccountToken: boolean;
  readonly securityContext: { readonly runAsNonRoot: boolean; readonly fsGroup?: number };
  readonly containers: readonly Container[];
  readonly volumes: readonly { readonly secret?: { readonly defaultMode?: number } }[];
};
type Pod = { readonly metadata: { readonly labels: Readonly<Record<string, string>> }; readonly spec: PodSpec };
type Workload = {
  readonly kind: string;
  readonly spec: {
    readonly template?: Pod;
    readonly jobTemplate?: { readonly spec: { readonly template: Pod } };
    readonly podSelector?: { readonly matchLabels: Readonly<Record<string, string>> };
    readonly policyTypes?: readonly string[];
  };
};

/** Parsed as by kubectl, in whose YAML 0400 is octal. */
function manifestsIn(file: string): readonly Workload[] {
  return parseAllDocuments(readShipped(`kubernetes/${file}`), { version: '1.1' }).map((document) => {
    expect(document.errors).toEqual([]);
    return document.toJS() as Workload;
  });
}

describe.for(['monitor.yaml', 'smoke-cronjob.yaml'])('deploy/kubernetes/%s', (file) => {
  const all = manifestsIn(file);
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
    const metrics = new Metrics('0');
    const shown = new Set([...metrics.text().matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name));
    const asked = [...readShipped('prometheus/petstore-probe.rules.yml').matchAll(/(?<!:)\bpetstore_probe_\w+/g)].map(([name]) =>
      name.replace(/_bucket$/, ''),
    );
    expect(asked).toEqual(expect.arrayContaining(['petstore_probe_target_down', 'petstore_probe_target_maintenance']));
    expect(asked.filter((name) => !shown.has(name))).toEqual([]);
  });
});

describe('deploy/systemd/petstore-probe.service', () => {
  const unit = readShipped('systemd/petstore-probe.service');

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

/** The address of the inspector that a SIGUSR1 has opened in a process started with these options; `undefined` as text if there is none. */
function inspectorOf(options: readonly string[], env: Readonly<Record<string, string>> = {}): string {
  const look = `import { url } from 'node:inspector';
const begin = performance.now();
process.kill(process.pid, 'SIGUSR1');
while (url() === undefined && performance.now() - begin < 1000) await new Promise(setImmediate);
console.log(url());
process.exit();`;
  const args = ['--inspect-port=0', ...options, '--input-type=module', '--eval', look];
  return spawnSync(process.execPath, args, { encoding: 'utf8', env: { PATH: process.env['PATH'], ...env } }).stdout.trim();
}

test('Nobody can open an inspector in a probe that is started as deploy/ starts it.', () => {
  for (const name of ['probe', 'smoke']) {
    const [, NODE_OPTIONS = ''] = /^Environment="?NODE_OPTIONS=([^"\n]*)"?$/m.exec(readShipped(`systemd/petstore-${name}.service`)) ?? [];
    expect(inspectorOf([], { NODE_OPTIONS })).toBe('undefined');
  }
  const [, entry = ''] = /^ENTRYPOINT (.*)$/m.exec(readShipped('container/Containerfile')) ?? [];
  const [, ...words] = JSON.parse(entry) as string[];
  expect(inspectorOf(words.slice(0, -1))).toBe('undefined');
  expect(inspectorOf([])).toMatch(/^ws:/);
});

describe('deploy/container/Containerfile', () => {
  const file = readShipped('container/Containerfile');

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
