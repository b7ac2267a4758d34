import type { Credential } from '../../src/session/client/api.ts';
import { rejectedCredential } from './authorization-header.ts';

function percentEncoded(text: string): string {
  return [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
}

/**
 * The API key, or a wildcard, in a header that does not have the form `Bearer <API_KEY>`. The document accepts none of them; it does not say whether
 * such a header is a wrong credential (401) or a malformed request (400, RFC 6750, section 3.1).
 */
export function malformed(key: string): readonly Credential[] {
  const rows: readonly (readonly [note: string, value: string])[] = [
    ['"Bearer", the API key, and another word', `Bearer ${key} extra`],
    ['"Bearer" twice and the API key', `Bearer Bearer ${key}`],
    ['"Bearer:" with a colon and the API key', `Bearer: ${key}`],
    ['"Bearer" and the API key without a space', `Bearer${key}`],
    ['"Bearer", the API key, a comma, and another word', `Bearer ${key},extra`],
    ['"Bearer", the API key, and an equals sign', `Bearer ${key}=`],
    ['"Bearer" and the API key in quotes', `Bearer "${key}"`],
    ['"Bearer" and the percent-encoded API key', `Bearer ${percentEncoded(key)}`],
    // Bytes of ISO 8859-1, as fetch sends them: some languages transcode them to ASCII letters.
    ['"Bearer" and letters that are not ASCII', 'Bearer \u00fc\u00df\u00e9\u00ff'],
    ['"Bearer" and 8,000 letters', `Bearer ${'x'.repeat(8_000)}`],
    ['"Bearer" and a percent sign', 'Bearer %'],
    ['"Bearer" and an asterisk', 'Bearer *'],
  ];
  return rows.map(([note, value]) => ({ ...rejectedCredential(note, value), standing: 'open' }));
}
