import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type CertificateOptions = { readonly name: string; readonly expired?: boolean };

/** A key and a self-signed certificate for a name, made by openssl. */
export function makeCertificate({ name, expired = false }: CertificateOptions): { key: string; cert: string } {
  const folder = mkdtempSync(join(tmpdir(), 'certificate-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const validity = expired ? ['-not_before', '20200101000000Z', '-not_after', '20200102000000Z'] : ['-days', '2'];
  try {
    execFileSync(
      'openssl',
      [
        'req',
        '-x509',
        '-newkey',
        'ec',
        '-pkeyopt',
        'ec_paramgen_curve:P-256',
        '-nodes',
        '-keyout',
        key,
        '-out',
        cert,
        '-subj',
        `/CN=${name}`,
      ]
        .concat(['-addext', `subjectAltName=DNS:${name}`])
        .concat(validity),
      { stdio: 'pipe' },
    );
    return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
