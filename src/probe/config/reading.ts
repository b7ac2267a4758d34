import { resolve } from 'node:path';
import type { Waiver } from '../../judge/waiver-file.ts';
import { count } from '../../report/text.ts';
import { placeholderIn } from '../../secrets/placeholder.ts';
import { type Environment, type SecretCheck, secretOf, textOrSecret } from '../../secrets/secret.ts';
import { type ClientCertificate, type ClientCertificateFault, exposedFile } from '../../secrets/secret-file.ts';
import { messageOf } from '../../wire/wording.ts';

/** The context for reading the parts of a configuration, which collects problems. */
export type Reading = {
  /** The folder of the configuration: its relative paths start here, wherever the process was started. */
  readonly folder: string;
  readonly environment: Environment;
  /** Called with each file before it is read: the monitor reads the configuration again when one of them changes. */
  readonly onFile: (path: string) => void;
  /** What is wrong with a waiver whose id names nothing. */
  readonly unknownWaiver: (waiver: Waiver) => string | undefined;
  /** What is wrong with a pattern that selects nothing. */
  readonly unmatched: (pattern: string) => string | undefined;
  /** What patterns that name checks of version 2 stand for. */
  readonly ofChecks: (selection: { readonly only: readonly string[]; readonly skip: readonly string[] }) => readonly string[];
  /** What is wrong with a selection that leaves a run of the probe nothing to send. */
  readonly emptySelection: (selection: { readonly only: readonly string[]; readonly skip: readonly string[] }) => string | undefined;
  /** Why the certificates of a file can't be trusted. */
  readonly certificateFault: (file: string) => string | undefined;
  /** The client certificate of two files, as a JSON array. */
  readonly clientCertificate: (files: string) => ClientCertificate | ClientCertificateFault;
  readonly today: Date;
  /** Not empty: the configuration can't be used. */
  readonly problems: Problem[];
  /** They do not prevent a start. */
  readonly warnings: Problem[];
  /** Secret files that have been checked: a thousand targets may share one. */
  readonly secretFiles: Set<string>;
};

const unfilled = (placeholder: string): string => `contains ${placeholder}, a placeholder that nobody filled in`;

/** Texts for people, which no program reads. */
const PROSE = new Set(['reason']);

/** The placeholders that nobody filled in, anywhere below a value of the file. */
export function placeholdersIn(value: unknown, path: readonly string[] = []): readonly Problem[] {
  if (typeof value === 'string') {
    const placeholder = placeholderIn(value);
    return placeholder === undefined || PROSE.has(path.at(-1) ?? '') ? [] : [{ path, text: unfilled(placeholder) }];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, one]) => placeholdersIn(one, [...path, name]));
}

/** Where a secret is, and how it is checked; with `orText`, a text that is not a reference is the value itself. */
type Secret = { readonly reference: string; readonly check?: SecretCheck | undefined; readonly orText?: true };

/** A secret as a function. A secret that can't be read now is a problem now, not in the middle of the night. */
export function secretAt(reading: Reading, path: readonly string[], { reference, check, orText }: Secret): () => string {
  const { environment, folder, problems } = reading;
  const file = reference.startsWith('file:') ? resolve(folder, reference.slice('file:'.length)) : undefined;
  const found = file === undefined ? reference : `file:${file}`;
  const ofText: SecretCheck = (value) => {
    const placeholder = value === reference ? undefined : placeholderIn(value);
    return placeholder === undefined ? check?.(value) : unfilled(placeholder);
  };
  if (file !== undefined) reading.onFile(file);
  const get = orText === true ? textOrSecret(found, environment, ofText) : secretOf(found, environment, check);
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

export type Problem = { readonly path: readonly string[]; readonly text: string };

/** More than anybody reads at once. Finding the line of a problem walks the document, so thousands would take minutes. */
const MOST_PROBLEMS = 50;

/** `targets[0].interval`, as a person names a field. */
export function fieldName(path: readonly string[]): string {
  return path.map((part, position) => (/^\d+$/.test(part) ? `[${part}]` : position === 0 ? part : `.${part}`)).join('') || 'the file';
}

/** The first problems as lines, and how many more there are. */
export function boundProblems<One>(problems: readonly One[], format: (problem: One) => string): string[] {
  const lines = problems.slice(0, MOST_PROBLEMS).map(format);
  const more = problems.length - lines.length;
  return more === 0 ? lines : [...lines, `and ${count(more, 'more problem')}`];
}
