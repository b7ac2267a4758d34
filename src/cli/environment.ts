import { existsSync } from 'node:fs';
import { parse } from 'dotenv';
import { editDistance } from '../clause/similar-names.ts';
import { exposedFile, readBoundedFile } from '../secrets/secret-file.ts';
import { codeOf, messageOf } from '../wire/wording.ts';
import { checkGoneVariables } from './gone.ts';
import { type Environment, type Flags, flagOf, LARGEST, type Specs, UsageError, variableOf } from './option-spec.ts';
import { allOptions, dotenvOption, outputOptions, runOptions, smokeOptions } from './options.ts';

export type LoadedEnvironment = {
  readonly environment: Environment;
  /** The file of settings that was read. */
  readonly file: string | undefined;
  /** Its variables that are used. */
  readonly fromFile: readonly string[];
  /** Its variables that are not, because the key is elsewhere. */
  readonly ignored: readonly string[];
  readonly warnings: readonly string[];
};

/** For a command that judges a target of a configuration: the one that the command line or the process environment names, if any. */
type Configuration = { readonly named: string | undefined };

/** What a configuration reads: variables by `env:NAME`, those with keys of targets, and whether one of the keys is in a file. */
type Reads = { readonly variables: readonly string[]; readonly keys: readonly string[]; readonly hasKeyFile: boolean };

export const KEY = 'PETSTORE_API_KEY';
const NOTHING: Reads = { variables: [], keys: [], hasKeyFile: false };
const DEFAULT_FILE = '.env';
const OURS = /^(?:PETSTORE_\w+|(?:HTTPS?|ALL|NO)_PROXY)$/i;

/**
 * What a file may set whoever wrote it: how output looks, and which values are drawn. Everything else decides who gets the key, what is
 * judged, or what is written where.
 */
const COMFORT: readonly string[] = [
  ...[outputOptions.verbose, outputOptions.quiet, outputOptions.format, smokeOptions.format, runOptions.reporter, runOptions.seed].map(
    variableOf,
  ),
  'NO_COLOR',
  'FORCE_COLOR',
];

const present = (variables: Environment): Environment => Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''));

/** The flags of the command, for messages about what is wrong with it. */
let asked: Flags = {};

/** The process environment; an empty variable counts as unset. */
export const ownEnvironment = (): Environment => present(process.env);

/** What a configuration reads; nothing if it can't be read, which is reported later. */
function readsOf(configuration: string): Reads {
  try {
    const text = readBoundedFile(configuration, { limit: LARGEST.settings });
    const keys = [...text.matchAll(/\bapiKey["']?\s*:\s*(?:&\S+\s+)?["']?(env|file):(\w*)/g)];
    return {
      variables: [...text.matchAll(/\benv:(\w+)/g)].map(([, name = '']) => name),
      keys: keys.flatMap(([, kind, name = '']) => (kind === 'env' ? [name] : [])),
      hasKeyFile: keys.some(([, kind]) => kind === 'file'),
    };
  } catch {
    return NOTHING;
  }
}

/** The variables that values of `--header` name. */
function variablesOfHeaders(flags: Flags, variables: Environment): readonly string[] {
  const lines = [flags['header'], variables[variableOf(runOptions.header)]].flat().map(String);
  return lines.flatMap((line) => [...line.matchAll(/:\s*env:(\w+)/g)].map(([, name = '']) => name));
}

type SettingsFile = { readonly path: string | undefined; readonly variables: Environment; readonly warnings: readonly string[] };

/** Names of variables whose unquoted values end at a `#` in the middle, where a shell and Docker go on. */
function cutNames(text: string): readonly string[] {
  return [...text.matchAll(/^\s*(?:export\s+)?([\w.-]+)\s*=[ \t]*(?!['"`])(?:[^#\r\n]*[^#\s])?#/gm)].map(([, name = '']) => name);
}

/**
 * The settings of a file: that of `--dotenv`, or the `.env` of the working folder. A CI system checks out what others wrote, so there only
 * a file that is named is read.
 */
function readSettings(flags: Flags, own: Environment): SettingsFile {
  const named = flags['dotenv'] ?? own[variableOf(dotenvOption.dotenv)];
  const path = typeof named === 'string' ? named : DEFAULT_FILE;
  const isCi = !['', 'false', '0'].includes((own['CI'] ?? '').toLowerCase());
  const nothing = { path: undefined, variables: {} };
  if (named === undefined && isCi) {
    const warning = `${path} is not read, because CI is set; if you wrote it, name it with --dotenv ${path}`;
    return { ...nothing, warnings: existsSync(path) ? [warning] : [] };
  }
  try {
    const text = readBoundedFile(path);
    const cut = cutNames(text).filter((name) => OURS.test(name));
    const variables = parse(text);
    const exposed = variables[KEY] ? exposedFile(path, 'the API key') : undefined;
    const ofCut = cut.map(
      (name) => `${name} in ${path} ends at a "#", as a comment follows one; put the value in quotes if "#" belongs to it`,
    );
    return { path, variables, warnings: [...(exposed === undefined ? [] : [exposed]), ...ofCut] };
  } catch (error) {
    const found = `cannot read ${path}: ${messageOf(error)}`;
    if (named !== undefined) throw new UsageError(found);
    return { ...nothing, warnings: codeOf(error) === 'ENOENT' ? [] : [found] };
  }
}

/** Whether the key that is used is in the file, so that whoever wrote the file could have read it anyway. */
function hasKey(file: Environment, own: Environment, { flags, reads }: { readonly flags: Flags; readonly reads: Reads }): boolean {
  const isElsewhere = flags['apiKeyFile'] !== undefined || { ...file, ...own }['PETSTORE_API_KEY_FILE'] !== undefined || reads.hasKeyFile;
  return !isElsewhere && reads.keys.some((name) => file[name] !== undefined) && reads.keys.every((name) => own[name] === undefined);
}

type Split = { readonly used: Environment; readonly ignored: readonly string[] };
type SplitOptions = { readonly flags: Flags; readonly configuration: Configuration | undefined };

/** The variables of a file that are used, and those that are not because the key is elsewhere. Those of the process take precedence. */
function split(file: Environment, own: Environment, { flags, configuration }: SplitOptions): Split {
  const given = new Set(Object.keys(own).map((name) => name.toUpperCase()));
  const left = Object.entries(present(file)).filter(([name]) => !given.has(name.toUpperCase()));
  const reads = configuration?.named === undefined ? undefined : readsOf(configuration.named);
  const ofFile = configuration === undefined || file['PETSTORE_CONFIG'] === undefined ? NOTHING : readsOf(file['PETSTORE_CONFIG']);
  const all = reads ?? { ...ofFile, keys: [KEY, ...ofFile.keys] };
  const isTrusted = hasKey(present(file), own, { flags, reads: all });
  // A key that a configuration of the user asks for goes to the address of that configuration.
  const isUsed = (name: string): boolean => isTrusted || COMFORT.includes(name) || (reads?.keys ?? []).includes(name);
  return {
    used: Object.fromEntries(left.filter(([name]) => isUsed(name))),
    ignored: left.flatMap(([name]) => (!isUsed(name) && (OURS.test(name) || all.variables.includes(name)) ? [name] : [])),
  };
}

type OfIgnored = { readonly where: string; readonly flags: Flags; readonly isOther: boolean };

/**
 * One warning about all variables of a file that have no effect, as each command says it again; none about those that an option replaces.
 * `isOther`: the file has a key, and the environment another one.
 */
function ofIgnored(names: readonly string[], { where, flags, isOther }: OfIgnored): readonly string[] {
  const given = Object.entries<Specs[string]>(allOptions).flatMap(([name, spec]) => (flags[name] === undefined ? [] : [variableOf(spec)]));
  const missed = names.filter((name) => !given.includes(name));
  if (missed.length === 0) return [];
  const remedy = isOther ? `unset ${KEY} to use the one of ${where}, or set them` : 'set them';
  return [
    `not used from ${where}, because the API key does not come from there: ${missed.join(', ')}; ${remedy} in the environment, or use the options`,
  ];
}

function withCleanKey(environment: Environment): Environment {
  const key = environment[KEY];
  return key === undefined ? environment : { ...environment, [KEY]: key.trim() };
}

/**
 * The process environment, which takes precedence over the settings of a file. With the key from elsewhere, the file is used for comfort
 * only: a pull request may bring it.
 */
export function loadEnvironment(flags: Flags = {}, configuration?: Configuration): LoadedEnvironment {
  asked = flags;
  const own = ownEnvironment();
  const { path, variables: file, warnings } = readSettings(flags, own);
  const where = path ?? DEFAULT_FILE;
  if (file[variableOf(dotenvOption.dotenv)] !== undefined)
    throw new UsageError(`PETSTORE_DOTENV in ${where} can't name another file: set it in the environment, or use --dotenv`);
  // Known to every command, since the environment is the same for all.
  const named = configuration?.named ?? own['PETSTORE_CONFIG'] ?? file['PETSTORE_CONFIG'];
  const alsoKnown = named === undefined ? [] : readsOf(named).variables;
  const unknown = checkVariables({
    file,
    process: own,
    alsoKnown: [...alsoKnown, ...variablesOfHeaders(flags, { ...file, ...own })],
    where,
  });
  const { used, ignored } = split(file, own, { flags, configuration });
  return {
    environment: withCleanKey({ ...used, ...own }),
    file: path,
    fromFile: Object.keys(used).filter((name) => OURS.test(name)),
    warnings: [...unknown, ...warnings, ...ofIgnored(ignored, { where, flags, isOther: KEY in present(file) && KEY in own })],
    ignored,
  };
}

/** The environment as far as it is sound, for when something is wrong with it. */
export function soundEnvironment(flags: Flags): Environment {
  const own = ownEnvironment();
  try {
    return { ...split(readSettings(flags, own).variables, own, { flags, configuration: undefined }).used, ...own };
  } catch (error) {
    if (error instanceof UsageError) return own;
    throw error;
  }
}

/** The key, if it can be read, so that messages about mistakes do not repeat it. Never throws. */
export function knownKey(): string | undefined {
  const own = ownEnvironment();
  try {
    return (own[KEY] ?? readSettings(asked, own).variables[KEY])?.trim();
  } catch {
    return undefined;
  }
}

const KNOWN: readonly string[] = [...Object.values(allOptions).map(variableOf), 'PETSTORE_API_KEY', 'PETSTORE_RUN_TAG'];
const PREFIX = 'PETSTORE_';
const NEAR = 2;
/**
 * Variables that Kubernetes sets in every container for a service whose name begins this way: PETSTORE_SERVICE_HOST,
 * PETSTORE_API_PORT_80_TCP_ADDR.
 */
const SERVICE_LINK = /^PETSTORE(?:_\w+)?_(?:SERVICE_HOST|SERVICE_PORT(?:_\w+)?|PORT_\d+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?)$/;
const LINKED_PORT = /^PETSTORE(?:_\w+)?_PORT$/;

/** Letters only: case, underscores, and hyphens are the most common mistakes. */
const bare = (name: string): string => name.replaceAll(/[_-]/g, '').toUpperCase();

/** The known variable that a name was meant to be, or undefined. In a short name, two edits would match anything. */
function meantBy(name: string): string | undefined {
  const near = KNOWN.map((known) => ({
    known,
    distance: Math.min(editDistance(name.toUpperCase(), known), editDistance(bare(name), bare(known))),
    most: Math.min(NEAR, Math.floor((known.length - PREFIX.length - 1) / 2)),
  }));
  return near.filter(({ distance, most }) => distance <= most).toSorted((a, b) => a.distance - b.distance)[0]?.known;
}

function isServiceLink(name: string, value: string | undefined): boolean {
  return SERVICE_LINK.test(name) || (LINKED_PORT.test(name) && /^(?:tcp|udp|sctp):\/\//.test(value ?? ''));
}

/** Throws UsageError for a variable of an option that is not taken from there. */
function checkOrigins({ file, process, where }: Pick<Sources, 'file' | 'process' | 'where'>): void {
  for (const spec of Object.values<Specs[string]>(allOptions)) {
    const name = variableOf(spec);
    if (spec.onlyFrom === 'command line' && (file[name] ?? process[name]) !== undefined)
      throw new UsageError(`the variable ${name} has no effect: ${flagOf(spec)} counts only on the command line`);
    if (spec.onlyFrom !== undefined && file[name] !== undefined)
      throw new UsageError(`${name} in ${where} has no effect: set it in the environment, or use ${flagOf(spec)}`);
  }
}

/** Where variables come from: the file is written for this program, the process environment for others too. */
export type Sources = {
  readonly file: Environment;
  readonly process: Environment;
  readonly alsoKnown: readonly string[];
  /** The name of the file. */
  readonly where: string;
};

/**
 * Warnings about PETSTORE_ variables that nothing reads. Throws UsageError if one is a typo, or is in the file: an option that was meant to
 * spare a service must not be ignored.
 */
export function checkVariables({ file, process, alsoKnown, where }: Sources): string[] {
  checkGoneVariables(Object.keys({ ...file, ...process }).filter((name) => !KNOWN.includes(name)));
  checkOrigins({ file, process, where });
  const warnings: string[] = [];
  for (const [name, value] of Object.entries({ ...file, ...process })) {
    if (!/^petstore/i.test(name) || KNOWN.includes(name) || alsoKnown.includes(name) || isServiceLink(name, value)) continue;
    const meant = meantBy(name);
    if (meant !== undefined) throw new UsageError(`the variable ${name} is unknown; did you mean ${meant}?`);
    if (Object.hasOwn(file, name))
      throw new UsageError(`the variable ${name} in ${where} is unknown; "run --help" lists the options, and each has a variable`);
    warnings.push(`the variable ${name} is unknown and has no effect`);
  }
  return warnings;
}
