import { readFileSync, statSync } from 'node:fs';

/** A secret that can't be had. The message names where it was looked for, never what was found. */
export class SecretError extends Error {
  override readonly name = 'SecretError';
}

export type Environment = Readonly<Record<string, string | undefined>>;

function fromFile(path: string): () => string {
  let seen: { stamp: string; value: string } | undefined;
  return () => {
    try {
      // Size, inode and both times: a secret that was rotated by a rename within one tick is still noticed.
      const { mtimeMs, ctimeMs, ino, size } = statSync(path);
      const stamp = `${mtimeMs} ${ctimeMs} ${ino} ${size}`;
      if (seen?.stamp !== stamp) seen = { stamp, value: readFileSync(path, 'utf8').trim() };
    } catch (cause) {
      // While a file is being replaced, the secret that was read last is the best that is known.
      if (seen !== undefined) return seen.value;
      throw new SecretError(`the secret file ${path} can't be read`, { cause });
    }
    if (seen.value === '') throw new SecretError(`the secret file ${path} is empty`);
    return seen.value;
  };
}

/** `env:NAME` or `file:PATH` as a function that gives the secret as it is now: a file is read again when it has changed. */
export function secretOf(reference: string, environment: Environment): () => string {
  if (reference.startsWith('file:')) return fromFile(reference.slice('file:'.length));
  const name = reference.slice('env:'.length);
  return () => {
    const value = environment[name];
    if (value === undefined || value === '') throw new SecretError(`the environment variable ${name} is not set`);
    return value;
  };
}

/** A text that may be a secret reference: `env:` and `file:` are looked up, anything else is itself. */
export function textOrSecret(text: string, environment: Environment): () => string {
  return /^(?:env|file):/.test(text) ? secretOf(text, environment) : () => text;
}
