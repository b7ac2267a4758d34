import { parse } from 'dotenv';
import { exposedFile } from '../secrets/exposed-file.ts';
import { readBoundedFile } from '../secrets/read-bounded-file.ts';
import type { Environment } from './option-spec.ts';
import { UsageError } from './usage-error.ts';
import { checkVariables } from './variables.ts';

export type LoadedEnvironment = {
  readonly environment: Environment;
  readonly warnings: readonly string[];
};

function readDotenv(): Environment {
  try {
    return parse(readBoundedFile('.env'));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {};
    throw new UsageError(`cannot read .env: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/**
 * The process environment over the `.env` of the working folder (and of no other). An empty variable is none.
 * `alsoKnown` are names that a configuration reads besides those of options.
 */
export function loadEnvironment(alsoKnown: readonly string[] = []): LoadedEnvironment {
  const file = readDotenv();
  const own = Object.fromEntries(Object.entries(process.env).filter(([, value]) => value !== ''));
  const unknown = checkVariables({ file, process: own, alsoKnown });
  const warning = file['PETSTORE_API_KEY'] ? exposedFile('.env', 'the API key') : undefined;
  return { environment: { ...file, ...own }, warnings: warning === undefined ? unknown : [...unknown, warning] };
}

/** The environment as far as it can be known when something is wrong with it. */
export function rawEnvironment(): Environment {
  const own = Object.fromEntries(Object.entries(process.env).filter(([, value]) => value !== ''));
  try {
    return { ...readDotenv(), ...own };
  } catch (error) {
    if (error instanceof UsageError) return own;
    throw error;
  }
}

/** The key as far as it can be known, so that messages about mistakes do not repeat it. */
export function knownKey(): string | undefined {
  return rawEnvironment()['PETSTORE_API_KEY'];
}
