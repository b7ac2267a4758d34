import { existsSync, readdirSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { OwnClause } from '../oracle/own.ts';
import type { Clause } from '../oracle/rule.ts';
import { loadEnvironment, ownEnvironment } from './environment.ts';
import { type Environment, type Flags, resolveOptions, UsageError } from './option-spec.ts';
import { dotenvOption, judgeOptions } from './options.ts';
import { printError } from './output.ts';

const CLAUSE_FILE = /\.clause\.[cm]?[jt]s$/;

function filesOf(folder: string): readonly string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => CLAUSE_FILE.test(name));
  if (files.length === 0)
    throw new UsageError(
      `the folder ${folder} (--own-clauses) holds no file whose name ends in .clause.js, .clause.ts, .clause.mjs or .clause.mts`,
    );
  return files.toSorted().map((name) => join(folder, name));
}

function packageFile(name: string): string {
  try {
    return createRequire(join(process.cwd(), 'package.json')).resolve(name);
  } catch {
    throw new UsageError(`"${name}" (--own-clauses) is neither a file or folder here nor a package that is installed here`);
  }
}

/** The modules of `--own-clauses`, as URLs: a file, the `*.clause.js` and `*.clause.ts` files of a folder, or a package. */
export function ownClauseModules(given: readonly string[]): readonly string[] {
  return given
    .flatMap((name) => {
      const path = resolve(name);
      if (!existsSync(path)) return [packageFile(name)];
      return statSync(path).isDirectory() ? filesOf(path) : [path];
    })
    .map((path) => pathToFileURL(path).href);
}

/** The catalog followed by the clauses of `--own-clauses`. */
export async function loadRegistry(given: readonly string[]): Promise<readonly Clause[]> {
  const [{ clauses }, { withOwnClauses }, own] = await Promise.all([
    import('../../suites/clauses/index.ts'),
    import('../oracle/own.ts'),
    loadOwn(given),
  ]);
  return withOwnClauses(clauses, own);
}

/** Only those of `--own-clauses`: what each run of the probe judges in addition. */
export async function loadOwn(given: readonly string[]): Promise<readonly OwnClause[]> {
  if (given.length === 0) return [];
  const { loadOwnClauses } = await import('../gate/load-own-clauses.ts');
  return loadOwnClauses(ownClauseModules(given));
}

/** The option of commands that show what is judged, and of the monitor. */
export const ownClausesOption = { ownClauses: judgeOptions.ownClauses, ...dotenvOption } as const;

/** The modules that it names for such a command, which needs no other setting: what is wrong with the file of settings is a warning. */
export function ownClausesOf(flags: Flags): readonly string[] {
  const { environment, warnings } = settingsOf(flags);
  for (const warning of warnings) printError(`warning: ${warning}`);
  return resolveOptions(ownClausesOption, flags, environment).ownClauses;
}

function settingsOf(flags: Flags): { environment: Environment; warnings: readonly string[] } {
  try {
    return loadEnvironment(flags);
  } catch (error) {
    if (error instanceof UsageError) return { environment: ownEnvironment(), warnings: [error.message] };
    throw error;
  }
}
