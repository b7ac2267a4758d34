import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, inject, test } from 'vitest';
import { ownFolder } from '../support/program.ts';
import { needs } from '../support/tool.ts';
import { mustRun, runCommand } from './command.ts';
import { expectJudged, installTarball, LINUX_X64, NODE_VERSIONS, pathWithNode, writeManifest } from './install.ts';

const MEGABYTE = 1_000_000;
const OWN = join('node_modules', '@petstore-conformance', 'cli');

/** Every file below a folder, with its size and when it was written. */
function filesBelow(folder: string): readonly { readonly path: string; readonly size: number; readonly written: number }[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      const { size, mtimeMs } = statSync(path);
      return { path, size, written: mtimeMs };
    });
}

function consumer(...names: readonly string[]): string {
  const folder = join(ownFolder(), ...names);
  writeManifest(folder);
  return folder;
}

describe('the packed package', () => {
  test.for(NODE_VERSIONS)('judges the reference server on Node %s', async (version, context) => {
    needs(context, LINUX_X64);
    const folder = consumer('project');
    const PATH = await pathWithNode(version, join(folder, '..', 'node'));
    const command = await installTarball(folder, 'npm', { PATH });
    expect(await mustRun(['node', '--version'], { cwd: folder, env: { PATH } })).toBe(`v${version}\n`);
    await expectJudged(command, { cwd: folder, env: { PATH } });
  });

  test.for(['pnpm', 'yarn', 'yarn-classic'] as const)('is installed by %s', async (manager) => {
    const folder = consumer('project');
    // Yarn looks for a lockfile of the workspace that it is in.
    if (manager === 'yarn') writeFileSync(join(folder, 'yarn.lock'), '');
    const env = { YARN_ENABLE_TELEMETRY: '0', YARN_ENABLE_IMMUTABLE_INSTALLS: 'false' };
    await expectJudged(await installTarball(folder, manager, env), { cwd: folder, env });
  });

  test('reads nothing of a folder whose own vitest, vite and TypeScript are broken', async () => {
    const folder = consumer('project');
    const command = await installTarball(folder);
    const broken = 'throw new Error("the configuration of the user was read");';
    for (const name of ['vitest.config.ts', 'vite.config.ts', 'vitest.workspace.ts', 'postcss.config.js', 'conformance.test.js']) {
      writeFileSync(join(folder, name), broken);
    }
    writeFileSync(join(folder, 'tsconfig.json'), '{ "extends": "./missing.json", "compilerOptions": { "module": "broken" }');
    writeFileSync(join(folder, '.env.local'), 'PETSTORE_BASE_URL=http://127.0.0.1:1/v1');
    mkdirSync(join(folder, 'suites'));
    writeFileSync(join(folder, 'suites', 'conformance.test.js'), broken);
    await expectJudged(command, { cwd: folder });
  });

  test('works in a path with spaces, # and %20', async () => {
    const folder = consumer('a path', 'with # and %20', "it's [one] (more)");
    await expectJudged(await installTarball(folder), { cwd: folder });
  });

  test('writes nothing where it is installed, and runs where it cannot', async () => {
    const folder = consumer('project');
    const command = await installTarball(folder);
    const installed = join(folder, 'node_modules');
    const before = filesBelow(installed);
    for (const { path } of before) chmodSync(path, statSync(path).mode & 0o555);
    const folders = readdirSync(installed, { recursive: true, withFileTypes: true }).filter((entry) => entry.isDirectory());
    for (const { parentPath, name } of folders) chmodSync(join(parentPath, name), 0o555);
    await expectJudged(command, { cwd: folder });
    expect(filesBelow(installed)).toEqual(before);
    for (const { parentPath, name } of folders) chmodSync(join(parentPath, name), 0o755);
  });

  test.for([
    { what: 'everything', options: [], packages: 50, megabytes: 60 },
    { what: 'the probe alone', options: ['--omit=optional'], packages: 20, megabytes: 15 },
  ])('is within $packages packages and $megabytes MB: $what', async ({ options, packages, megabytes }) => {
    const folder = consumer('project');
    await installTarball(folder, 'npm', {}, options);
    const installed = (await mustRun(['npm', 'ls', '--all', '--parseable'], { cwd: folder })).trim().split('\n').slice(1);
    const size = filesBelow(join(folder, 'node_modules')).reduce((sum, file) => sum + file.size, 0);
    expect(installed.length).toBeLessThanOrEqual(packages);
    expect(size).toBeLessThanOrEqual(megabytes * MEGABYTE);
  });

  test('runs the probe without its optional dependencies, and `run` says what it lacks', async () => {
    const folder = consumer('project');
    const command = await installTarball(folder, 'npm', {}, ['--omit=optional']);
    const smoke = await runCommand([...command, 'smoke', '--reference'], { cwd: folder });
    expect(smoke.code, smoke.stderr).toBe(0);
    const run = await runCommand([...command, 'run', '--reference'], { cwd: folder });
    expect(run.code).toBe(2);
    expect(run.stderr).toContain('`run` needs vitest and vite, which are not installed');
    expect(run.stderr).not.toContain('    at ');
  });

  test('on a Node that is too old says what to do, and that works', async (context) => {
    needs(context, LINUX_X64);
    const folder = consumer('project');
    const PATH = await pathWithNode('20.19.0', join(folder, '..', 'node'));
    const command = await installTarball(folder, 'npm', { PATH });
    const rejected = await runCommand([...command, 'run', '--reference'], { cwd: folder, env: { PATH } });
    expect(rejected.code).toBe(2);
    const [addNode = '', again = ''] = ['npm install --save-dev node@24', 'npm exec -c "npm install"'].filter((one) =>
      rejected.stderr.includes(one),
    );
    await mustRun(addNode.split(' '), { cwd: folder, env: { PATH } });
    const incomplete = await runCommand([...command, 'run', '--reference'], { cwd: folder, env: { PATH } });
    expect(incomplete).toMatchObject({ code: 2, stderr: expect.stringContaining(again) });
    await mustRun(['npm', 'exec', '-c', 'npm install'], { cwd: folder, env: { PATH } });
    await expectJudged(command, { cwd: folder, env: { PATH } });
  });

  test('has types that resolve as its modules do', async () => {
    const attw = fileURLToPath(new URL('../../node_modules/.bin/attw', import.meta.url));
    await mustRun([attw, inject('tarball'), '--profile', 'esm-only'], { cwd: consumer('project') });
  });

  test('holds every file that its README and its docs link to', async () => {
    const folder = consumer('project');
    await installTarball(folder);
    const root = join(folder, OWN);
    const pages = filesBelow(root)
      .map(({ path }) => path)
      .filter((path) => path.endsWith('.md') && !path.includes('/dist/'));
    expect(pages.length).toBeGreaterThan(5);
    const broken = pages.flatMap((page) => {
      const text = readFileSync(page, 'utf8').replace(/```[\s\S]*?```/g, '');
      const targets = [...text.matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)/g)].map(([, target = '']) => target);
      return targets.filter((target) => !existsSync(join(page, '..', target))).map((target) => `${page.slice(root.length)}: ${target}`);
    });
    expect(broken).toEqual([]);
  });
});
