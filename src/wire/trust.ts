import { readFileSync } from 'node:fs';
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';

/** The number of certificate files that one process uses at a time; a monitor has few. */
const MOST_KEPT = 16;

const kept = new Map<string, SecureContext>();

/**
 * What connections trust: the public roots and the certificates of a PEM file, which TLS's `ca` alone would use in place of the roots.
 * Reading 150 roots takes longer than a handshake, so the same certificates are read once. Throws if the file can't be read.
 */
export function trusting(file: string): SecureContext {
  const certificates = readFileSync(file, 'utf8');
  const known = kept.get(certificates);
  if (known !== undefined) return known;
  const context = createSecureContext({ ca: [...rootCertificates, certificates] });
  if (kept.size >= MOST_KEPT) kept.delete(kept.keys().next().value ?? '');
  kept.set(certificates, context);
  return context;
}
