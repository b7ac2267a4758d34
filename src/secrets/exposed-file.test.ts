import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ownFolder } from '../../test/support/program.ts';
import { exposedFile } from './exposed-file.ts';

function withMode(mode: number): string {
  const file = join(ownFolder(), 'key');
  writeFileSync(file, 'key');
  chmodSync(file, mode);
  return file;
}

test.for([
  [0o644, 'everybody on this machine'],
  [0o604, 'everybody on this machine'],
  [0o660, 'its group'],
  [0o640, 'its group'],
] as const)('exposedFile names who can read a file of mode %o', ([mode, who]) => {
  const file = withMode(mode);
  expect(exposedFile(file, 'a key')).toBe(`${file} holds a key and ${who} can read it; "chmod 600 ${file}" makes it private`);
});

test.for([0o600, 0o400, 0o200])('exposedFile says nothing of mode %o', (mode) => {
  expect(exposedFile(withMode(mode), 'a key')).toBeUndefined();
});
