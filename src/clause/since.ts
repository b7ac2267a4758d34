// Since which version of the suite it judges something, so that a pipeline can keep to what an earlier one judged.

/** A version as clauses and options name it: releases that only correct something judge nothing new. */
export type SuiteVersion = `${number}.${number}`;

/** What has no `since` is that old; no earlier version can be kept to. */
export const FIRST_VERSION: SuiteVersion = '3.0';

/** Whether the one version came before the other. */
export function isBefore(one: string, other: string): boolean {
  const [major = 0, minor = 0] = one.split('.').map(Number);
  const [otherMajor = 0, otherMinor = 0] = other.split('.').map(Number);
  return major < otherMajor || (major === otherMajor && minor < otherMinor);
}

/** The version of the suite that a text names, without the number of corrections; or why it names none whose verdicts can be kept. */
export function readVersion(text: string): { readonly version: string } | { readonly fault: string } {
  const [, version] = /^(\d{1,4}\.\d{1,4})(?:\.\d{1,4})?$/.exec(text) ?? [];
  if (version === undefined) return { fault: `"${text}" is not a version such as ${FIRST_VERSION}` };
  if (isBefore(version, FIRST_VERSION))
    return { fault: `${text} is too old: verdicts can be kept to those of ${FIRST_VERSION} and later versions` };
  return { version };
}
