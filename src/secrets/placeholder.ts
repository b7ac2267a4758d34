// What a template leaves in a setting when nobody fills it in.

const BRACED = String.raw`\$\{[^}]*\}|\$\([^)]*\)|\{\{[^}]*\}\}`;
/** In a key, which may contain any of it by chance, only as a whole. */
const WHOLE = new RegExp(String.raw`^(?:${BRACED}|\$[A-Z_][A-Z0-9_]*|<[^<>]*>|undefined|null)$`);
/** `$` begins a name after what is no letter or digit, so it may stand within a password or a Windows path. */
const WITHIN = new RegExp(
  String.raw`${BRACED}|(?<!\w)\$[A-Za-z_]\w*|<[^<>]*>|^(?:undefined|null)$|(?<=://(?:[^/@]*@)?)(?:undefined|null)(?=[/:?#]|$)`,
);

/** The placeholder in an address, a path, or a name that nobody filled in (`${HOST}`, `$HOST`, `{{host}}`, `<host>`, `undefined`), or undefined. */
export function placeholderIn(text: string): string | undefined {
  return WITHIN.exec(text)?.[0];
}

/** What is wrong with a key that is a placeholder, as the end of a sentence; undefined for any other. */
export function placeholderFault(secret: string): string | undefined {
  return WHOLE.test(secret) ? 'is a placeholder that nobody filled in' : undefined;
}
