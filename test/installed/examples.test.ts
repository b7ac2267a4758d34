import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { mustRun, runCommand } from './command.ts';
import { installTarball, writeManifest } from './install.ts';

const RUNNERS = ['mocha@12.0.3', 'jest@30.5.2'];
const EXAMPLES = fileURLToPath(new URL('../../examples', import.meta.url));

describe('examples, next to the installed package', () => {
  let folder = '';
  let command: readonly string[] = [];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'petstore-conformance-examples-'));
    // As `npm init -y` of npm 11 writes it.
    writeManifest(folder, { type: 'commonjs' });
    command = await installTarball(folder);
    await mustRun(['npm', 'install', '--no-audit', '--no-fund', '--loglevel=error', ...RUNNERS], { cwd: folder });
    cpSync(EXAMPLES, join(folder, 'examples'), { recursive: true });
    return () => rmSync(folder, { recursive: true, force: true });
  }, 180_000);

  test('node:test', async () => {
    const output = await mustRun(['node', '--test', '--test-reporter=tap', 'examples/node-test.mts'], { cwd: folder });
    expect(output).toMatch(/^# pass \d{2,3}$/m);
    expect(output).toMatch(/^# fail 0$/m);
  });

  test('vitest', async () => {
    const output = await mustRun(['npx', '--no-install', 'vitest', 'run', 'examples/vitest.test.mts'], { cwd: folder });
    expect(output).toMatch(/Tests .*\d{2,3} passed/);
  });

  test('mocha', async () => {
    const output = await mustRun(['npx', '--no-install', 'mocha', 'examples/mocha.test.mjs'], { cwd: folder });
    expect(output).toMatch(/\d{2,3} passing/);
  });

  test('jest', async () => {
    const output = await runCommand(['npx', '--no-install', 'jest', '--rootDir', 'examples', 'jest.test.mjs'], {
      cwd: folder,
      env: { NODE_OPTIONS: '--experimental-vm-modules' },
    });
    expect(output.code, output.stderr).toBe(0);
    expect(output.stderr).toMatch(/Tests: +\d{2,3} passed, \d{2,3} total/);
  });

  test('own clauses', async () => {
    const args = ['run', '--reference', '--own-clauses', 'examples/own-clauses', '--depth', 'quick'];
    const { code, stdout, stderr } = await runCommand([...command, ...args], { cwd: folder });
    expect(code, stdout + stderr).toBe(0);
    // The reference server accepts names twice, which is a warning by the house rules.
    expect(stdout).toMatch(/^Conformant, with 1 warning: \d+ of \d+ clauses judged/m);
    expect(stdout).toContain('! acme:create.unique-names');
  });
});
