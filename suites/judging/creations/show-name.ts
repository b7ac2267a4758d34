import { cleanText } from '../../../src/wire/redact.ts';

export const LONGEST_NAME = 60;

/** A name for a summary: quoted and bounded, with its length if it is long. */
export function showName(name: string | undefined): string {
  if (name === undefined) return 'no name';
  const quoted = JSON.stringify(name.slice(0, LONGEST_NAME));
  return name.length <= LONGEST_NAME ? cleanText(quoted) : `${cleanText(quoted)}… of ${name.length} characters`;
}
