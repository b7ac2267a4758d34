import { generateKeyPairSync } from 'node:crypto';
import forge from 'node-forge';

export type CertificateOptions = {
  readonly name: string;
  readonly expired?: boolean;
  /** The name is the common name alone. */
  readonly commonNameOnly?: boolean;
};

const DAY = 86_400_000;

/** A key and a self-signed certificate for a host name; an expired one was valid for a day in 2020. */
export function makeCertificate({ name, expired = false, commonNameOnly = false }: CertificateOptions): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  const certificate = forge.pki.createCertificate();
  const begin = expired ? Date.UTC(2020, 0, 1) : Date.now() - DAY;
  certificate.publicKey = forge.pki.publicKeyFromPem(publicKey);
  certificate.serialNumber = '01';
  certificate.validity.notBefore = new Date(begin);
  certificate.validity.notAfter = new Date(begin + (expired ? 1 : 3) * DAY);
  certificate.setSubject([{ name: 'commonName', value: name }]);
  certificate.setIssuer([{ name: 'commonName', value: name }]);
  const DNS_NAME = 2;
  if (!commonNameOnly) certificate.setExtensions([{ name: 'subjectAltName', altNames: [{ type: DNS_NAME, value: name }] }]);
  certificate.sign(forge.pki.privateKeyFromPem(privateKey), forge.md.sha256.create());
  return { key: privateKey, cert: forge.pki.certificateToPem(certificate) };
}
