import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROOT } from '../../bench/measure.ts';
import { runCommand } from '../../test/installed/command.ts';
import { ownFolder } from '../../test/support/program.ts';

const start = (...args: readonly string[]) =>
  runCommand([process.execPath, join(ROOT, 'corpora/peers/command.ts'), ...args], { cwd: ownFolder() });

describe('npm run -w corpora peers', () => {
  test('prints its usage for --help', async () => {
    const { code, stdout, stderr } = await start('--help');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^Usage: npm run -w corpora peers -- \[/);
  });

  test.each(['--nothing-like-it', 'nobody'])('says in one sentence what is wrong with %s', async (argument) => {
    const { code, stdout, stderr } = await start(argument);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^error: [^\n]+\n$/);
  });
});
