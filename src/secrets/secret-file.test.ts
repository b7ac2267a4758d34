import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ownFolder } from '../../test/support/program.ts';
import { exposedFile, LARGEST_SECRET_FILE, readBoundedFile } from './secret-file.ts';

test('readBoundedFile reads a file up to its limit, and no larger one', () => {
  const file = join(ownFolder(), 'file');
  writeFileSync(file, 'k'.repeat(LARGEST_SECRET_FILE));
  expect(readBoundedFile(file)).toBe('k'.repeat(LARGEST_SECRET_FILE));
  writeFileSync(file, 'k'.repeat(LARGEST_SECRET_FILE + 1));
  expect(() => readBoundedFile(file)).toThrow('it is larger than 64 KB');
});

test('readBoundedFile rejects anything but a regular file without opening it: a FIFO, a device, a folder', () => {
  const folder = ownFolder();
  execFileSync('mkfifo', [join(folder, 'fifo')]);
  mkdirSync(join(folder, 'folder'));
  for (const path of [join(folder, 'fifo'), join(folder, 'folder'), '/dev/zero'])
    expect(() => readBoundedFile(path)).toThrow('it is not a regular file');
});

test('readBoundedFile reads a file whose size is said to be 0', () => {
  expect(readBoundedFile('/proc/self/status')).toContain('Pid:');
});

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
