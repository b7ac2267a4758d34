import { parse } from 'dotenv';
import { exposedFile } from '../secrets/exposed-file.ts';
import { readBoundedFile } from '../secrets/read-bounded-file.ts';
import type { Environment } from './option-spec.ts';
import { UsageError } from './usage-error.ts';
import { checkVariables } from './variables.ts';

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
    throw new UsageError(`cannot read .env: ${error instanceof Error ? error.message : String(error)}`);
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
