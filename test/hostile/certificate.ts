import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type CertificateOptions = { readonly name: string; readonly expired?: boolean };

const openssl = (folder: string, args: readonly string[]): void => void execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });

/** Only `openssl ca` of the versions in use can set a date of the past. */
function expire(folder: string, name: string): void {
  const database = ['database=index.txt', 'new_certs_dir=.', 'default_md=sha256', 'policy=any', 'rand_serial=yes'];
  const config = ['[ca]', 'default_ca=own', '[own]', ...database, '[any]', 'commonName=supplied', '[names]', `subjectAltName=DNS:${name}`];
  writeFileSync(join(folder, 'ca.cnf'), `${config.join('\n')}\n`);
  writeFileSync(join(folder, 'index.txt'), '');
  openssl(folder, ['req', '-new', '-key', 'key.pem', '-subj', `/CN=${name}`, '-out', 'request.pem']);
  const dates = ['-startdate', '20200101000000Z', '-enddate', '20200102000000Z', '-extensions', 'names'];
  openssl(folder, [
    'ca',
    '-batch',
    '-config',
    'ca.cnf',
    '-selfsign',
    '-keyfile',
    'key.pem',
    '-in',
    'request.pem',
    '-out',
    'cert.pem',
    ...dates,
  ]);
}

/** A key and a self-signed certificate for a name, made by openssl. */
export function makeCertificate({ name, expired = false }: CertificateOptions): { key: string; cert: string } {
  const folder = mkdtempSync(join(tmpdir(), 'certificate-'));
  try {
    const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', 'key.pem'];
    const names = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`];
    openssl(folder, ['req', '-x509', ...key, '-days', '2', '-out', 'cert.pem', ...names]);
    if (expired) expire(folder, name);
    return { key: readFileSync(join(folder, 'key.pem'), 'utf8'), cert: readFileSync(join(folder, 'cert.pem'), 'utf8') };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
