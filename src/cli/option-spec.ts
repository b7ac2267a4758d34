// What an option is, how it is read, and how wrong usage is reported.

import { Option } from 'commander';
import { placeholderIn } from '../secrets/placeholder.ts';
import { HEADER_NAME, headerNameFault } from '../wire/extra-headers.ts';
import { FAMILIES, type Family } from '../wire/route.ts';

/** Wrong usage or configuration: one sentence and what to do; exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

const MEGABYTE = 1024 * 1024;

/** Maximum size in bytes of a file that is named on the command line: a wrong path must not fill the memory. */
export const LARGEST = { settings: 4 * MEGABYTE, report: 512 * MEGABYTE } as const;

/** Parses the text of an option; throws UsageError with what would be correct. */
type Parse<Value> = (text: string) => Value;

/**
 * One option: its flag, and its default in the words of the contract. Its environment variable is PETSTORE_ and its name, unless another
 * command uses that.
 */
export type OptionSpec<Value> = {
  readonly flags: string;
  readonly help: string;
  readonly shownDefault?: string;
  readonly fallback: Value;
  readonly parse: Parse<Value>;
  /** Its environment variable, if options with the same name mean different things. */
  readonly variable?: string;
  /** May be given several times; in the environment its values are separated by commas. */
  readonly repeatable?: boolean;
  /** In the environment its values are lines, because they may contain commas. */
  readonly lines?: boolean;
  /** Has no value on the command line; in the environment `true` or `false`. */
  readonly flag?: boolean;
  /** It runs or overwrites something, so no file sets it: `environment` has its variable, and `command line` nothing else. */
  readonly onlyFrom?: 'environment' | 'command line';
};

/** Where the help of a command shows its options, in this order, after those that most users need. */
const TOPICS = ['The service:', 'What is judged:', 'What is sent:', 'How fast, and how long:', 'The verdict:', 'Output:'] as const;
type Placed = { readonly topic: (typeof TOPICS)[number] };

export type Specs = Readonly<Record<string, OptionSpec<unknown>>>;
export type Resolved<Table> = { readonly [Name in keyof Table]: Table[Name] extends OptionSpec<infer Value> ? Value : never };
export type Environment = Readonly<Record<string, string | undefined>>;
/** The options of a command line, by name. */
export type Flags = Readonly<Record<string, unknown>>;

// Between the values of a repeated option: no argument can contain it.
const SEPARATOR = '\u0000';

export function one<Value>(spec: OptionSpec<Value>): OptionSpec<Value> {
  return spec;
}

type Plain = Pick<OptionSpec<unknown>, 'flags' | 'help' | 'shownDefault'>;

export function optionalText(spec: Plain & Pick<OptionSpec<unknown>, 'onlyFrom'>): OptionSpec<string | undefined> {
  return { ...spec, fallback: undefined, parse: text };
}

export function texts(spec: Plain): OptionSpec<readonly string[]> {
  return many({ shownDefault: 'none', ...spec, fallback: [], parse: text });
}

/** Off by default, and without a value on the command line. */
export function toggle(spec: Plain): OptionSpec<boolean> {
  return { ...spec, fallback: false, parse: flag, flag: true };
}

/** Options of one topic. */
export function about<Table extends Specs>(topic: Placed['topic'], table: Table): { readonly [Name in keyof Table]: Table[Name] & Placed } {
  const placed = Object.entries(table).map(([name, spec]) => [name, { ...spec, topic }]);
  return Object.fromEntries(placed) as { readonly [Name in keyof Table]: Table[Name] & Placed };
}

type Repeated<Value> = Omit<OptionSpec<readonly Value[]>, 'parse' | 'repeatable'> & { readonly parse: Parse<Value> };

export function many<Value>(spec: Repeated<Value>): OptionSpec<readonly Value[]> {
  const { parse } = spec;
  return { ...spec, repeatable: true, parse: (value) => value.split(SEPARATOR).map(parse) };
}

export const text: Parse<string> = (value) => {
  const placeholder = placeholderIn(value);
  if (placeholder !== undefined) throw new UsageError(`contains ${placeholder}, a placeholder that nobody filled in`);
  return value;
};

/** A command for the shell, which expands what looks like a placeholder. */
export const command: Parse<string> = (value) => {
  if (value.trim() === '') throw new UsageError('is empty; expected a command for the shell');
  return value;
};

export function whole(what: { least: number; most: number; unit: string }): Parse<number> {
  return (value) => {
    const parsed = Number(value);
    if (/^\d+$/.test(value.trim()) && parsed >= what.least && parsed <= what.most) return parsed;
    throw new UsageError(`"${value}" is not an integer from ${what.least} to ${what.most}${what.unit}`);
  };
}

/** One of these names. `gone` has those of earlier versions, each with what to use instead. */
export function choice<const Name extends string>(names: readonly Name[], gone: Readonly<Record<string, string>> = {}): Parse<Name> {
  return (value) => {
    const found = names.find((name) => name === value);
    if (found !== undefined) return found;
    if (Object.hasOwn(gone, value)) throw new UsageError(`"${value}" was removed in version 3: ${gone[value]}`);
    const advice = value.includes(',') ? '; an option takes one value, so repeat the option' : '';
    throw new UsageError(`"${value}" is none of ${names.join(', ')}${advice}`);
  };
}

export const flag: Parse<boolean> = (value) => {
  if (['true', '1', 'yes'].includes(value.toLowerCase())) return true;
  if (['false', '0', 'no'].includes(value.toLowerCase())) return false;
  throw new UsageError(`"${value}" is neither true nor false`);
};

/** The value of an option that may be given without one; in its variable, `true` and `false` switch it on and off. */
export const orSwitch: Parse<string | true | undefined> = (value) => {
  if (value === 'true') return true;
  return value === 'false' ? undefined : value;
};

export const category: Parse<bigint> = (value) => {
  if (/^-?\d{1,19}$/.test(value) && BigInt.asIntN(64, BigInt(value)) === BigInt(value)) return BigInt(value);
  throw new UsageError(`"${value}" is not an int64`);
};

export const family: Parse<Family> = (value) => {
  const found = FAMILIES.find((one) => String(one) === value);
  if (found !== undefined) return found;
  throw new UsageError(`"${value}" is neither 4 nor 6`);
};

/** A header of the command line; its value, or where that is, as a secret reference. */
export type GivenHeader = { readonly name: string; readonly value: string };

/** `NAME: VALUE`. The text is never repeated: its value may be secret. */
export const headerLine: Parse<GivenHeader> = (line) => {
  const [, name = '', value = ''] = /^([^:]*):(.*)$/s.exec(line) ?? [];
  if (!HEADER_NAME.test(name)) throw new UsageError("expected 'NAME: VALUE', such as 'CF-Access-Client-Secret: env:CF_SECRET'");
  const fault = headerNameFault(name);
  if (fault !== undefined) throw new UsageError(`${name} ${fault}`);
  return { name, value: value.trim() };
};

export const date: Parse<Date> = (value) => {
  const parsed = new Date(value);
  if (/^\d{4}-\d{2}-\d{2}(T[\d:.]+(Z|[+-]\d{2}:\d{2}))?$/.test(value) && !Number.isNaN(parsed.getTime())) return parsed;
  throw new UsageError(`"${value}" is not a date such as 2030-12-06 or 2030-12-06T12:00:00Z`);
};

/** `--base-url` of `--base-url <url>`. */
export function flagOf(spec: OptionSpec<unknown>): string {
  return spec.flags.split(' ')[0] ?? spec.flags;
}

/** `--base-url` is PETSTORE_BASE_URL in the environment. */
export function variableOf(spec: OptionSpec<unknown>): string {
  return spec.variable ?? `PETSTORE_${flagOf(spec).slice(2).replaceAll('-', '_').toUpperCase()}`;
}

/** An option as commander shows and parses it: only a text, which `resolveOptions` interprets. */
function commanderOption(spec: OptionSpec<unknown>): Option {
  const shown = spec.shownDefault ?? (spec.fallback === undefined || spec.flag === true ? undefined : String(spec.fallback));
  const notes = [
    ...(spec.repeatable === true ? ['repeatable'] : []),
    ...(shown === undefined ? [] : [`default: ${shown}`]),
    ...(spec.variable === undefined ? [] : [`variable: ${spec.variable}`]),
  ];
  const option = new Option(spec.flags, notes.length === 0 ? spec.help : `${spec.help} (${notes.join('; ')})`);
  if (spec.repeatable === true) option.argParser((value: string, before: string[] | undefined) => [...(before ?? []), value]);
  return option;
}

export function commanderOptions(table: Specs): Option[] {
  return Object.values(table).map(commanderOption);
}

/** The options of a command for its help: the first ones, then the others by topic. */
export function groupedOptions<Table extends Readonly<Record<string, OptionSpec<unknown> & Placed>>>(
  table: Table,
  first: readonly (keyof Table & string)[],
): Option[] {
  const names = [...first, ...Object.keys(table).filter((name) => !first.includes(name))];
  const groups = new Map(['Options:', ...TOPICS].map((heading): [string, Option[]] => [heading, []]));
  for (const name of names) {
    const spec = table[name];
    const heading = first.includes(name) ? 'Options:' : spec?.topic;
    if (spec !== undefined && heading !== undefined) groups.get(heading)?.push(commanderOption(spec).helpGroup(heading));
  }
  return [...groups.values()].flat();
}

function given(spec: OptionSpec<unknown>, option: unknown, environment: Environment): { text: string; from: string } | undefined {
  const from = flagOf(spec);
  if (option === true) return { text: 'true', from };
  if (typeof option === 'string') return { text: option, from };
  if (Array.isArray(option)) return { text: option.join(SEPARATOR), from };
  if (spec.onlyFrom === 'command line') return undefined;
  const name = variableOf(spec);
  const variable = environment[name];
  if (variable === undefined || variable === '') return undefined;
  const parts = variable.split(spec.lines === true ? /\r?\n/ : ',').map((part) => part.trim());
  const values = spec.repeatable !== true ? [variable] : spec.lines === true ? parts.filter((part) => part !== '') : parts;
  return { text: values.join(SEPARATOR), from: name };
}

/**
 * The value of every option: command line, then environment, then default. Throws UsageError that names the option or variable and what
 * would be correct.
 */
export function resolveOptions<Table extends Specs>(table: Table, options: Flags, environment: Environment): Resolved<Table> {
  const entries = Object.entries(table).map(([name, spec]) => {
    const found = given(spec, options[name], environment);
    if (found === undefined) return [name, spec.fallback];
    try {
      return [name, spec.parse(found.text)];
    } catch (error) {
      if (error instanceof UsageError) throw new UsageError(`${found.from}: ${error.message}`);
      throw error;
    }
  });
  return Object.fromEntries(entries) as Resolved<Table>;
}
