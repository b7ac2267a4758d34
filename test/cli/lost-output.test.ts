import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ownFolder } from '../support/own-folder.ts';
import { runProgram } from '../support/program.ts';
import { DEV_FULL, needs } from '../support/tool.ts';

/** Output goes to a full device. */
const TO_FULL = ['/bin/sh', '-c', 'exec "$@" >/dev/full', 'sh'];

test.for([
  ['smoke', ['smoke', '--reference', '--textfile', 'a.prom'], 'a.prom'],
  ['run', ['run', '--reference', '--only', 'list.success'], join('reports', 'junit.xml')],
] as const)('%s whose output is lost says so in one sentence, writes its files and is exit 3', async ([, args, file], context) => {
  needs(context, DEV_FULL);
  const cwd = ownFolder();
  const { code, stderr } = await runProgram(args, { cwd, under: TO_FULL });
  expect(stderr).toMatch(/^error: the output could not be written: ENOSPC: .*$/m);
  expect(stderr).not.toMatch(/\n {4}at /);
  expect(code, stderr).toBe(3);
  expect(existsSync(join(cwd, file)), `${file} is there`).toBe(true);
  expect(readFileSync(join(cwd, file), 'utf8')).not.toBe('');
});
