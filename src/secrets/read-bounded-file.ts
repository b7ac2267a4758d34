import { closeSync, openSync, readSync, statSync } from 'node:fs';

const KILOBYTE = 1024;

/** Bytes of a file with secrets: a key or a `.env` is far smaller, and a larger file was named by mistake. */
export const LARGEST_SECRET_FILE = 64 * KILOBYTE;

/**
 * The text of a regular file of limited size. Throws for anything else before opening it: reading a FIFO without a writer never returns,
 * and a device has no end.
 */
export function readBoundedFile(path: string, limit = LARGEST_SECRET_FILE): string {
  const file = statSync(path);
  if (!file.isFile()) throw new Error('it is not a regular file');
  const handle = openSync(path, 'r');
  try {
    // The size of files below /proc is 0 whatever they contain: only reading shows it.
    const buffer = Buffer.allocUnsafe(Math.min(file.size, limit) + KILOBYTE);
    const parts: Buffer[] = [];
    let size = 0;
    for (;;) {
      const read = readSync(handle, buffer, 0, buffer.length, null);
      if (read === 0) break;
      size += read;
      if (size > limit) throw new Error(`it is larger than ${limit / KILOBYTE} KB`);
      parts.push(Buffer.from(buffer.subarray(0, read)));
    }
    return Buffer.concat(parts).toString('utf8');
  } finally {
    closeSync(handle);
  }
}
