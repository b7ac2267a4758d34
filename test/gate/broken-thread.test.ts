import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ownFolder, runProgram } from '../support/program.ts';

/** What Node loads before the suite, in each thread or in those but the main one. */
const IN_THREADS = "import { isMainThread } from 'node:worker_threads';\nif (!isMainThread) ";

test.each([
  ['throws at its start', `${IN_THREADS}throw new Error('the hook broke');`, ['the hook broke']],
  ['ends by itself', `${IN_THREADS}process.exit(0);`, ['the judging thread ended by itself, with exit code 0: look at NODE_OPTIONS']],
  [
    "can't load what it needs under Yarn Plug'n'Play",
    `process.versions.pnp = '3';\n${IN_THREADS}throw new Error('some options are not supported by PnP');`,
    ['set `nodeLinker: node-modules` or `nodeLinker: pnpm` in .yarnrc.yml', 'some options are not supported by PnP'],
  ],
])('a judging thread that %s is no fault of the service: the suite itself broke, with the error', async (_what, hook, words) => {
  const cwd = ownFolder();
  const file = join(cwd, 'hook.mjs');
  writeFileSync(file, hook);
  const { code, stdout } = await runProgram(['run', '--reference', '--only', 'auth.valid-key'], {
    cwd,
    env: { NODE_OPTIONS: `--import=${file}` },
  });
  const text = stdout.replace(/\s+/g, ' ');
  expect(text).toContain('the suite itself broke');
  for (const said of words) expect(text).toContain(said);
  expect(text).not.toMatch(/FAIL|no required or implied clause/);
  expect(code).toBe(3);
});
