import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

type Manifest = {
  readonly dependencies: Readonly<Record<string, string>>;
  /** Installed unless only the probe is wanted. */
  readonly optionalDependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly scripts: Readonly<Record<string, string>>;
  readonly publishConfig: { readonly access: string; readonly provenance: boolean };
};
type Locked = {
  readonly integrity?: string;
  /** For a package that supports some platforms only. */
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
  readonly hasInstallScript?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
};

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const manifest = JSON.parse(read('package.json')) as Manifest;
const { packages } = JSON.parse(read('package-lock.json')) as { packages: Readonly<Record<string, Locked>> };

/** The path of a package in the lockfile, as Node resolves it from another one; undefined if it is left out. */
function locate(name: string, from: string): string | undefined {
  const path = `${from === '' ? '' : `${from}/`}node_modules/${name}`;
  if (path in packages || from === '') return path in packages ? path : undefined;
  return locate(name, from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/'))));
}

type Entry = readonly [path: string, locked: Locked];

/** What npm installs for these packages on supported platforms, including their dependencies, optional ones, and required peers. */
function withDependencies(names: readonly string[], runs: (locked: Locked) => boolean): readonly Entry[] {
  const found = new Map<string, Locked>();
  function add(wanted: readonly string[], from: string): void {
    for (const path of wanted.map((name) => locate(name, from))) {
      const locked = path === undefined || found.has(path) ? undefined : packages[path];
      if (path === undefined || locked === undefined || !runs(locked)) continue;
      found.set(path, locked);
      const { dependencies, optionalDependencies, peerDependencies = {}, peerDependenciesMeta = {} } = locked;
      const peers = Object.keys(peerDependencies).filter((name) => peerDependenciesMeta[name]?.optional !== true);
      add([...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers], path);
    }
  }
  add(names, '');
  return [...found];
}

const OF_PROBE = Object.keys(manifest.dependencies);
const OF_ALL = [...OF_PROBE, ...Object.keys(manifest.optionalDependencies)];
const installed = withDependencies(OF_ALL, () => true);

function runsOnLinux({ os, cpu, libc }: Locked): boolean {
  const allows = (values: readonly string[] | undefined, mine: string): boolean => values === undefined || values.includes(mine);
  return allows(os, 'linux') && allows(cpu, 'x64') && allows(libc, 'glibc');
}

describe('what users install', () => {
  test('has a reason in the table of dependencies, and the table has no other', () => {
    const [, section = ''] = /^## Dependencies$([\s\S]*?)^## /m.exec(read('CONTRIBUTING.md')) ?? [];
    const rows = [...section.matchAll(/^\| (@?[a-z][\w/-]*) +\| \S/gm)].map(([, name]) => name);
    expect(rows.toSorted()).toEqual(['package', ...OF_ALL].toSorted());
  });

  test('is pinned to exact versions', () => {
    const versions = Object.values({ ...manifest.dependencies, ...manifest.optionalDependencies, ...manifest.devDependencies });
    expect(versions.length).toBeGreaterThan(10);
    expect(versions.filter((version) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
  });

  test('is at most 55 packages, this one included, of which the probe alone is 20', () => {
    const count = (names: readonly string[]): number => withDependencies(names, runsOnLinux).length + 1;
    const [all, probe] = [count(OF_ALL), count(OF_PROBE)];
    expect(probe).toBeGreaterThan(OF_PROBE.length);
    expect(probe).toBeLessThanOrEqual(20);
    expect(all).toBeGreaterThan(probe);
    expect(all).toBeLessThanOrEqual(55);
    expect(read('docs/pipelines.md')).toMatch(new RegExp(`^${all} packages, [^]* installs ${probe} packages, `, 'm'));
  });

  test('runs no script on installation, on Linux and Windows', () => {
    expect(installed.length).toBeGreaterThan(40);
    expect(installed.filter(([, { hasInstallScript, os }]) => hasInstallScript && String(os) !== 'darwin').map(([path]) => path)).toEqual(
      [],
    );
    const hooks = ['preinstall', 'install', 'postinstall', 'prepare'];
    expect(Object.keys(manifest.scripts).filter((name) => hooks.includes(name))).toEqual([]);
  });

  test('is locked by hash', () => {
    expect(installed.filter(([, { integrity }]) => !integrity?.startsWith('sha512-')).map(([path]) => path)).toEqual([]);
  });

  test('is published with provenance', () => {
    expect(manifest.publishConfig).toEqual({ access: 'public', provenance: true });
  });
});

const ROOT = new URL('../../', import.meta.url);
const textIn = (path: string): string => readFileSync(new URL(path, ROOT), 'utf8');
const { name, version } = JSON.parse(textIn('package.json')) as { name: string; version: string };

const inFolder = (folder: string): string[] =>
  readdirSync(new URL(folder, ROOT), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name: file }) => relative(fileURLToPath(ROOT), join(parentPath, file)));
/** Everything that tells somebody, or some machine, what to install. */
const SHIPPED = [...inFolder('deploy'), ...inFolder('docs'), 'README.md', 'action.yml'].filter((path) => existsSync(new URL(path, ROOT)));
const deployed = SHIPPED.filter((path) => path.startsWith('deploy/') || path === 'action.yml');

/** All matches, with their files. */
function found(pattern: RegExp, files: readonly string[]): readonly (readonly [file: string, text: string])[] {
  return files.flatMap((file) => [...textIn(file).matchAll(pattern)].map(([, text = '']) => [file, text.trim()] as const));
}

describe('what is installed by its name', () => {
  const installed = found(/(?:npm (?:install|i)|npx|npm exec)((?: +--?[\w=-]+)*(?: +[^\s`'"|&;]+)?)/g, SHIPPED)
    .map(([file, words]) => [file, words.split(/ +/).find((word) => !word.startsWith('-')) ?? ''] as const)
    .filter(([, word]) => word.includes('petstore'));

  test('is this package, whose name only the owner of its scope can use', () => {
    expect(name).toMatch(/^@[a-z][a-z-]*\/[a-z][a-z-]*$/);
    expect(installed.length).toBeGreaterThan(2);
    expect(installed.filter(([, word]) => word !== name && word !== `${name}@${version}`)).toEqual([]);
  });

  test('is exactly this version if a machine installs it', () => {
    const templates = installed.filter(([file]) => deployed.includes(file));
    expect(templates.map(([file]) => file)).toEqual(expect.arrayContaining(['deploy/ci/github-actions.yml', 'deploy/ci/gitlab-ci.yml']));
    expect(templates.filter(([, word]) => word !== `${name}@${version}`)).toEqual([]);
  });

  test('runs no script on installation, and has no key within reach', () => {
    for (const file of ['deploy/ci/github-actions.yml', 'deploy/ci/gitlab-ci.yml']) expect(textIn(file)).not.toMatch(/npx|npm exec/);
    const installs = found(/^(.*npm (?:install|ci).*)$/gm, deployed).filter(([, line]) => !line.startsWith('#'));
    expect(installs.length).toBeGreaterThan(2);
    expect(installs.filter(([, line]) => !line.includes('--ignore-scripts'))).toEqual([]);
    expect(textIn('deploy/ci/gitlab-ci.yml')).toMatch(/env --unset=PETSTORE_API_KEY npm install/);
    const [beforeRun = ''] = textIn('deploy/ci/github-actions.yml').split('petstore-conformance run');
    expect(beforeRun.slice(beforeRun.indexOf('steps:'))).not.toContain('PETSTORE_API_KEY');
  });

  test('is where the unit looks for its documentation', () => {
    expect(textIn('deploy/systemd/petstore-probe.service')).toContain(`Documentation=file:/usr/lib/node_modules/${name}/README.md\n`);
  });
});

describe('what is pulled', () => {
  test('is an action pinned by its commit, with the version next to it', () => {
    const actions = found(/^\s*(?:- )?uses: (.+)$/gm, [...deployed, '.github/workflows/release.yml']).filter(
      ([, action]) => !action.startsWith('./'),
    );
    expect(actions.length).toBeGreaterThan(1);
    expect(actions.filter(([, action]) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action))).toEqual([]);
  });

  test('is an image pinned by its digest, with the version next to it', () => {
    const images = [...found(/^\s*(?:- )?image: (.+)$/gm, deployed), ...found(/^ARG BASE=(.+)$/gm, deployed)];
    expect(images.length).toBeGreaterThan(3);
    expect(images.filter(([, image]) => !/^[\w.-]+\.[a-z]+\/[\w./-]+:v?\d+\.\d+\.\d+(?:-slim)?@sha256:[0-9a-f]{64}$/.test(image))).toEqual(
      [],
    );
    const bases = images.map(([, image]) => image).filter((image) => image.includes('/library/node:'));
    expect(bases.length).toBeGreaterThan(1);
    expect(new Set(bases).size).toBe(1);
    const [, node = ''] = /node:(\d+\.\d+\.\d+)/.exec(bases[0] ?? '') ?? [];
    expect(textIn('deploy/ci/github-actions.yml')).toContain(`node-version: ${node} }`);
  });

  test('is what the lock file says, if an image is built', () => {
    const file = textIn('deploy/container/Containerfile');
    expect(file).toMatch(/^COPY package\.json package-lock\.json \.npmrc \.\/$/m);
    expect(file).toMatch(/^RUN npm ci --omit=dev --workspaces=false --ignore-scripts/m);
  });
});
