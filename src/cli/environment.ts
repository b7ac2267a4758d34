import { parse } from 'dotenv';
import { exposedFile } from '../secrets/exposed-file.ts';
import { readBoundedFile } from '../secrets/read-bounded-file.ts';
import { type Environment, variableOf } from './option-spec.ts';
import { runOptions } from './options.ts';
import { UsageError } from './usage-error.ts';

export type LoadedEnvironment = {
  readonly environment: Environment;
  readonly warnings: readonly string[];
};

const OTHER_VARIABLES = ['PETSTORE_API_KEY', 'PETSTORE_RUN_TAG'];

/** PETSTORE_READONLY would be ignored, and animals created: a name that differs from a known one by underscores only is a mistake. */
function refuseNearMisses(environment: Environment): void {
  const known = [...Object.values(runOptions).map(variableOf), ...OTHER_VARIABLES];
  const bare = (name: string): string => name.replaceAll(/[_-]/g, '').toUpperCase();
  for (const name of Object.keys(environment)) {
    if (!/^petstore/i.test(name) || known.includes(name)) continue;
    const meant = known.find((candidate) => bare(candidate) === bare(name));
    if (meant !== undefined) throw new UsageError(`the variable ${name} is not known; ${meant} is what it is called`);
  }
}

function readDotenv(): Environment {
  let source: string;
  try {
    source = readBoundedFile('.env');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {};
    throw new UsageError(`cannot read .env: ${error instanceof Error ? error.message : String(error)}`);
  }
  return parse(source);
}

/** The process environment over the `.env` of the working folder (and of no other). An empty variable is none. */
export function loadEnvironment(): LoadedEnvironment {
  const file = readDotenv();
  const own = Object.fromEntries(Object.entries(process.env).filter(([, value]) => value !== ''));
  const environment = { ...file, ...own };
  refuseNearMisses(environment);
  const warning = file['PETSTORE_API_KEY'] ? exposedFile('.env', 'the API key') : undefined;
  return { environment, warnings: warning === undefined ? [] : [warning] };
}
