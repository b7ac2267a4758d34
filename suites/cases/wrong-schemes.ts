import type { Credential } from '../../src/session/client/api.ts';
import { rejectedCredential } from './authorization-header.ts';

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

/** The API key under a scheme other than Bearer, or without a scheme. */
export function wrongSchemes(key: string): readonly Credential[] {
  const rows: readonly (readonly [note: string, value: string])[] = [
    ['the API key as the Basic user name', `Basic ${base64(`${key}:`)}`],
    ['the API key as the Basic password', `Basic ${base64(`api:${key}`)}`],
    ['the API key as the Basic password without a user name', `Basic ${base64(`:${key}`)}`],
    ['the API key under the scheme Basic', `Basic ${key}`],
    ['the API key under the scheme Token', `Token ${key}`],
    ['the API key under the scheme ApiKey', `ApiKey ${key}`],
    ['the API key under the scheme Digest', `Digest ${key}`],
    ['the API key under the scheme BearerToken', `BearerToken ${key}`],
    ['the API key without a scheme', key],
  ];
  return rows.map(([note, value]) => rejectedCredential(note, value));
}
