import { parse } from 'dotenv';
import { editDistance } from '../clause/similar-names.ts';
import { exposedFile, readBoundedFile } from '../secrets/secret-file.ts';
import { messageOf } from '../wire/wording.ts';
import { checkGoneVariables } from './gone.ts';
import { type Environment, UsageError, variableOf } from './option-spec.ts';
import { allOptions } from './options.ts';

export type LoadedEnvironment = {
  readonly environment: Environment;
  /** The variables of `.env` that are used. */
  readonly fromFile: readonly string[];
  readonly warnings: readonly string[];
};

/** What else a command reads: names of variables in a configuration, and whether an option names a key file. */
export type AlsoRead = { readonly variables?: readonly string[] | undefined; readonly apiKeyFile?: unknown };

/**
 * Variables that run foreign code or decide who gets the key: a pull request may bring a `.env`, which must do neither if the key comes
 * from elsewhere.
 */
const DANGEROUS = /^(?:PETSTORE_(?:OWN_CLAUSES|PROXY|CA)|(?:HTTPS?|ALL)_PROXY)$/i;
const OURS = /^(?:PETSTORE_\w+|(?:HTTPS?|ALL|NO)_PROXY)$/i;

function readDotenv(): Environment {
  try {
    return parse(readBoundedFile('.env'));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {};
    throw new UsageError(`cannot read .env: ${messageOf(error)}`);
  }
}

const present = (variables: Environment): Environment => Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''));

/** Whether `.env` contains the key that is used. */
function hasKey(file: Environment, own: Environment, { variables, apiKeyFile }: AlsoRead): boolean {
  const names = variables ?? ['PETSTORE_API_KEY'];
  const isElsewhere = apiKeyFile !== undefined || { ...file, ...own }['PETSTORE_API_KEY_FILE'] !== undefined;
  return !isElsewhere && names.some((name) => file[name] !== undefined) && !names.some((name) => own[name] !== undefined);
}

/**
 * The process environment, which takes precedence over the `.env` of the working folder (and of no other). An empty variable counts as
 * unset. Variables in `.env` that run code or redirect requests are used only if it also contains the key: whoever wrote it could have read
 * the key anyway.
 */
export function loadEnvironment(also: AlsoRead = {}): LoadedEnvironment {
  const file = readDotenv();
  const own = present(process.env);
  const unknown = checkVariables({ file, process: own, alsoKnown: also.variables ?? [] });
  const exposed = file['PETSTORE_API_KEY'] ? exposedFile('.env', 'the API key') : undefined;
  const trusted = hasKey(present(file), own, also);
  const ignored = trusted ? [] : Object.keys(present(file)).filter((name) => DANGEROUS.test(name) && own[name] === undefined);
  const counted = Object.fromEntries(Object.entries(file).filter(([name]) => !ignored.includes(name)));
  const warnings = ignored.map(
    (name) => `${name} in .env has no effect, because the API key does not come from there; set it in the environment, or use the option`,
  );
  return {
    environment: { ...counted, ...own },
    fromFile: Object.keys(present(counted)).filter((name) => OURS.test(name) && own[name] === undefined),
    warnings: [...unknown, ...(exposed === undefined ? [] : [exposed]), ...warnings],
  };
}

/** The environment for when something is wrong with it. */
export function rawEnvironment(): Environment {
  const own = present(process.env);
  try {
    return { ...readDotenv(), ...own };
  } catch (error) {
    if (error instanceof UsageError) return own;
    throw error;
  }
}

/** The key, if it can be read, so that messages about mistakes do not repeat it. */
export function knownKey(): string | undefined {
  return rawEnvironment()['PETSTORE_API_KEY'];
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
    most: Math.min(NEAR, Math.floor((known.length - PREFIX.length) / 2)),
  }));
  return near.filter(({ distance, most }) => distance <= most).toSorted((a, b) => a.distance - b.distance)[0]?.known;
}

function isServiceLink(name: string, value: string | undefined): boolean {
  return SERVICE_LINK.test(name) || (LINKED_PORT.test(name) && /^(?:tcp|udp|sctp):\/\//.test(value ?? ''));
}

/** Where variables come from: `.env` is written for this program, the process environment for others too. */
export type Sources = { readonly file: Environment; readonly process: Environment; readonly alsoKnown: readonly string[] };

/**
 * Warnings about PETSTORE_ variables that nothing reads. Throws UsageError if one is a typo, or is in `.env`: an option that was meant to
 * spare a service must not be ignored.
 */
export function checkVariables({ file, process, alsoKnown }: Sources): string[] {
  checkGoneVariables(Object.keys({ ...file, ...process }).filter((name) => !KNOWN.includes(name)));
  const warnings: string[] = [];
  for (const [name, value] of Object.entries({ ...file, ...process })) {
    if (!/^petstore/i.test(name) || KNOWN.includes(name) || alsoKnown.includes(name) || isServiceLink(name, value)) continue;
    const meant = meantBy(name);
    if (meant !== undefined) throw new UsageError(`the variable ${name} is unknown; did you mean ${meant}?`);
    if (Object.hasOwn(file, name))
      throw new UsageError(`the variable ${name} in .env is unknown; "run --help" lists the options, and each has a variable`);
    warnings.push(`the variable ${name} is unknown and has no effect`);
  }
  return warnings;
}
