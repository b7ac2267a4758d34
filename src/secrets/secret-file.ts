// Files with secrets or certificates: read within bounds, and who else can read them.

import { X509Certificate } from 'node:crypto';
import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { messageOf } from '../wire/wording.ts';

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

const EVERYBODY = 0o004;
const GROUP = 0o040;

/**
 * A warning if others may read a file that contains a secret; undefined if they can't, or if file modes mean nothing. A file of another
 * owner that its group may read is fine: this process reads it as a member of that group (Kubernetes with fsGroup).
 */
export function exposedFile(path: string, holds: string): string | undefined {
  if (process.platform === 'win32') return undefined;
  const { mode, uid } = statSync(path);
  const own = uid === process.getuid?.();
  const readers = (mode & EVERYBODY) !== 0 ? 'everybody on this machine' : own && (mode & GROUP) !== 0 ? 'its group' : undefined;
  if (readers === undefined) return undefined;
  const remedy = own ? `"chmod 600 ${path}" makes it private` : 'its owner should narrow its mode (in Kubernetes: defaultMode: 0400)';
  return `${path} holds ${holds} and ${readers} can read it; ${remedy}`;
}

/** Bytes: more than the bundle of all public roots. */
const LARGEST_BUNDLE = 4 * 1024 * 1024;

/** Why the certificates of a PEM file can't be trusted, as the end of a sentence that names the file; undefined if they can. */
export function certificateFault(path: string): string | undefined {
  try {
    const text = readBoundedFile(path, LARGEST_BUNDLE);
    if (!text.includes('-----BEGIN CERTIFICATE-----')) return 'it contains no PEM certificate';
    new X509Certificate(text);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}
