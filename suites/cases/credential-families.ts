import type { Credential } from '../../src/session/client/api.ts';
import { cookieCredential, elsewhere } from './credentials-elsewhere.ts';
import { MISSING } from './missing-credentials.ts';
import { wrongSchemes } from './wrong-schemes.ts';

/** Which clause owns a request that is accepted with it. */
export type Family = 'missing' | 'wrong-key' | 'wrong-scheme' | 'elsewhere';

const notesOf = (credentials: readonly Credential[], family: Family): [string, Family][] => credentials.map(({ note }) => [note, family]);

/** An exchange keeps the note of its credential, which is the same for every key. Notes of properties are not here: wrong-key owns them. */
const FAMILIES: ReadonlyMap<string, Family> = new Map([
  ...notesOf(MISSING, 'missing'),
  ...notesOf(wrongSchemes('key'), 'wrong-scheme'),
  ...notesOf([...elsewhere('key'), cookieCredential([])], 'elsewhere'),
]);

/** The family of the credential of an exchange, by its note. */
export function familyOf(note: string): Family {
  return FAMILIES.get(note) ?? 'wrong-key';
}
