import { readFileSync, statSync } from 'node:fs';
import { parse } from 'dotenv';
import type { Environment } from './options.ts';
import { UsageError } from './usage-error.ts';

export type LoadedEnvironment = { readonly environment: Environment; readonly warnings: readonly string[] };

/** A warning when others may read a file that holds a key; undefined when not, or where modes mean nothing. */
export function exposedFile(path: string): string | undefined {
  if (process.platform === 'win32') return undefined;
  const others = statSync(path).mode & 0o044;
  return others === 0 ? undefined : `${path} holds the API key and others can read it; "chmod 600 ${path}" keeps it to you`;
}

/** The process environment over the `.env` of the working folder (and of no other). */
export function loadEnvironment(): LoadedEnvironment {
  const own = process.env as Environment;
  let source: string;
  try {
    source = readFileSync('.env', 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { environment: own, warnings: [] };
    throw new UsageError(`cannot read .env: ${(error as Error).message}`);
  }
  const file = parse(source);
  const warning = file['PETSTORE_API_KEY'] ? exposedFile('.env') : undefined;
  return { environment: { ...file, ...own }, warnings: warning === undefined ? [] : [warning] };
}
