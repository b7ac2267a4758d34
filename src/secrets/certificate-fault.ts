import { X509Certificate } from 'node:crypto';
import { readBoundedFile } from './read-bounded-file.ts';

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
    return error instanceof Error ? error.message : String(error);
  }
}
