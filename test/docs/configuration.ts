import { readFileSync } from 'node:fs';
import { type OptionSpec, type Specs, variableOf } from '../../src/cli/option-spec.ts';
import { configOptions, dotenvOption, judgeOptions, outputOptions, smokeOptions, targetOptions } from '../../src/cli/options.ts';
import { markdownTable } from './pages.ts';

/** The path of the page. */
export const DOCUMENT = new URL('../../docs/configuration.md', import.meta.url);

const cell = (text: string): string =>
  text
    .replaceAll('|', '\\|')
    .replaceAll('\n', ' ')
    .replaceAll(/<(\w+)>/g, '`<$1>`');

function defaultOf({ shownDefault, fallback, flag }: OptionSpec<unknown>): string {
  if (shownDefault !== undefined) return shownDefault;
  if (flag === true) return 'off';
  return fallback === undefined ? 'none' : String(fallback);
}

function optionRows(table: Specs): string[] {
  const rows = Object.values(table).map((spec) => {
    const notes = [
      ...(spec.repeatable === true ? ['repeatable'] : []),
      ...(spec.variable === undefined ? [] : [`variable: \`${variableOf(spec)}\``]),
    ];
    return [`\`${spec.flags}\``, cell(defaultOf(spec)), `${cell(spec.help)}${notes.map((note) => ` (${note})`).join('')}`];
  });
  return markdownTable([['option', 'default', 'meaning'], ...rows]);
}

type Schema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly required?: readonly string[];
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly allOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
};

function resolve(schema: Schema, root: Schema): Schema {
  if (schema.$ref === undefined) return schema;
  const name = schema.$ref.split('/').at(-1) ?? '';
  return { ...(root.$defs?.[name] ?? {}), ...schema };
}

function typeOf(given: Schema, root: Schema): string {
  const schema = resolve(given, root);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' or ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  // Names of lists end in [].
  if (schema.items !== undefined) return typeOf(schema.items, root);
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices !== undefined) return choices.map((one) => typeOf(one, root)).join(' or ');
  return schema.type === 'string' ? '' : String(schema.type ?? 'object');
}

/** One row per member, with those of objects and of lists of objects below it. */
function schemaRows(given: Schema, root: Schema, prefix = ''): string[][] {
  const schema = resolve(given, root);
  const parts = [schema, ...(schema.allOf ?? []).map((one) => resolve(one, root))];
  return parts.flatMap(({ properties = {}, required = [] }) =>
    Object.entries(properties).flatMap(([name, member]) => {
      if (name === '$schema') return [];
      const full = resolve(member, root);
      const needed = required.includes(name) ? ' (required)' : '';
      const type = typeOf(member, root);
      const fallback = full.default === undefined ? [] : [`default ${JSON.stringify(full.default)}`];
      const path = `${prefix}${name}${full.items === undefined ? '' : '[]'}`;
      // A default shows its type.
      const shownType = type === 'object' || (fallback.length > 0 && !type.includes('"')) ? [] : [cell(type)];
      const row = [
        `\`${path}\`${needed}`,
        [cell(full.description ?? ''), ...shownType, ...fallback].filter((text) => text !== '').join('; '),
      ];
      const values = typeof full.additionalProperties === 'object' ? schemaRows(full.additionalProperties, root, `${path}.NAME.`) : [];
      return [row, ...schemaRows(full.items ?? full, root, `${path}.`), ...values];
    }),
  );
}

/** Places of the same settings. */
const SHARING = ['defaults', 'targets[]', 'modules.NAME'];

/** The place of a row, and the row as it would be in every place that shares its setting. */
function sharedOf([member = '', meaning = '']: readonly string[]): { readonly place: string; readonly setting: string } | undefined {
  const place = SHARING.find((one) => member.startsWith(`\`${one}.`));
  return place === undefined ? undefined : { place, setting: JSON.stringify([member.replace(`${place}.`, ''), meaning]) };
}

/** The rows of one place each, and one row for a setting that several places share, with an asterisk where modules do, too. */
function withoutRepetition(rows: readonly string[][]): { readonly own: string[][]; readonly shared: string[][] } {
  const places = Map.groupBy(
    rows.flatMap((row) => sharedOf(row) ?? []),
    ({ setting }) => setting,
  );
  const all = [...places].filter(([, ones]) => ones.length > 1);
  const shared = all.map(([setting, ones]) => {
    const [name = '', meaning = ''] = JSON.parse(setting) as string[];
    return [ones.some(({ place }) => place === 'modules.NAME') ? `${name} *` : name, meaning];
  });
  const repeated = new Set(all.map(([setting]) => setting));
  return { own: rows.filter((row) => !repeated.has(sharedOf(row)?.setting ?? '')), shared };
}

function schemaTable(file: string): string[] {
  const schema = JSON.parse(readFileSync(new URL(`../../schemas/${file}`, import.meta.url), 'utf8')) as Schema;
  const { own, shared } = withoutRepetition(schemaRows(schema, schema));
  const head = ['member', 'meaning'];
  return [
    ...markdownTable([head, ...own]),
    ...(shared.length === 0
      ? []
      : [
          '',
          'These are members of `defaults` and of each of `targets[]`; those with an asterisk also of `modules.NAME`.',
          '',
          ...markdownTable([head, ...shared]),
        ]),
  ];
}

/** The page, from the tables of options and the schemas of the files that users write. */
export function renderConfiguration(): string {
  const section = (title: string, lines: readonly string[]): string[] => ['', `## ${title}`, '', ...lines];
  return [
    '# Configuration',
    '',
    'Written by `npm run docs:configuration` from the options of the command line and from `schemas/`; a test compares.',
    '',
    'Every option has a variable: that of `--base-url` is `PETSTORE_BASE_URL`. A variable counts for the commands that have the option; that of a repeatable one has its values separated by commas (`PETSTORE_HEADER`: one per line).',
    'The order of precedence is option, target of `--config`, environment, `.env` in the working directory, default. `--start` and `--after` have no variable, and `PETSTORE_CREATED` does not count in a file.',
    '`PETSTORE_API_KEY` is the API key, which no option takes, because process lists show options. An unknown variable is an error in `.env` or within two edits of a known one, otherwise a warning.',
    ...section('The file with variables: `run`, `smoke`, `monitor`, `doctor`, `explain`, `reference`', [
      ...optionRows(dotenvOption),
      '',
      'If it has the API key, and the environment does not, all of it counts. Otherwise it sets only `PETSTORE_VERBOSE`, `PETSTORE_QUIET`, `PETSTORE_RUN_FORMAT`, `PETSTORE_SMOKE_FORMAT`,',
      '`PETSTORE_REPORTER`, `PETSTORE_SEED`, `NO_COLOR`, `FORCE_COLOR`, and keys that the file of `--config` reads from variables: a change of somebody else may have brought it. What has no effect causes a warning, or',
      'exit code 2 if it is meant to spare the service of a `run` (`PETSTORE_READ_ONLY`, `PETSTORE_PRODUCTION_BASE_URL`, `PETSTORE_MAX_CREATES`, `PETSTORE_RATE`, `PETSTORE_CONCURRENCY`). A target that',
      'it names gives way to what the environment sets.',
    ]),
    ...section('A target of the monitor: `smoke`, `doctor`', [
      ...optionRows(configOptions),
      '',
      'Settings of the target count as if they were on the command line, where the command knows them. An option on the command line wins, except that it cannot name another service. Only the secret of this target has to exist.',
      'The program does not send `PETSTORE_API_KEY` to the target, because it may belong to another service.',
    ]),
    ...section('Which service, and how gently: `run`, `smoke`', [
      ...optionRows(targetOptions),
      '',
      '`--base-url` and `--reference` both on the command line, or both as variables, are an error; a `PETSTORE_BASE_URL` that is not judged is a warning. `run --failed` sends the API key only to the service of `--base-url` or `PETSTORE_BASE_URL`, never to',
      'an address from the report; if the report is of another service, it is an error, unless the command line names the service. While `NODE_TLS_REJECT_UNAUTHORIZED=0` is set, no service over https is judged: use `--ca`.',
      '',
      '### How the service is reached',
      '',
      'The options from `--ca` on have a field of the same name in a target of `monitor` (`--header` is `headers`, a mapping), and `doctor` says what is wrong on the way. The commands of reports go the same way.',
      '',
      '- `--header` is sent to the origin of the base URL only. Reports mask its value; their commands take it from a variable such as `$HEADER_CF_ACCESS_CLIENT_SECRET`. A request whose point is that very header goes without',
      '  yours. `User-Agent` and `Accept` replace those of the program. Headers that would change what is judged are an error: `Authorization`, `Host`, those of bodies, framing, conditions, and methods.',
      '- `--resolve` serves a release before the switch, or each replica by itself. HOST and PORT are those of the base URL. An address that leads to production counts as production.',
      '- With `--unix-socket`, the base URL is one such as `http://localhost/v1`. `--key` must have no passphrase; a `--cert` with both needs none.',
      '- A proxy connects to the service by itself, so `--resolve`, `--family`, and `--unix-socket` with a proxy are an error; `--proxy none` goes without one.',
    ]),
    ...section('What is judged, and which reports: `run`', optionRows(judgeOptions)),
    ...section('What `run` prints', optionRows(outputOptions)),
    ...section('`smoke`', optionRows(smokeOptions)),
    ...section('The file of `monitor --config`', schemaTable('monitor.schema.json')),
    ...section('The file of `run --waivers`', schemaTable('waivers.schema.json')),
    '',
  ].join('\n');
}
