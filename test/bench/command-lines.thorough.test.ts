import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROOT } from '../../bench/measure.ts';
import { runCommand } from '../installed/command.ts';
import { ownFolder } from '../support/program.ts';

const SCRIPTS = ['bench/gate.ts', 'bench/first-failure.ts', 'bench/probe.ts', 'proof/figures.ts', 'proof/golden.ts', 'proof/serve.ts'];

const start = (script: string, ...args: readonly string[]) =>
  runCommand([process.execPath, join(ROOT, script), ...args], { cwd: ownFolder() });

describe('a program that measures', () => {
  test.each(SCRIPTS)('%s prints its usage for --help', async (script) => {
    const { code, stdout, stderr } = await start(script, '--help');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^Usage: npm run (?:bench|prove):[a-z-]+ -- \[/);
  });

  test.each([
    ...SCRIPTS.map((script) => [script, '--nothing-like-it']),
    ['bench/gate.ts', '--rounds'],
    ['bench/gate.ts', '--rounds', 'few'],
    ['bench/gate.ts', '--only', 'no such case'],
    ['bench/first-failure.ts', '--judge', 'deep'],
    ['bench/first-failure.ts', '--from', 'missing.jsonl'],
    ['bench/probe.ts', '5'],
    ['bench/probe.ts', '30', 'many'],
    ['bench/probe.ts', '30', '1', '0', 'ssl'],
    ['proof/figures.ts', 'one.jsonl', 'two.jsonl'],
    ['proof/golden.ts', '--from', 'missing.jsonl'],
    ['proof/serve.ts', 'no-such-fault'],
  ])('%s says in one sentence what is wrong with %s %s', async (script, ...args) => {
    const { code, stdout, stderr } = await start(script, ...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^error: [^\n]+\n$/);
  });
});
