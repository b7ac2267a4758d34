// Words of messages that every module writes.

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The code of an error of Node, such as ENOENT; undefined for any other error. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** Where the character of a text is that has no place in it, without the text: `character 3 of 10 is U+0020`. */
export function describeCharacter(text: string, at: number): string {
  const code = (text.codePointAt(at) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return `character ${at + 1} of ${text.length} is U+${code}`;
}

/** Milliseconds in seconds, with one decimal: `3.4 s`. */
export function inSeconds(milliseconds: number): string {
  return `${(milliseconds / 1_000).toFixed(1)} s`;
}
