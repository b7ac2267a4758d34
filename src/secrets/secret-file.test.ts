import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ownFolder } from '../../test/support/program.ts';
import { exposedFile, LARGEST_SECRET_FILE, readBoundedFile } from './secret-file.ts';

test('readBoundedFile reads a file up to its limit, and no larger one', () => {
  const file = join(ownFolder(), 'file');
  writeFileSync(file, 'k'.repeat(LARGEST_SECRET_FILE));
  expect(readBoundedFile(file)).toBe('k'.repeat(LARGEST_SECRET_FILE));
  writeFileSync(file, 'k'.repeat(LARGEST_SECRET_FILE + 1));
  expect(() => readBoundedFile(file)).toThrow('it is larger than 64 KB');
});

test('readBoundedFile rejects a device and a folder', () => {
  for (const path of [ownFolder(), '/dev/zero']) expect(() => readBoundedFile(path)).toThrow('it is neither a regular file nor a pipe');
});

/** A named pipe, and a process that writes to it. */
function pipe(script: string): string {
  const fifo = join(ownFolder(), 'fifo');
  execFileSync('mkfifo', [fifo]);
  const writer = spawn('sh', ['-c', script], { env: { ...process.env, FIFO: fifo }, stdio: 'ignore' });
  onTestFinished(() => void writer.kill());
  return fifo;
}

test('readBoundedFile reads a pipe to its end, whenever its writer begins and however it pauses, and gives its text again', () => {
  const file = pipe('sleep 0.2; { printf first; sleep 0.2; printf second; } > "$FIFO"');
  expect(readBoundedFile(file)).toBe('firstsecond');
  expect(readBoundedFile(file)).toBe('firstsecond');
});

test('readBoundedFile reads no more of a pipe than the limit', () => {
  expect(() => readBoundedFile(pipe('yes > "$FIFO"'))).toThrow('it is larger than 64 KB');
});

test.for([
  ['without a writer', 'true', 'wrote nothing'],
  ['whose writer never ends', '{ printf x; sleep 60; } > "$FIFO"', 'did not end'],
] as const)('readBoundedFile gives up on a pipe %s', ([, script, words]) => {
  expect(() => readBoundedFile(pipe(script), { patience: 500 })).toThrow(`it is a pipe whose writer ${words} within 0.5 s`);
});

test.for([
  ['with a mark, little endian', Buffer.from('\uFEFFKEY=x', 'utf16le')],
  ['with a mark, big endian', Buffer.from('\uFEFFKEY=x', 'utf16le').swap16()],
  ['without one', Buffer.from('KEY=x', 'utf16le')],
] as const)('readBoundedFile names UTF-16 %s', ([, content]) => {
  const file = join(ownFolder(), 'file');
  writeFileSync(file, content);
  expect(() => readBoundedFile(file)).toThrow('it is in UTF-16: save it as UTF-8');
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
