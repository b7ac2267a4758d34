import { readFileSync, statSync } from 'node:fs';

const KILOBYTE = 1024;
const MEGABYTE = 1024 * KILOBYTE;

/** Bytes that a file may have: a device or a mistaken path must neither hang the command nor fill the memory. */
export const LARGEST = { secret: 64 * KILOBYTE, settings: 4 * MEGABYTE, report: 512 * MEGABYTE } as const;

/** The text of a file. Throws an Error that says why it can't be had. */
export function readFile(path: string, most: number): string {
  const found = statSync(path);
  if (!found.isFile()) throw new Error(`it is ${found.isDirectory() ? 'a folder' : 'a pipe or a device'}, not a file`);
  if (found.size > most) throw new Error(`it has ${found.size} bytes; at most ${most} are expected`);
  return readFileSync(path, 'utf8');
}
