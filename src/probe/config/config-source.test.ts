import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ownFolder } from '../../../test/support/program.ts';
import { createConfigSource } from './config-source.ts';

/** A source that reads one file, and others that it names, one a line. */
function setUp(text = '') {
  const folder = ownFolder();
  const file = join(folder, 'main');
  writeFileSync(file, text);
  const source = createConfigSource((onFile) => {
    const read = (path: string): string => {
      onFile(path);
      return readFileSync(path, 'utf8');
    };
    const main = read(file);
    if (main.includes('invalid')) throw new Error('it is invalid');
    return [
      main,
      ...main
        .split('\n')
        .filter(Boolean)
        .map((name) => read(join(folder, name))),
    ];
  });
  return { folder, file, source, look: () => source.hasChanged() };
}

describe('createConfigSource', () => {
  test('A change counts once two looks have seen the same, and until it is read.', () => {
    const { file, source, look } = setUp();
    source.read();
    expect([look(), look()]).toEqual([false, false]);
    writeFileSync(file, '\n');
    expect([look(), look(), look()]).toEqual([false, true, true]);
    source.read();
    expect([look(), look()]).toEqual([false, false]);
  });

  test('What is still being written is not read.', () => {
    const { file, source, look } = setUp();
    source.read();
    const seen = [1, 2, 3, 4].map((lines) => {
      writeFileSync(file, '\n'.repeat(lines));
      return look();
    });
    expect([...seen, look()]).toEqual([false, false, false, false, true]);
  });

  test('Two changes within one tick of the clock, of the same size, are two.', () => {
    const { folder, source, look } = setUp('other');
    const other = join(folder, 'other');
    writeFileSync(other, 'first');
    expect(source.read()[1]).toBe('first');
    const now = new Date();
    writeFileSync(other, 'again');
    utimesSync(other, now, now);
    expect([look(), look()]).toEqual([false, true]);
    expect(source.read()[1]).toBe('again');
  });

  test('The same content, touched or written again, is no change; what was changed back is none either.', () => {
    const { file, source, look } = setUp('');
    source.read();
    utimesSync(file, new Date(), new Date());
    expect([look(), look()]).toEqual([false, false]);
    renameSync(file, `${file}.old`);
    writeFileSync(file, '');
    expect([look(), look()]).toEqual([false, false]);
    writeFileSync(file, '\n');
    expect(look()).toBe(false);
    writeFileSync(file, '');
    expect([look(), look()]).toEqual([false, false]);
  });

  test('Links that are swapped, as Kubernetes does it, lead to another content.', () => {
    const { folder, source, look } = setUp('config/waivers\n');
    mkdirSync(join(folder, 'config'));
    const publish = (name: string): void => {
      mkdirSync(join(folder, 'config', name));
      writeFileSync(join(folder, 'config', name, 'waivers'), name);
      symlinkSync(name, join(folder, 'config', '..data_tmp'));
      renameSync(join(folder, 'config', '..data_tmp'), join(folder, 'config', '..data'));
    };
    publish('..2026_11_28_1');
    symlinkSync('..data/waivers', join(folder, 'config', 'waivers'));
    expect(source.read()[1]).toBe('..2026_11_28_1');
    expect([look(), look()]).toEqual([false, false]);
    publish('..2026_11_28_2');
    rmSync(join(folder, 'config', '..2026_11_28_1'), { recursive: true });
    expect([look(), look()]).toEqual([false, true]);
    expect(source.read()[1]).toBe('..2026_11_28_2');
    expect([look(), look()]).toEqual([false, false]);
  });

  test('A reading that fails is repeated only when something changes, in whatever file it had come to.', () => {
    const { folder, file, source, look } = setUp('missing\n');
    expect(() => source.read()).toThrow('ENOENT');
    expect([look(), look(), look()]).toEqual([false, false, false]);
    writeFileSync(join(folder, 'missing'), 'here');
    expect([look(), look()]).toEqual([false, true]);
    expect(source.read()).toEqual(['missing\n', 'here']);
    writeFileSync(file, 'invalid');
    expect([look(), look()]).toEqual([false, true]);
    expect(() => source.read()).toThrow('it is invalid');
    expect([look(), look()]).toEqual([false, false]);
    rmSync(file);
    expect([look(), look()]).toEqual([false, true]);
  });

  test('A pipe is left to its reader.', () => {
    const folder = ownFolder();
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const source = createConfigSource((onFile) => onFile(pipe));
    source.read();
    expect([source.hasChanged(), source.hasChanged()]).toEqual([false, false]);
  });
});
