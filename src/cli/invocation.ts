import { delimiter, dirname, isAbsolute, relative } from 'node:path';
import { extraWord, shellQuote } from '../wire/key-in-shell.ts';
import { maskLogin } from '../wire/login.ts';
import { type Environment, type Flags, flagOf, type Specs } from './option-spec.ts';
import { targetOptions } from './options.ts';

const NAME = 'petstore-conformance';
const PACKAGE = '@petstore-conformance/cli';

/** How a package manager starts the program of an installed package, and one that is not installed. */
const MANAGERS: Readonly<Record<string, { readonly installed: string; readonly fetched: string }>> = {
  // By the name of the package: if it is not installed, npx would fetch any package with the program's name.
  npm: { installed: `npx ${PACKAGE}`, fetched: `npx ${PACKAGE}` },
  pnpm: { installed: `pnpm exec ${NAME}`, fetched: `pnpm dlx ${PACKAGE}` },
  yarn: { installed: `yarn ${NAME}`, fetched: `yarn dlx ${PACKAGE}` },
  bun: { installed: `bunx ${PACKAGE}`, fetched: `bunx ${PACKAGE}` },
};
const FETCHED = /\/(?:_npx|dlx[^/]*)\//;
/** A script of package.json that is only the program: arguments that follow it on the command line are arguments of the program. */
const WHOLE_SCRIPT = /^(?:node )?(?:\S*\/)?(?:petstore-conformance|src\/cli\/main\.ts)$/;

/** How a process was started. */
export type Start = { readonly file: string; readonly folder: string; readonly environment: Environment };

const withSlashes = (path: string): string => path.replaceAll('\\', '/');

function script({ environment }: Start, manager: string | undefined): string | undefined {
  const { npm_lifecycle_event: name = '', npm_lifecycle_script: text = '', npm_command: command } = environment;
  if (command === 'exec' || !WHOLE_SCRIPT.test(text)) return undefined;
  if (manager === 'npm') return `npm run -s ${name} --`;
  return manager === 'yarn' ? `yarn -s ${name}` : undefined;
}

/** Whether a file is installed for a folder, and not for the whole machine. */
function isInstalledFor(folder: string, file: string): boolean {
  const [root = '', inside] = file.split('/node_modules/');
  return inside !== undefined && `${withSlashes(folder)}/`.startsWith(`${root}/`);
}

/** The words that start the program the way this process was started, so that printed commands can be copied. */
export function startedAs(start: Start): string {
  const { folder, environment } = start;
  const file = withSlashes(start.file);
  const manager = /^[a-z]+(?=\/)/.exec(environment['npm_config_user_agent'] ?? '')?.[0];
  const { installed, fetched } = MANAGERS[manager ?? ''] ?? MANAGERS['npm'] ?? { installed: NAME, fetched: NAME };
  const named = script(start, manager);
  if (named !== undefined) return named;
  if (FETCHED.test(file)) return fetched;
  if (isInstalledFor(folder, file)) {
    const isOnPath = (environment['PATH'] ?? '').split(delimiter).includes(dirname(start.file));
    return manager === undefined && isOnPath ? NAME : installed;
  }
  if (!/\/main\.[jt]s$/.test(file) || file.includes('/node_modules/')) return NAME;
  // A clone, whose package.json has the script `cli`.
  if (manager !== undefined && file.endsWith('.ts')) return 'npm run -s cli --';
  const path = relative(folder, start.file);
  return `node ${shellWord(path.startsWith('..') || isAbsolute(path) ? start.file : path)}`;
}

/** The words that started the program this time. */
export function ourCommand(): string {
  return startedAs({ file: process.argv[1] ?? '', folder: process.cwd(), environment: process.env });
}

/** A text as one word of a POSIX shell, quoted only if necessary. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : shellQuote(text);
}

const { baseUrl, productionBaseUrl, proxy, header } = targetOptions;
const ADDRESSES = new Set<Specs[string]>([baseUrl, productionBaseUrl, proxy]);

/** A header whose value the reader inserts again, unless it only says where the value is. */
function headerWord(line: string): string {
  const [, name = '', value = ''] = /^([^:]*):\s*(.*)$/s.exec(line) ?? [];
  return /^(?:env|file):/.test(value) ? shellWord(line) : extraWord(name);
}

/** Permission to write is given on a command line, and never copied from another; entries that were just written need a reason first. */
const NEVER_REPEATED = ['allowProductionWrites', 'failed', 'updateWaivers'];

/** The options of a command line that another command understands, for its command line. A password is not repeated. */
export function givenOptions(flags: Flags, table: Specs): string {
  return Object.entries(table)
    .filter(([name]) => !NEVER_REPEATED.includes(name))
    .flatMap(([name, spec]) => {
      const value = flags[name];
      if (value === true) return [` ${flagOf(spec)}`];
      const values = typeof value === 'string' ? [value] : Array.isArray(value) ? value.map(String) : [];
      return values.map(
        (one) => ` ${flagOf(spec)} ${spec === header ? headerWord(one) : shellWord(ADDRESSES.has(spec) ? maskLogin(one) : one)}`,
      );
    })
    .join('');
}
