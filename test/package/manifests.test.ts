import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PrometheusRule, ServiceMonitor } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1';
import { DCLinter } from 'dclint';
import { Deployment } from 'kubernetes-models/apps/v1';
import { CronJob } from 'kubernetes-models/batch/v1';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import { ConfigMap, PersistentVolumeClaim, Service } from 'kubernetes-models/v1';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { ownFolder } from '../support/own-folder.ts';

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
