import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

type Manifest = {
  readonly dependencies: Readonly<Record<string, string>>;
  /** Installed unless somebody asks for the probe alone. */
  readonly optionalDependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly scripts: Readonly<Record<string, string>>;
  readonly publishConfig: { readonly access: string; readonly provenance: boolean };
};
type Locked = {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly dev?: boolean;
  /** Of a package for some platforms only. */
  readonly os?: readonly string[];
  readonly link?: boolean;
  readonly hasInstallScript?: boolean;
};

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const manifest = JSON.parse(read('package.json')) as Manifest;
const { packages } = JSON.parse(read('package-lock.json')) as { packages: Readonly<Record<string, Locked>> };
const installed = Object.entries(packages).filter(([path, { dev, link }]) => path.startsWith('node_modules/') && !dev && !link);

describe('what users install', () => {
  test('has a row in the table of dependencies, with its version, and the table has no other', () => {
    const rows = [...read('docs/dependencies.md').matchAll(/^\| (\S+) +\| (\d\S+) +\|/gm)].map(([, name, version]) => [name, version]);
    expect(Object.fromEntries(rows)).toEqual({ ...manifest.dependencies, ...manifest.optionalDependencies });
  });

  test('is pinned to exact versions', () => {
    const versions = Object.values({ ...manifest.dependencies, ...manifest.optionalDependencies, ...manifest.devDependencies });
    expect(versions.length).toBeGreaterThan(10);
    expect(versions.filter((version) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
  });

  test('runs no script on installation, on Linux and Windows', () => {
    expect(installed.length).toBeGreaterThan(20);
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
