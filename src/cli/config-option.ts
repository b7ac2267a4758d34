import { nearestName } from '../clause/similar-names.ts';
import type { Waiver } from '../judge/waiver-file.ts';
import type { NamedTarget } from '../probe/config/load-config.ts';
import { announce } from './command-environment.ts';
import { loadEnvironment, ownEnvironment } from './environment.ts';
import { type Environment, type Flags, resolveOptions, UsageError, variableOf } from './option-spec.ts';
import { configOptions, runOptions, smokeOptions } from './options.ts';

type Command = 'smoke' | 'doctor';

/** Options and variables, combined with the target of --config, if there is one. */
export type Configured = {
  /** Those of the command line, and those of the target for which the command line has none. */
  readonly flags: Flags;
  /** Without variables of a service other than the target. */
  readonly environment: Environment;
  /** The file of settings that was read, and its variables that are used. */
  readonly file: string | undefined;
  readonly fromFile: readonly string[];
  readonly target: NamedTarget['target'] | undefined;
  /** The file that names the service, and where its key is, unless an option names another key file. */
  readonly origin: { readonly file: string; readonly key: string | undefined } | undefined;
  /** Waivers in the configuration itself; undefined if they are in a separate file, if any. */
  readonly waivers: readonly Waiver[] | undefined;
  readonly warnings: readonly string[];
};

const MOST_NAMES = 20;
const SECOND = 1_000;

function listed(names: readonly string[]): string {
  const more = names.length - MOST_NAMES;
  return `${names.slice(0, MOST_NAMES).join(', ')}${more > 0 ? `, and ${more} more` : ''}`;
}

function unknownTarget(file: string, name: string | undefined, names: readonly string[]): UsageError {
  if (name === undefined)
    return new UsageError(`--config ${file} needs the target to judge: name it with --target, one of ${listed(names)}`);
  const near = nearestName(name, names);
  const advice = near === undefined ? `its targets are ${listed(names)}` : `did you mean ${near}?`;
  return new UsageError(`--target: ${file} has no target "${name}"; ${advice}`);
}

/** A service that is named twice: the command line takes precedence over variables, and two on the command line are a mistake. */
function isOverruled(flags: Flags, given: Readonly<Record<'config' | 'target', string | undefined>>): boolean {
  const other = flags['baseUrl'] === undefined ? (flags['reference'] === true ? '--reference' : undefined) : '--base-url';
  if (other === undefined || (given.config === undefined && given.target === undefined)) return false;
  const said = flags['target'] === undefined ? (flags['config'] === undefined ? undefined : '--config') : '--target';
  if (said === undefined) return true;
  throw new UsageError(`both ${other} and ${said} name a service to judge; remove one of them`);
}

/** What the file says about the target, as the texts of options. */
function optionsOf({ target, own, key, headers, waiversFile }: NamedTarget): Flags {
  return {
    baseUrl: target.baseUrl,
    apiKeyFile: key.startsWith('file:') ? key.slice('file:'.length) : undefined,
    ca: target.ca,
    proxy: target.proxy,
    header: headers.length === 0 ? undefined : headers,
    resolve: target.resolve.length === 0 ? undefined : target.resolve,
    family: target.family?.toString(),
    unixSocket: target.unixSocket,
    cert: target.cert,
    key: target.key,
    only: own.only,
    skip: own.skip,
    strict: own.strict === true ? true : undefined,
    asOf: own.asOf,
    concurrency: own.concurrency?.toString(),
    rate: own.rate?.toString(),
    timeout: own.timeout === undefined ? undefined : target.timeout.toString(),
    waivers: waiversFile,
    name: target.name,
    deadline: own.deadline === undefined ? undefined : String(Math.ceil(target.deadline / SECOND)),
    budget: own.budget?.toString(),
  };
}

const given = (flags: Flags): Flags => Object.fromEntries(Object.entries(flags).filter(([, value]) => value !== undefined));

/** Variables that name the service of this folder, and not the target. */
const OF_ANOTHER = ['PETSTORE_API_KEY', 'PETSTORE_API_KEY_FILE'];

async function load(file: string, name: string | undefined, { environment, flags }: { environment: Environment; flags: Flags }) {
  const [{ loadTarget }, { ConfigError }, { clauses }] = await Promise.all([
    import('../probe/config/load-config.ts'),
    import('../probe/config/config.ts'),
    import('../../suites/clauses/index.ts'),
  ]);
  const isGiven = (name: string): boolean => flags[name] !== undefined;
  const replaced = {
    key: isGiven('apiKeyFile'),
    ca: isGiven('ca'),
    waivers: isGiven('waivers'),
    cert: isGiven('cert'),
    headers: isGiven('header'),
  };
  try {
    const found = loadTarget(file, name, { environment, clauses, today: new Date(), replaced });
    if (found.kind === 'unknown') throw unknownTarget(file, name, found.names);
    return found;
  } catch (error) {
    if (error instanceof ConfigError) throw new UsageError(`the configuration is invalid\n${error.message}`);
    throw error;
  }
}

/** The values of a target that count: what the process environment sets takes precedence over a target that the file of settings names. */
function countedOf(found: NamedTarget, isOfFile: boolean): Flags {
  const own = isOfFile ? ownEnvironment() : {};
  const specs: Readonly<Record<string, Parameters<typeof variableOf>[0]>> = { ...runOptions, ...smokeOptions };
  return Object.fromEntries(
    Object.entries(optionsOf(found)).filter(([name]) => specs[name] === undefined || own[variableOf(specs[name])] === undefined),
  );
}

/**
 * The command line with the target of `--config FILE --target NAME`: values of the file count as if given on the command line, which takes
 * precedence. The key is that of the target, never that of another service. Throws UsageError for an unknown target.
 */
export async function configure(flags: Flags, command: Command): Promise<Configured> {
  const own = ownEnvironment();
  const named = resolveOptions(configOptions, flags, own);
  const loaded = loadEnvironment(flags, { named: named.config });
  const { environment, file, fromFile } = loaded;
  // doctor names the variables in its list.
  announce(command === 'doctor' ? { ...loaded, fromFile: [] } : loaded);
  const asked = resolveOptions(configOptions, flags, environment);
  const unconfigured = { flags, environment, file, fromFile, target: undefined, origin: undefined, waivers: undefined, warnings: [] };
  const isOfFile = asked.config !== named.config || asked.target !== named.target;
  if (isOfFile && (own['PETSTORE_BASE_URL'] ?? own['PETSTORE_REFERENCE']) !== undefined)
    return { ...unconfigured, warnings: [`the target that ${file} names is ignored: the environment names another service`] };
  if (isOverruled(flags, asked)) {
    const ignored = 'PETSTORE_CONFIG and PETSTORE_TARGET are ignored: the command line names another service';
    return { ...unconfigured, warnings: [ignored] };
  }
  if (asked.config === undefined) {
    if (asked.target !== undefined) throw new UsageError('--target needs the file that has it: name it with --config FILE');
    return unconfigured;
  }
  const found = await load(asked.config, asked.target, { environment, flags });
  const { target, key, waiversFile } = found;
  const ofTarget = Object.fromEntries(Object.entries(environment).filter(([variable]) => !OF_ANOTHER.includes(variable)));
  const isReplaced = environment['PETSTORE_BASE_URL'] !== undefined && environment['PETSTORE_BASE_URL'] !== target.baseUrl;
  return {
    flags: { ...countedOf(found, isOfFile), ...given(flags) },
    environment:
      key.startsWith('env:') && flags['apiKeyFile'] === undefined ? { ...ofTarget, PETSTORE_API_KEY: target.apiKey() } : ofTarget,
    file,
    fromFile,
    target,
    origin: { file: asked.config, key: flags['apiKeyFile'] === undefined ? key : undefined },
    waivers: waiversFile === undefined && flags['waivers'] === undefined ? target.waivers : undefined,
    warnings: [...(isReplaced ? ['PETSTORE_BASE_URL is set but ignored: --target names the service'] : []), ...found.warnings],
  };
}
