import { resolve } from 'node:path';
import type { Waiver } from '../../judge/waiver-file.ts';
import { exposedFile } from '../../secrets/exposed-file.ts';
import { type Environment, type SecretCheck, secretOf, textOrSecret } from '../../secrets/secret.ts';
import { messageOf } from '../messages.ts';
import type { Problem } from './problem-list.ts';

/** What the parts of a configuration are read with, and what comes up meanwhile. */
export type Reading = {
  /** Of the configuration: its relative paths begin here, wherever the process was started. */
  readonly folder: string;
  readonly environment: Environment;
  /** What is wrong with a waiver whose id names nothing; undefined for one that names something. */
  readonly unknownWaiver: (waiver: Waiver) => string | undefined;
  /** What is wrong with a pattern that selects nothing; undefined for one that selects something. */
  readonly unmatched: (pattern: string) => string | undefined;
  /** What is wrong with a selection that leaves a run of the probe nothing to ask; undefined for one that leaves something. */
  readonly emptySelection: (selection: { readonly only: readonly string[]; readonly skip: readonly string[] }) => string | undefined;
  /** Why the certificates of a file can't be trusted; undefined where they can. */
  readonly certificateFault: (file: string) => string | undefined;
  readonly today: Date;
  /** Not empty: the configuration can't be used. */
  readonly problems: Problem[];
  /** What the operator should look at, and which keeps nothing from running. */
  readonly warnings: Problem[];
  /** Secret files that were looked at: a thousand targets may share one. */
  readonly secretFiles: Set<string>;
};

/** Where a secret is, and what it must be like; with `orText` what names no place is the value itself. */
type Secret = { readonly reference: string; readonly check?: SecretCheck | undefined; readonly orText?: true };

/** A secret as a function. One that can't be had now is a problem now, not in the middle of the night. */
export function secretAt(reading: Reading, path: readonly string[], { reference, check, orText }: Secret): () => string {
  const { environment, folder, problems } = reading;
  const file = reference.startsWith('file:') ? resolve(folder, reference.slice('file:'.length)) : undefined;
  const found = file === undefined ? reference : `file:${file}`;
  const get = orText === true ? textOrSecret(found, environment) : secretOf(found, environment, check);
  try {
    get();
    if (file !== undefined) warnOfReaders(reading, path, file);
  } catch (error) {
    problems.push({ path, text: messageOf(error) });
  }
  return get;
}

function warnOfReaders({ secretFiles, warnings }: Reading, path: readonly string[], file: string): void {
  if (secretFiles.has(file)) return;
  secretFiles.add(file);
  const exposed = exposedFile(file, 'a secret');
  if (exposed !== undefined) warnings.push({ path, text: exposed });
}
