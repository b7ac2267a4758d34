// What a measuring has shown so far, a file for each stage: a head, and a line for each task. Frozen, the same files, compressed.

import { createHash, hash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { ROOT } from '../../../bench/measure.ts';
import { productFiles } from '../../../bench/price.ts';
import type { Shown } from './stages.ts';

/** What figures depend on. `core`: a digest of the product, whatever else changes. */
export type Head = {
  readonly stage: string;
  readonly core: string;
  readonly commit: string;
  readonly at: string;
  readonly load: number;
  readonly cores: number;
  readonly node: string;
  readonly seed: number;
  /** How many tasks the stage has, of which every so manieth is measured. */
  readonly tasks: number;
  readonly of: number;
};

/** The result of a task, with milliseconds; or why there is none. */
export type Line = { readonly task: string; readonly milliseconds: number; readonly broke?: string } & Shown;

export type Measured = { readonly head: Head; readonly lines: readonly Line[] };

/** Where a measuring is kept until it is frozen. */
export const RUNNING = join(ROOT, 'reports', 'frozen');
/** What was frozen. */
export const FROZEN = join(ROOT, 'test', 'prove', 'frozen', 'data');
const RUNNING_END = '.jsonl';
const FROZEN_END = '.jsonl.zst';
const LEVEL = 19;

/** A digest of the modules of the product. */
export function coreHash(): string {
  const digest = createHash('sha1');
  for (const path of productFiles()) digest.update(path).update(readFileSync(join(ROOT, path)));
  return digest.digest('hex').slice(0, 12);
}

function parse(text: string): Measured | undefined {
  const [head, ...lines] = text.split('\n').filter((line) => line !== '');
  if (head === undefined) return undefined;
  // A task that was measured again has a later line.
  const byTask = new Map(lines.map((line) => JSON.parse(line) as Line).map((line) => [line.task, line]));
  return { head: JSON.parse(head) as Head, lines: [...byTask.values()] };
}

/** What a stage has shown so far; undefined if it has not begun. */
export function readRunning(stage: string): Measured | undefined {
  const file = join(RUNNING, `${stage}${RUNNING_END}`);
  return existsSync(file) ? parse(readFileSync(file, 'utf8')) : undefined;
}

/** Begins a stage: what it has shown before is forgotten. */
export function begin(head: Head): void {
  mkdirSync(RUNNING, { recursive: true });
  writeFileSync(join(RUNNING, `${head.stage}${RUNNING_END}`), `${JSON.stringify(head)}\n`);
}

export function append(stage: string, line: Line): void {
  appendFileSync(join(RUNNING, `${stage}${RUNNING_END}`), `${JSON.stringify(line)}\n`);
}

/** The frozen results of a stage; undefined if it was not frozen. */
export function readFrozen(stage: string, folder: string = FROZEN): Measured | undefined {
  const file = join(folder, `${stage}${FROZEN_END}`);
  return existsSync(file) ? parse(zstdDecompressSync(readFileSync(file)).toString('utf8')) : undefined;
}

/** Freezes the results of stages, in the order of tasks, so that the same results are the same bytes. */
export function freeze(stages: readonly Measured[], figures: object, folder: string = FROZEN): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const { head, lines } of stages) {
    const sorted = lines.toSorted((a, b) => (a.task < b.task ? -1 : 1));
    const text = [head, ...sorted].map((line) => `${JSON.stringify(line)}\n`).join('');
    const options = { params: { [constants.ZSTD_c_compressionLevel]: LEVEL } };
    writeFileSync(join(folder, `${head.stage}${FROZEN_END}`), zstdCompressSync(text, options));
  }
  writeFileSync(join(folder, 'figures.json'), `${JSON.stringify(figures, undefined, 2)}\n`);
}

/** A digest of all that is frozen: names and bytes. */
export function frozenHash(folder: string = FROZEN): string {
  const files = existsSync(folder) ? readdirSync(folder).sort() : [];
  return hash('sha256', files.map((file) => `${file} ${hash('sha256', readFileSync(join(folder, file)))}\n`).join(''));
}
