import { copyFileSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, inject, test } from 'vitest';
import { parse } from 'yaml';
import { ownFolder } from '../support/program.ts';
import { runCommand } from './command.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

type Step = { readonly name?: string; readonly run?: string };
type Workflow = { readonly jobs: Readonly<Record<string, { readonly steps: readonly Step[] }>> };

const { jobs } = parse(readFileSync(join(ROOT, '.github/workflows/release.yml'), 'utf8')) as Workflow;

/** The command of a step. */
function commandOf(job: string, name: string): string {
  const run = jobs[job]?.steps.find((step) => step.name === name)?.run;
  if (run === undefined) throw new Error(`release.yml has no step "${name}" in ${job}`);
  return run;
}

describe('.github/workflows/release.yml', () => {
  test('has these steps, of which CI does all that need neither GitHub nor Docker', () => {
    const names = Object.entries(jobs).map(([job, { steps }]) => [job, steps.flatMap(({ name }) => name ?? [])]);
    expect(Object.fromEntries(names)).toEqual({
      package: ['all tests', 'rehearse', 'pack', 'lint', 'install', 'judge'],
      npm: ['fetch', 'publish'],
      image: ['build', 'judge', 'log in', 'push'],
    });
    expect(commandOf('package', 'all tests')).toContain('.ci/run');
    expect(commandOf('package', 'pack')).toMatch(/npm pack --pack-destination packed$/);
  });

  test('finds nothing wrong in a rehearsal', async () => {
    const command = commandOf('package', 'rehearse');
    expect(command).toMatch(/ -- --final$/);
    // What is left to do before a real release is no failure here.
    const { code, stdout, stderr } = await runCommand(['sh', '-c', command.replace(' -- --final', '')], { cwd: ROOT });
    expect(code, stdout + stderr).toBe(0);
    expect(stdout).not.toContain('wrong:');
  });

  test('lints, installs, and tries the packed file, and publishes it', async () => {
    const cwd = ownFolder();
    mkdirSync(join(cwd, 'packed'));
    copyFileSync(inject('tarball'), join(cwd, 'packed', basename(inject('tarball'))));
    symlinkSync(join(ROOT, 'node_modules'), join(cwd, 'node_modules'));
    const dryRun = commandOf('npm', 'publish').replace('npm publish', 'npm publish --dry-run');
    for (const command of [commandOf('package', 'lint'), commandOf('package', 'install'), commandOf('package', 'judge'), dryRun]) {
      const { code, stdout, stderr } = await runCommand(['bash', '-e', '-c', command], { cwd });
      expect(code, command + stdout + stderr).toBe(0);
    }
  });
});
