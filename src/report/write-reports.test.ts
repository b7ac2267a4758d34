import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { appendSummary, type PlannedReport, writeReports } from './write-reports.ts';

const report = (file: string, text: string): PlannedReport => ({ reporter: file, file, render: () => text });

describe('writeReports', () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'reports-'));
  });
  afterEach(() => rm(directory, { recursive: true, force: true }));

  test('makes the directory and leaves nothing but the reports in it', async () => {
    const deep = join(directory, 'a', 'b');
    const { written, failed } = await writeReports([report('one.txt', '1'), report('two.txt', '2')], deep);
    expect(failed).toEqual([]);
    expect(written.map(({ path }) => path)).toEqual([join(deep, 'one.txt'), join(deep, 'two.txt')]);
    expect(await readdir(deep)).toEqual(['one.txt', 'two.txt']);
  });

  test('reports a reporter that throws, and writes the others', async () => {
    const broken: PlannedReport = {
      reporter: 'html',
      file: 'report.html',
      render: () => {
        throw new TypeError('no such member');
      },
    };
    const { written, failed } = await writeReports([report('one.txt', '1'), broken, report('two.txt', '2')], directory);
    expect(written.map(({ reporter }) => reporter)).toEqual(['one.txt', 'two.txt']);
    expect(failed.map(({ message }) => message)).toEqual([
      `reporter "html" could not render ${join(directory, 'report.html')}: no such member`,
    ]);
    expect(failed[0]?.cause).toBeInstanceOf(TypeError);
  });

  test('says path and cause when a file is in the way of the directory', async () => {
    await writeFile(join(directory, 'taken'), '');
    const { failed } = await writeReports([report('one.txt', '1')], join(directory, 'taken', 'reports'));
    expect(failed[0]?.message).toBe(
      `could not write ${join(directory, 'taken', 'reports', 'one.txt')}: a part of the path is a file, not a directory (ENOTDIR)`,
    );
  });

  test('keeps the old file and no temporary one when the report cannot be put in its place', async () => {
    await writeReports([report('one.txt/inner.txt', '1')], directory);
    const { failed } = await writeReports([report('one.txt', '2')], directory);
    expect(failed[0]?.message).toContain('a directory is where the file should be');
    expect(await readdir(directory)).toEqual(['one.txt']);
  });

  test('never mixes the texts of two runs that write at once', async () => {
    const texts = Array.from({ length: 12 }, (_, run) => String(run).repeat(200_000));
    await Promise.all(texts.map((text) => writeReports([report('one.txt', text)], directory)));
    expect(texts).toContain(await readFile(join(directory, 'one.txt'), 'utf8'));
    expect(await readdir(directory)).toEqual(['one.txt']);
  });
});

describe('appendSummary', () => {
  test('appends, and says the path when it cannot', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'reports-'));
    const path = join(directory, 'summary.md');
    await appendSummary(path, 'one\n');
    expect(await appendSummary(path, 'two\n')).toBeUndefined();
    expect(await readFile(path, 'utf8')).toBe('one\ntwo\n');
    expect((await appendSummary(directory, 'three'))?.message).toContain(`could not append the summary to ${directory}: a directory`);
    await rm(directory, { recursive: true });
  });
});
