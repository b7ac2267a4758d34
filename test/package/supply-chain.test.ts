import { readFileSync } from 'node:fs';
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
  test('has a row in the table of dependencies, with its version, and the table has no other', () => {
    const rows = [...read('docs/internals/dependencies.md').matchAll(/^\| (\S+) +\| (\d\S+) +\|/gm)].map(([, name, version]) => [
      name,
      version,
    ]);
    expect(Object.fromEntries(rows)).toEqual({ ...manifest.dependencies, ...manifest.optionalDependencies });
  });

  test('is pinned to exact versions', () => {
    const versions = Object.values({ ...manifest.dependencies, ...manifest.optionalDependencies, ...manifest.devDependencies });
    expect(versions.length).toBeGreaterThan(10);
    expect(versions.filter((version) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
  });

  test('is at most 51 packages, this one included, of which the probe alone is 20', () => {
    const count = (names: readonly string[]): number => withDependencies(names, runsOnLinux).length + 1;
    const [all, probe] = [count(OF_ALL), count(OF_PROBE)];
    expect(probe).toBeGreaterThan(OF_PROBE.length);
    expect(probe).toBeLessThanOrEqual(20);
    expect(all).toBeGreaterThan(probe);
    expect(all).toBeLessThanOrEqual(51);
    expect(read('docs/internals/dependencies.md')).toMatch(new RegExp(`in ${probe} packages instead of \\d+ MB in ${all}\\.`));
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
