// Files with secrets or certificates: read within bounds, and who else can read them.

import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { closeSync, constants, openSync, readSync, statSync } from 'node:fs';
import { codeOf, messageOf } from '../wire/wording.ts';

const KILOBYTE = 1024;

/** Bytes of a file with secrets: a key or a `.env` is far smaller, and a larger file was named by mistake. */
export const LARGEST_SECRET_FILE = 64 * KILOBYTE;

/** Milliseconds for the writer of a pipe: somebody may have to unlock a password manager first. */
const PATIENCE = 5_000;
const PAUSE = 10;

/** Pipes that were read: each gives its text only once, and a command asks for some of its files more than once. */
const pipes = new Map<string, string>();

function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE);
}

/** The next bytes of a file; undefined while the writer of a pipe has none yet. */
function readSome(handle: number, buffer: Buffer): number | undefined {
  try {
    return readSync(handle, buffer, 0, buffer.length, null);
  } catch (error) {
    if (codeOf(error) === 'EAGAIN') return undefined;
    throw error;
  }
}

/** Reads to the end, within both bounds. A pipe to which nobody has written yet looks like one that has ended. */
function readToEnd(
  handle: number,
  { isPipe, limit, patience, buffer }: Required<ReadLimits> & { isPipe: boolean; buffer: Buffer },
): Buffer {
  const parts: Buffer[] = [];
  const until = performance.now() + patience;
  let size = 0;
  for (;;) {
    const read = readSome(handle, buffer);
    if (read === 0 && (size > 0 || !isPipe)) return Buffer.concat(parts);
    if (read === undefined || read === 0) {
      if (performance.now() > until)
        throw new Error(`it is a pipe whose writer ${size === 0 ? 'wrote nothing' : 'did not end'} within ${patience / 1000} s`);
      pause();
      continue;
    }
    size += read;
    if (size > limit) throw new Error(`it is larger than ${limit / KILOBYTE} KB`);
    parts.push(Buffer.from(buffer.subarray(0, read)));
  }
}

/** Windows tools write UTF-16, with a byte order mark, or without one as a zero in each character of ASCII. */
function isUtf16([first, second]: Buffer): boolean {
  if (first === undefined || second === undefined) return false;
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff) || (first === 0) !== (second === 0);
}

/** In bytes and, for a pipe, in milliseconds. */
type ReadLimits = { readonly limit?: number; readonly patience?: number };

/**
 * The text of a file or a named pipe, read to its end within bounds of size and time, a pipe once. Throws for anything else before opening
 * it: a device has no end.
 */
export function readBoundedFile(path: string, { limit = LARGEST_SECRET_FILE, patience = PATIENCE }: ReadLimits = {}): string {
  const file = statSync(path);
  const isPipe = file.isFIFO();
  if (!file.isFile() && !isPipe) throw new Error('it is neither a regular file nor a pipe');
  const identity = `${file.dev} ${file.ino} ${file.birthtimeMs}`;
  const known = isPipe ? pipes.get(identity) : undefined;
  if (known !== undefined) return known;
  // Opening a pipe waits for its writer otherwise.
  const handle = openSync(path, constants.O_RDONLY | (isPipe ? constants.O_NONBLOCK : 0));
  try {
    // The size of files below /proc is 0 whatever they contain: only reading shows it.
    const content = readToEnd(handle, { isPipe, limit, patience, buffer: Buffer.allocUnsafe(Math.min(file.size, limit) + KILOBYTE) });
    if (isUtf16(content)) throw new Error('it is in UTF-16: save it as UTF-8');
    const text = content.toString('utf8');
    if (isPipe) pipes.set(identity, text);
    return text;
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
    // Each connection reads it again.
    if (statSync(path).isFIFO()) throw new Error('it is a pipe, which can be read only once');
    const text = readBoundedFile(path, { limit: LARGEST_BUNDLE });
    if (!text.includes('-----BEGIN CERTIFICATE-----')) return 'it contains no PEM certificate';
    new X509Certificate(text);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

/** A client certificate, with the first end of validity in its file: that of an intermediate certificate counts as well. */
export type ClientCertificate = { readonly subject: string; readonly validFrom: Date; readonly validTo: Date };

/** A warning about a client certificate that no service accepts now; undefined for any other. */
export function outdated({ validFrom, validTo }: ClientCertificate, now: Date): string | undefined {
  if (validTo <= now) return `the client certificate expired on ${validTo.toISOString().slice(0, 10)}`;
  return validFrom > now ? `the client certificate is not valid before ${validFrom.toISOString().slice(0, 10)}` : undefined;
}

/** What is wrong with the files of a client certificate, as the end of a sentence that names the file of the option. */
export type ClientCertificateFault = { readonly option: 'cert' | 'key'; readonly fault: string };

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;
const PRIVATE_KEY = /-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----/;
const ENCRYPTED = /-----BEGIN ENCRYPTED PRIVATE KEY-----|^Proc-Type: 4,ENCRYPTED/m;

/** Reads a file with what TLS presents. A pipe gives it once, and connections of a later run need it again. */
function readPem(path: string): string {
  if (statSync(path).isFIFO()) throw new Error('it is a pipe, which can be read only once');
  return readBoundedFile(path);
}

function privateKeyIn(text: string, path: string): KeyObject {
  if (ENCRYPTED.test(text)) {
    const decrypt = `"openssl pkey -in ${path} -out FILE" writes it without one`;
    throw new Error(`the private key is encrypted, and there is nobody to enter its passphrase: ${decrypt}`);
  }
  if (!PRIVATE_KEY.test(text)) throw new Error('it contains no PEM private key');
  return createPrivateKey(text);
}

/** Reads a client certificate and its private key, which the file of the certificate may contain, as what TLS can present. */
export function readClientCertificate(cert: string, key: string | undefined): ClientCertificate | ClientCertificateFault {
  let option: 'cert' | 'key' = 'cert';
  try {
    const text = readPem(cert);
    const [leaf, ...chain] = [...text.matchAll(CERTIFICATE)].map(([one]) => new X509Certificate(one));
    if (leaf === undefined) return { option, fault: 'it contains no PEM certificate' };
    option = key === undefined ? 'cert' : 'key';
    if (key === undefined && !PRIVATE_KEY.test(text) && !ENCRYPTED.test(text))
      return { option, fault: 'it contains no private key, and no other file is named for it (--key, or `key` of a target)' };
    if (!leaf.checkPrivateKey(privateKeyIn(key === undefined ? text : readPem(key), key ?? cert)))
      return { option, fault: `the private key is not that of the certificate in ${cert}` };
    const ends = [leaf, ...chain].map(({ validTo }) => Date.parse(validTo));
    return { subject: leaf.subject.replaceAll('\n', ', '), validFrom: new Date(leaf.validFrom), validTo: new Date(Math.min(...ends)) };
  } catch (error) {
    return { option, fault: messageOf(error) };
  }
}
