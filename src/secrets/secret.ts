import { statSync } from 'node:fs';
import { headerValueFault } from '../wire/extra-headers.ts';
import { describeCharacter, messageOf } from '../wire/wording.ts';
import { placeholderFault } from './placeholder.ts';
import { readBoundedFile } from './secret-file.ts';

/** A secret that can't be read or used. The message names where it was looked for, never what was found. */
export class SecretError extends Error {
  override readonly name = 'SecretError';
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** What is wrong with a secret, as the end of a sentence that begins with where it was found; undefined if nothing is. */
export type SecretCheck = (secret: string) => string | undefined;

const anything: SecretCheck = () => undefined;

/** The content of a file that only contains a secret: without surrounding white space, which editors and `echo` add. */
export function readSecretFile(path: string): string {
  return readBoundedFile(path).trim();
}

function fromFile(path: string, check: SecretCheck): () => string {
  let seen: { stamp: string; value: string; fault: string | undefined } | undefined;
  return () => {
    try {
      // Size, inode, and both times: a secret that was rotated by a rename within one tick is still noticed.
      const { mtimeMs, ctimeMs, ino, size } = statSync(path);
      const stamp = `${mtimeMs} ${ctimeMs} ${ino} ${size}`;
      if (seen?.stamp !== stamp) {
        const value = readSecretFile(path);
        seen = { stamp, value, fault: value === '' ? 'is empty' : (placeholderFault(value) ?? check(value)) };
      }
    } catch (cause) {
      // While a file is being replaced, the secret that was read last is used.
      if (seen === undefined) throw new SecretError(`cannot read the secret file ${path}: ${messageOf(cause)}`, { cause });
    }
    if (seen.fault !== undefined) throw new SecretError(`the content of the secret file ${path} ${seen.fault}`);
    return seen.value;
  };
}

/**
 * `env:NAME` or `file:PATH` as a function that returns the current secret: a file is read and checked again once it has changed. It throws
 * SecretError for a secret that can't be read or that `check` rejects.
 */
export function secretOf(reference: string, environment: Environment, check = anything): () => string {
  if (reference.startsWith('file:')) return fromFile(reference.slice('file:'.length), check);
  const name = reference.slice('env:'.length);
  return () => {
    const value = environment[name]?.trim() ?? '';
    if (value === '') throw new SecretError(`the environment variable ${name} is not set`);
    const fault = placeholderFault(value) ?? check(value);
    if (fault !== undefined) throw new SecretError(`the environment variable ${name} ${fault}`);
    return value;
  };
}

/** A text that may be a secret reference: `env:` and `file:` are resolved, anything else is the value itself. Checked as `secretOf` does. */
export function textOrSecret(text: string, environment: Environment, check = anything): () => string {
  if (/^(?:env|file):/.test(text)) return secretOf(text, environment, check);
  return () => {
    const fault = check(text);
    if (fault !== undefined) throw new SecretError(`the value ${fault}`);
    return text;
  };
}

/** The length from which on the last segment of a path may be a secret, and any segment: shorter ones could be guessed. */
const LEAST = { last: 8, any: 16 } as const;
/** Words, which mean something else wherever a text has them: `services`, `petstore-production`, `Alerts`. */
const WORDS = /^(?:[A-Z]{1,15}|[A-Z]?[a-z]{1,15})(?:[-_. ](?:[A-Z]{1,15}|[A-Z]?[a-z]{1,15}))*$/;
const RANDOM = /\d|[a-z].*[A-Z]|[A-Z].*[a-z]/;

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * The secret parts of an address, each to be masked as a whole: its login, the last segment of its path and long random ones, and values of
 * its query, but no words. Scheme, host, and port are not secret: if they were masked, they would be missing wherever a text names them.
 */
export function secretPartsOf(address: string): readonly string[] {
  const url = URL.parse(address);
  if (url === null) return [address];
  const segments = url.pathname.split('/').filter((segment) => segment !== '');
  const secret = segments.filter(
    (segment, position) =>
      (position === segments.length - 1 && segment.length >= LEAST.last) || (segment.length >= LEAST.any && RANDOM.test(segment)),
  );
  // `?abcdef` is a value without a name.
  const values = [...url.searchParams].map(([name, value]) => (value === '' ? name : value));
  const user = decoded(url.username);
  const parts = [...secret.map(decoded), ...values, ...(url.password === '' ? [] : [user])].filter((part) => !WORDS.test(part));
  // The user name is the secret if there is no password.
  return [decoded(url.password === '' ? url.username : url.password), ...parts].filter((part) => part !== '');
}

/**
 * Why a secret can't be used in an Authorization header, as the end of a sentence that begins with where it was found; undefined if it can.
 * Names the position of the first wrong character, never the secret.
 */
export function headerFault(secret: string): string | undefined {
  const at = secret.search(/[^\x21-\x7e]/);
  if (at === -1) return undefined;
  return `can't stand in an Authorization header (${describeCharacter(secret, at)}); was a space or a line end pasted with it?`;
}

/** The check of an extra header's value that is written there, or to which a reference leads: what is written may be a placeholder. */
export function headerFaultOf(reference: string): SecretCheck {
  return (value) => (value === reference ? placeholderFault(value) : undefined) ?? headerValueFault(value);
}
