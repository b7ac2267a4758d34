/**
 * Why a secret can't be used in an Authorization header, as the end of a sentence that begins with where it was found; undefined if it can.
 * Names the position of the first wrong character, never the secret.
 */
export function headerFault(secret: string): string | undefined {
  const at = secret.search(/[^\x21-\x7e]/);
  if (at === -1) return undefined;
  const code = (secret.codePointAt(at) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return `can't stand in an Authorization header (character ${at + 1} of ${secret.length} is U+${code}); was a space or a line end pasted with it?`;
}
