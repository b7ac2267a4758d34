import type { Credential } from '../../src/session/client/api.ts';
import { cookieCredential, elsewhere, IN_BODY } from './credentials-elsewhere.ts';
import { malformed } from './malformed-credentials.ts';
import { MISSING } from './missing-credentials.ts';
import { wrongSchemes } from './wrong-schemes.ts';

/** The clause that a request breaks if it is accepted with the credential. */
export type Family = 'missing' | 'wrong-key' | 'wrong-scheme' | 'elsewhere';

const notesOf = (credentials: readonly Credential[], family: Family): [string, Family][] => credentials.map(({ note }) => [note, family]);

/**
 * An exchange keeps the note of its credential, which is the same for every key. Notes of properties are not listed: they belong to
 * wrong-key.
 */
const FAMILIES: ReadonlyMap<string, Family> = new Map([
  ...notesOf(MISSING, 'missing'),
  ...notesOf(wrongSchemes('key'), 'wrong-scheme'),
  ...notesOf([...elsewhere('key'), cookieCredential([]), IN_BODY], 'elsewhere'),
]);

/** The family of the credential of an exchange, by its note. */
export function familyOf(note: string): Family {
  return FAMILIES.get(note) ?? 'wrong-key';
}

/** Headers that only resemble the scheme; other malformed headers resemble the key. */
const MALFORMED_SCHEME = /colon|without a space/;

const MALFORMED: ReadonlyMap<string, Family> = new Map(
  malformed('key').map(({ note }) => [note, MALFORMED_SCHEME.test(note) ? 'wrong-scheme' : 'wrong-key']),
);

/** The family of a header that does not have the form `Bearer <API_KEY>`, by its note; undefined for any other credential. */
export function malformedFamilyOf(note: string): Family | undefined {
  return MALFORMED.get(note);
}
