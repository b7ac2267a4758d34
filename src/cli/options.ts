import { InvalidArgumentError, Option } from 'commander';

/** How the text of an option becomes a value; throws InvalidArgumentError with what would be right. */
export type Parse<Value> = (text: string) => Value;

/** One option of `run`: its flag, its environment variable, its default in the words of the contract. */
export type OptionSpec<Value> = {
  readonly flags: string;
  readonly variable: string;
  readonly help: string;
  readonly shownDefault?: string;
  readonly fallback: Value;
  readonly parse: Parse<Value>;
  /** May be given several times; in the environment its values are separated by commas. */
  readonly repeatable?: boolean;
  /** Has no value on the command line; in the environment `true` or `false`. */
  readonly flag?: boolean;
};

const text: Parse<string> = (value) => value;

function number(what: { least: number; most: number; unit: string }): Parse<number> {
  return (value) => {
    const parsed = Number(value);
    if (value.trim() !== '' && Number.isInteger(parsed) && parsed >= what.least && parsed <= what.most) return parsed;
    throw new InvalidArgumentError(`"${value}" is no whole number from ${what.least} to ${what.most}${what.unit}`);
  };
}

function choice<const Name extends string>(names: readonly Name[]): Parse<Name> {
  return (value) => {
    const found = names.find((name) => name === value);
    if (found === undefined) throw new InvalidArgumentError(`"${value}" is none of ${names.join(', ')}`);
    return found;
  };
}

const flag: Parse<boolean> = (value) => {
  if (['true', '1', 'yes', ''].includes(value.toLowerCase())) return true;
  if (['false', '0', 'no'].includes(value.toLowerCase())) return false;
  throw new InvalidArgumentError(`"${value}" is neither true nor false`);
};

const category: Parse<bigint> = (value) => {
  if (/^-?\d{1,19}$/.test(value) && BigInt.asIntN(64, BigInt(value)) === BigInt(value)) return BigInt(value);
  throw new InvalidArgumentError(`"${value}" is no int64`);
};

const date: Parse<Date> = (value) => {
  const parsed = new Date(value);
  if (Number.isNaN(parsed.getTime())) throw new InvalidArgumentError(`"${value}" is no date such as 2030-12-06`);
  return parsed;
};

const letters: Parse<string> = (value) => {
  if (/^[A-Za-z]{1,11}$/.test(value)) return value;
  throw new InvalidArgumentError(`"${value}" is not 1 to 11 ASCII letters, the only names that every conforming service accepts`);
};

export const REPORTERS = ['terminal', 'junit', 'json'] as const;
export type ReporterName = (typeof REPORTERS)[number];
const DEFAULT_REPORTERS: readonly ReporterName[] = ['terminal', 'junit', 'json'];
const WEEK = 7 * 24 * 3_600_000;
const milliseconds = { least: 1, most: WEEK, unit: ' (milliseconds)' };

function one<Value>(spec: OptionSpec<Value>): OptionSpec<Value> {
  return spec;
}

function many<Value>(
  spec: Omit<OptionSpec<readonly Value[]>, 'parse' | 'repeatable'> & { readonly parse: Parse<Value> },
): OptionSpec<readonly Value[]> {
  const { parse } = spec;
  return { ...spec, repeatable: true, parse: (value) => value.split('\u0000').map(parse) };
}

/** The options that say which service is judged, and how gently. */
export const targetOptions = {
  baseUrl: one<string | undefined>({
    flags: '--base-url <url>',
    variable: 'PETSTORE_BASE_URL',
    help: 'the service, with /v1 at the end',
    fallback: undefined,
    parse: text,
  }),
  reference: one({
    flags: '--reference',
    variable: 'PETSTORE_REFERENCE',
    help: 'judge the built-in reference server instead',
    fallback: false,
    parse: flag,
    flag: true,
  }),
  apiKeyFile: one<string | undefined>({
    flags: '--api-key-file <file>',
    variable: 'PETSTORE_API_KEY_FILE',
    help: 'file with the API key; PETSTORE_API_KEY holds the key itself',
    fallback: undefined,
    parse: text,
  }),
  readOnly: one({
    flags: '--read-only',
    variable: 'PETSTORE_READ_ONLY',
    help: 'create nothing; what needs creation is inconclusive',
    fallback: false,
    parse: flag,
    flag: true,
  }),
  productionBaseUrl: one<string | undefined>({
    flags: '--production-base-url <url>',
    variable: 'PETSTORE_PRODUCTION_BASE_URL',
    help: 'writes to this address are refused',
    fallback: undefined,
    parse: text,
  }),
  allowProductionWrites: one({
    flags: '--allow-production-writes',
    variable: 'PETSTORE_ALLOW_PRODUCTION_WRITES',
    help: 'create animals there all the same',
    fallback: false,
    parse: flag,
    flag: true,
  }),
  maxCreates: one({
    flags: '--max-creates <n>',
    variable: 'PETSTORE_MAX_CREATES',
    help: 'animals that the run may create; none can be deleted',
    fallback: 250,
    parse: number({ least: 0, most: 100_000, unit: '' }),
  }),
  namePrefix: one({
    flags: '--name-prefix <text>',
    variable: 'PETSTORE_NAME_PREFIX',
    help: 'how created animals are recognized',
    fallback: 'conformance',
    parse: letters,
  }),
  categoryId: many<bigint>({
    flags: '--category-id <n>',
    variable: 'PETSTORE_CATEGORY_ID',
    help: 'a category that the service accepts',
    shownDefault: 'discovered',
    fallback: [],
    parse: category,
  }),
  concurrency: one({
    flags: '--concurrency <n>',
    variable: 'PETSTORE_CONCURRENCY',
    help: 'requests under way at a time',
    fallback: 8,
    parse: number({ least: 1, most: 256, unit: '' }),
  }),
  timeout: one({
    flags: '--timeout <ms>',
    variable: 'PETSTORE_TIMEOUT',
    help: 'one request, from DNS to the last body byte',
    fallback: 10_000,
    parse: number(milliseconds),
  }),
  consistencyWindow: one({
    flags: '--consistency-window <ms>',
    variable: 'PETSTORE_CONSISTENCY_WINDOW',
    help: 'how long a created animal may take to be seen',
    fallback: 2_000,
    parse: number({ ...milliseconds, least: 0 }),
  }),
  waitForReady: one({
    flags: '--wait-for-ready <ms>',
    variable: 'PETSTORE_WAIT_FOR_READY',
    help: 'wait for the service to answer before judging',
    fallback: 0,
    parse: number({ ...milliseconds, least: 0 }),
  }),
  rate: one({
    flags: '--rate <n>',
    variable: 'PETSTORE_RATE',
    help: 'requests a second at most',
    shownDefault: 'no bound',
    fallback: 0,
    parse: number({ least: 1, most: 1_000_000, unit: '' }),
  }),
  ca: one<string | undefined>({
    flags: '--ca <file>',
    variable: 'PETSTORE_CA',
    help: 'PEM file of certificates to trust besides the public ones',
    fallback: undefined,
    parse: text,
  }),
  proxy: one<string | undefined>({
    flags: '--proxy <url>',
    variable: 'PETSTORE_PROXY',
    help: 'HTTP proxy to go through',
    fallback: undefined,
    parse: text,
  }),
} as const;

/** The options that say how a run judges and reports. */
export const judgeOptions = {
  profile: one({
    flags: '--profile <name>',
    variable: 'PETSTORE_PROFILE',
    help: 'how many cases the properties run: quick, standard, thorough',
    fallback: 'standard' as const,
    parse: choice(['quick', 'standard', 'thorough']) as Parse<'quick' | 'standard' | 'thorough'>,
  } as OptionSpec<'quick' | 'standard' | 'thorough'>),
  timeBudget: one({
    flags: '--time-budget <seconds>',
    variable: 'PETSTORE_TIME_BUDGET',
    help: 'when it is spent, properties draw no new cases',
    fallback: 60,
    parse: number({ least: 1, most: 86_400, unit: ' (seconds)' }),
  }),
  seed: one<number | undefined>({
    flags: '--seed <n>',
    variable: 'PETSTORE_SEED',
    help: 'same seed, same requests (but for the letters that make names unique)',
    shownDefault: 'random, printed',
    fallback: undefined,
    parse: number({ least: 0, most: 2 ** 31 - 1, unit: '' }),
  }),
  only: many<string>({
    flags: '--only <glob>',
    variable: 'PETSTORE_ONLY',
    help: 'judge only these clauses or checks',
    shownDefault: 'all',
    fallback: [],
    parse: text,
  }),
  skip: many<string>({
    flags: '--skip <glob>',
    variable: 'PETSTORE_SKIP',
    help: 'leave these clauses or checks out',
    shownDefault: 'none',
    fallback: [],
    parse: text,
  }),
  strict: one({
    flags: '--strict',
    variable: 'PETSTORE_STRICT',
    help: 'advised breaks and inconclusive checks fail the run',
    fallback: false,
    parse: flag,
    flag: true,
  }),
  now: one<Date | undefined>({
    flags: '--now <date>',
    variable: 'PETSTORE_NOW',
    help: 'the clock that deprecation is judged by',
    shownDefault: 'today',
    fallback: undefined,
    parse: date,
  }),
  reports: one({ flags: '--reports <dir>', variable: 'PETSTORE_REPORTS', help: 'where report files go', fallback: 'reports', parse: text }),
  reporter: many<ReporterName>({
    flags: '--reporter <name>',
    variable: 'PETSTORE_REPORTER',
    help: `which reports: ${REPORTERS.join(', ')}`,
    shownDefault: DEFAULT_REPORTERS.join(', '),
    fallback: DEFAULT_REPORTERS,
    parse: choice(REPORTERS),
  }),
} as const;

/** Everything that `run` understands. */
export const runOptions = { ...targetOptions, ...judgeOptions } as const;

type Specs = Readonly<Record<string, OptionSpec<unknown>>>;
export type Resolved<Table> = { readonly [Name in keyof Table]: Table[Name] extends OptionSpec<infer Value> ? Value : never };

/** Options as commander shows and reads them: texts only, their meaning comes with `resolveOptions`. */
export function commanderOptions(table: Specs): Option[] {
  return Object.values(table).map((spec) => {
    const shown = spec.shownDefault ?? (spec.fallback === undefined || spec.flag === true ? undefined : String(spec.fallback));
    const notes = [shown === undefined ? undefined : `default: ${shown}`, `env: ${spec.variable}`].filter((note) => note !== undefined);
    const option = new Option(spec.flags, `${spec.help} (${notes.join(', ')})`);
    if (spec.repeatable === true) option.argParser((value: string, before: string[] | undefined) => [...(before ?? []), value]);
    return option;
  });
}

export type Environment = Readonly<Record<string, string | undefined>>;

function given(spec: OptionSpec<unknown>, option: unknown, environment: Environment): { text: string; from: string } | undefined {
  const name = spec.flags.split(' ')[0] ?? spec.flags;
  if (option === true) return { text: 'true', from: name };
  if (typeof option === 'string') return { text: option, from: name };
  if (Array.isArray(option)) return { text: option.join('\u0000'), from: name };
  const variable = environment[spec.variable];
  if (variable === undefined || variable === '') return undefined;
  const values = spec.repeatable === true ? variable.split(',').map((part) => part.trim()) : [variable];
  return { text: values.join('\u0000'), from: spec.variable };
}

/**
 * The value of every option: command line, then environment, then default.
 * Throws InvalidArgumentError that names the option or variable and what would be right.
 */
export function resolveOptions<Table extends Specs>(
  table: Table,
  options: Readonly<Record<string, unknown>>,
  environment: Environment,
): Resolved<Table> {
  const entries = Object.entries(table).map(([name, spec]) => {
    const found = given(spec, options[name], environment);
    if (found === undefined) return [name, spec.fallback];
    try {
      return [name, spec.parse(found.text)];
    } catch (error) {
      if (error instanceof InvalidArgumentError) throw new InvalidArgumentError(`${found.from}: ${error.message}`);
      throw error;
    }
  });
  return Object.fromEntries(entries) as Resolved<Table>;
}
