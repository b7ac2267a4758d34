import type { Credential } from '../../src/session/client/api.ts';

export function rejectedCredential(note: string, authorization: string): Credential {
  return { note, standing: 'refused', headers: [['authorization', authorization]] };
}
