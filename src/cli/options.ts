import type { Option } from 'commander';
import { isBefore, readVersion } from '../clause/since.ts';
import { toolVersion } from '../gate/package-files.ts';
import { SESSION_DEFAULTS } from '../library/session-defaults.ts';
import { SMOKE_FORMATS, type SmokeFormat } from '../probe/sample.ts';
import { DEPTHS, type Depth } from '../session/session.ts';
import type { Family } from '../wire/route.ts';
import { parsePingUrl } from './address.ts';
import { GONE_REPORTERS } from './gone.ts';
import {
  category,
  choice,
  command,
  commanderOptions,
  date,
  family,
  flag,
  type GivenHeader,
  headerLine,
  many,
  one,
  orSwitch,
  type Specs,
  text,
  UsageError,
  whole,
} from './option-spec.ts';
import { DEFAULT_REPORTERS, REPORTERS, type ReporterName } from './reporter-names.ts';

const WEEK = 7 * 24 * 3_600_000;
const milliseconds = { least: 1, most: WEEK, unit: ' (milliseconds)' };

/** A version of the suite, without the number of corrections. */
function knownVersion(value: string): string {
  const read = readVersion(value);
  if ('fault' in read) throw new UsageError(read.fault);
  if (isBefore(toolVersion, read.version)) throw new UsageError(`${value} is newer than this release, ${toolVersion}`);
  return read.version;
}

/** The options that say which service is judged, and at what load. */
export const targetOptions = {
  baseUrl: one<string | undefined>({
    flags: '--base-url <url>',
    help: 'the service, with /v1 at the end',
    fallback: undefined,
    parse: text,
  }),
  reference: one({
    flags: '--reference',
    help: 'judge the built-in reference server instead',
    fallback: false,
    parse: flag,
    flag: true,
  }),
  fault: many<string>({
    flags: '--fault <name>',
    help: 'with --reference: give it this defect (see `explain faults`)',
    shownDefault: 'none',
    fallback: [],
    parse: text,
  }),
  variant: many<string>({
    flags: '--variant <name>',
    help: 'with --reference: let it choose this where the document is silent (see `explain variants`)',
    shownDefault: 'none',
    fallback: [],
    parse: text,
  }),
  apiKeyFile: one<string | undefined>({
    flags: '--api-key-file <file>',
    help: 'file with the API key; PETSTORE_API_KEY holds the key itself',
    fallback: undefined,
    parse: text,
  }),
  readOnly: one({
    flags: '--read-only',
    help: 'create nothing; checks that need creation are inconclusive',
    fallback: false,
    parse: flag,
    flag: true,
  }),
  productionBaseUrl: one<string | undefined>({
    flags: '--production-base-url <url>',
    help: 'the production service, which a run never writes to',
    fallback: undefined,
    parse: text,
  }),
  allowProductionWrites: one({
    flags: '--allow-production-writes',
    help: 'create animals there anyway',
    fallback: false,
    parse: flag,
    flag: true,
  }),
  maxCreates: one({
    flags: '--max-creates <n>',
    help: 'animals that the run may create; none can be deleted',
    fallback: SESSION_DEFAULTS.maxCreates,
    parse: whole({ least: 0, most: 100_000, unit: '' }),
  }),
  categoryId: many<bigint>({
    flags: '--category-id <n>',
    help: 'a category that the service accepts',
    shownDefault: 'discovered',
    fallback: [],
    parse: category,
  }),
  concurrency: one({
    flags: '--concurrency <n>',
    help: 'concurrent requests; if 8 or more, up to five times as many where latency is high',
    fallback: SESSION_DEFAULTS.concurrency,
    parse: whole({ least: 1, most: 256, unit: '' }),
  }),
  timeout: one({
    flags: '--timeout <ms>',
    help: 'timeout of one request, from DNS to the last byte of the body',
    fallback: SESSION_DEFAULTS.timeout,
    parse: whole(milliseconds),
  }),
  consistencyWindow: one({
    flags: '--consistency-window <ms>',
    help: 'how long a created animal may take to become visible',
    fallback: SESSION_DEFAULTS.consistencyWindow,
    parse: whole({ ...milliseconds, least: 0 }),
  }),
  waitForReady: one({
    flags: '--wait-for-ready <ms>',
    help: 'wait for the service to respond before judging',
    fallback: SESSION_DEFAULTS.waitForReady,
    parse: whole({ ...milliseconds, least: 0 }),
  }),
  rate: one({
    flags: '--rate <n>',
    help: 'maximum requests per second',
    shownDefault: 'no bound',
    fallback: SESSION_DEFAULTS.rate,
    parse: whole({ least: 1, most: 1_000_000, unit: '' }),
  }),
  deadline: one<number | undefined>({
    flags: '--deadline <seconds>',
    help: 'ends the run with what was judged by then, exit 3; 0 for none. Waiting for the service to become ready does not count',
    shownDefault: '300, more where a rate needs it',
    fallback: undefined,
    parse: whole({ least: 0, most: WEEK / 1000, unit: ' (seconds)' }),
  }),
  ca: one<string | undefined>({
    flags: '--ca <file>',
    help: 'PEM file of additional certificates to trust',
    fallback: undefined,
    parse: text,
  }),
  proxy: one<string | undefined>({
    flags: '--proxy <url>',
    help: 'HTTP proxy to go through, or "none"',
    shownDefault: 'HTTPS_PROXY, HTTP_PROXY, NO_PROXY',
    fallback: undefined,
    parse: text,
  }),
  header: many<GivenHeader>({
    flags: '--header <line>',
    help: "'NAME: VALUE', sent with each request, as an access proxy asks for it; 'NAME: env:VARIABLE' and 'NAME: file:FILE' keep the value off the command line",
    shownDefault: 'none',
    fallback: [],
    parse: headerLine,
    lines: true,
  }),
  resolve: many<string>({
    flags: '--resolve <entry>',
    help: 'HOST:PORT:ADDRESS: connect to that address under the name of the service',
    shownDefault: 'none',
    fallback: [],
    parse: text,
  }),
  family: one<Family | undefined>({
    flags: '--family <version>',
    help: 'connect by this version of IP alone: 4 or 6',
    shownDefault: 'both',
    fallback: undefined,
    parse: family,
  }),
  unixSocket: one<string | undefined>({
    flags: '--unix-socket <file>',
    help: 'connect through this socket; the base URL still names the service',
    fallback: undefined,
    parse: text,
  }),
  cert: one<string | undefined>({
    flags: '--cert <file>',
    help: 'PEM file of a client certificate, for a service that asks for one',
    fallback: undefined,
    parse: text,
  }),
  key: one<string | undefined>({
    flags: '--key <file>',
    help: 'PEM file of its private key (not of the API key)',
    shownDefault: 'the file of --cert',
    fallback: undefined,
    parse: text,
  }),
} as const;

/** How the service is reached, apart from its address. */
const { ca, proxy, header, resolve, family: ipFamily, unixSocket, cert, key } = targetOptions;
export const routeOptions = { ca, proxy, header, resolve, family: ipFamily, unixSocket, cert, key } as const;

/** The options that say how a run judges and reports. */
export const judgeOptions = {
  depth: one<Depth>({
    flags: '--depth <name>',
    help: 'how much a run does: quick (no exhaustive checks, a tenth of the generated cases), standard, thorough (ten times the cases)',
    fallback: SESSION_DEFAULTS.depth,
    parse: choice(DEPTHS),
  }),
  seed: one<number | undefined>({
    flags: '--seed <n>',
    help: 'the same seed sends the same requests (except for the letters that make names unique)',
    shownDefault: 'random, printed',
    fallback: undefined,
    parse: whole({ least: 0, most: 2 ** 31 - 1, unit: '' }),
  }),
  only: many<string>({
    flags: '--only <glob>',
    help: 'judge only these chapters, clauses, or checks',
    shownDefault: 'all',
    fallback: [],
    parse: text,
  }),
  skip: many<string>({
    flags: '--skip <glob>',
    help: 'skip these chapters, clauses, or checks',
    shownDefault: 'none',
    fallback: [],
    parse: text,
  }),
  failed: one<string | true | undefined>({
    flags: '--failed [report]',
    help: 'judge only what failed in the last run (or in that of a report.json), and what waited for it',
    shownDefault: 'off',
    fallback: undefined,
    parse: orSwitch,
  }),
  minJudged: one({
    flags: '--min-judged <percent>',
    help: 'exit 3 if fewer of the selected checks could be judged',
    shownDefault: 'no bound',
    fallback: 0,
    parse: whole({ least: 1, most: 100, unit: ' (percent)' }),
  }),
  ownClauses: many<string>({
    flags: '--own-clauses <module>',
    help: 'judge clauses of your own as well: a file, a folder of *.clause.js or *.clause.ts files, or a package',
    shownDefault: 'none',
    fallback: [],
    parse: text,
  }),
  strict: one({
    flags: '--strict',
    help: 'broken advised clauses, and checks that are undecided because of the service, fail the run',
    fallback: false,
    parse: flag,
    flag: true,
  }),
  waivers: one<string | undefined>({
    flags: '--waivers <file>',
    help: 'known failures (YAML or JSON): clause, kind of failure, reason, expiry date',
    shownDefault: 'none',
    fallback: undefined,
    parse: text,
  }),
  updateWaivers: one({
    flags: '--update-waivers',
    help: 'add each failure to that file, with a reason and an expiry date to fill in; bind entries for every failure of a clause, and remove what no longer fails',
    fallback: false,
    parse: flag,
    flag: true,
  }),
  asOf: one<string | undefined>({
    flags: '--as-of <version>',
    help: 'what this release judges and that version of the suite did not is at most a warning',
    shownDefault: 'this release',
    fallback: undefined,
    parse: knownVersion,
  }),
  baseline: one<string | undefined>({
    flags: '--baseline <file>',
    help: 'fail if the behavior differs from this behavior.json of an earlier run',
    shownDefault: 'none',
    fallback: undefined,
    parse: text,
  }),
  now: one<Date | undefined>({
    flags: '--now <date>',
    help: 'date used to judge deprecation',
    shownDefault: 'today',
    fallback: undefined,
    parse: date,
  }),
  name: one<string | undefined>({
    flags: '--name <name>',
    help: 'what the service is called in results',
    shownDefault: 'its host and port',
    fallback: undefined,
    parse: text,
  }),
  start: one<string | undefined>({
    flags: '--start <command>',
    help: 'start the service with this command, judge it once it responds (within a minute, or --wait-for-ready), and end it with the run',
    fallback: undefined,
    parse: command,
    onlyFrom: 'command line',
  }),
  created: one<string | undefined>({
    flags: '--created <file>',
    help: 'write the ids of all animals that the run created to this file, one a line, also if it fails or is interrupted',
    fallback: undefined,
    parse: text,
    onlyFrom: 'environment',
  }),
  after: one<string | undefined>({
    flags: '--after <command>',
    help: 'run this command at the end, also of a run that fails or is interrupted, with those ids as its standard input',
    fallback: undefined,
    parse: command,
    onlyFrom: 'command line',
  }),
  reports: one({ flags: '--reports <dir>', help: 'directory for report files', fallback: 'reports', parse: text }),
  reporter: many<ReporterName>({
    flags: '--reporter <name>',
    help: `which reports: ${REPORTERS.join(', ')}`,
    shownDefault: DEFAULT_REPORTERS.join(', '),
    fallback: DEFAULT_REPORTERS,
    parse: choice(REPORTERS, GONE_REPORTERS),
  }),
} as const;

/** Everything that `run` understands. */
export const runOptions = { ...targetOptions, ...judgeOptions } as const;

/** The file of the monitor, which names the service and its limits. */
export const configOptions = {
  config: one<string | undefined>({
    flags: '--config <file>',
    help: 'file of `monitor` that has the service, its API key, limits, and waivers; options win over it, and it wins over variables',
    fallback: undefined,
    parse: text,
  }),
  target: one<string | undefined>({
    flags: '--target <name>',
    help: 'which target of that file',
    fallback: undefined,
    parse: text,
  }),
} as const;

/** The file with variables. Not `--env-file`: Node itself reads that of any command line, with NODE_OPTIONS in it. */
export const dotenvOption = {
  dotenv: one<string | undefined>({
    flags: '--dotenv <file>',
    help: 'file with variables',
    shownDefault: '.env in the working directory; none where CI is set',
    fallback: undefined,
    parse: text,
  }),
} as const;

const RUN_FORMATS = ['text', 'json', 'oneline'] as const;

/** What `run` prints, and whether it continues. */
export const outputOptions = {
  watch: one({
    flags: '--watch',
    help: 'after the run, judge failures again whenever the server restarts or you press Enter',
    fallback: false,
    parse: flag,
    flag: true,
  }),
  verbose: one({ flags: '--verbose', help: 'print every exchange that shows a failure', fallback: false, parse: flag, flag: true }),
  quiet: one({ flags: '--quiet', help: 'print only the verdict and what to repair', fallback: false, parse: flag, flag: true }),
  format: one<(typeof RUN_FORMATS)[number]>({
    flags: '--format <name>',
    help: 'what is printed: text, json (the run record, as in report.json), or oneline (verdict, counts, and name in one line, for scripts)',
    fallback: 'text',
    variable: 'PETSTORE_RUN_FORMAT',
    parse: choice(RUN_FORMATS),
  }),
} as const;

/** The additional options of `smoke`. */
export const smokeOptions = {
  format: one<SmokeFormat>({
    flags: '--format <name>',
    help: `what is printed: ${SMOKE_FORMATS.join(', ')}`,
    fallback: 'text',
    variable: 'PETSTORE_SMOKE_FORMAT',
    parse: choice(SMOKE_FORMATS),
  }),
  textfile: one<string | undefined>({
    flags: '--textfile <file>',
    help: "metrics for node_exporter's textfile collector, replaced as a whole",
    fallback: undefined,
    parse: text,
  }),
  pingUrl: one<string | undefined>({
    flags: '--ping-url <url>',
    help: 'heartbeat: requests URL/start before the run, URL after success, and URL/fail otherwise',
    fallback: undefined,
    parse: parsePingUrl,
  }),
  budget: one({
    flags: '--budget <n>',
    help: 'extra requests for read-only checks that take turns from day to day',
    fallback: 0,
    parse: whole({ least: 0, most: 1_000, unit: '' }),
  }),
  name: one({ flags: '--name <name>', help: 'label "target" of the metrics', fallback: 'smoke', parse: text }),
} as const;

const { baseUrl, apiKeyFile, readOnly, productionBaseUrl, allowProductionWrites, maxCreates, categoryId } = targetOptions;
const { concurrency, timeout, consistencyWindow, waitForReady, rate } = targetOptions;

/** The additional options of `replay`. */
export const replayOptions = {
  tries: one({
    flags: '--tries <n>',
    help: 'how many times to send each exchange',
    fallback: 3,
    parse: whole({ least: 1, most: 100, unit: '' }),
  }),
} as const;

/** Everything that `replay` understands. */
export const allReplayOptions = {
  ...dotenvOption,
  ...{ baseUrl, apiKeyFile, readOnly, productionBaseUrl, allowProductionWrites, maxCreates, categoryId },
  ...{ concurrency, timeout, consistencyWindow, waitForReady, rate },
  ...routeOptions,
  ownClauses: judgeOptions.ownClauses,
  ...replayOptions,
} as const;

/** What `report` understands. */
export const reportOptions = {
  format: one<ReporterName | 'oneline' | undefined>({
    flags: '--format <name>',
    help: `what is printed: ${[...REPORTERS, 'oneline'].join(', ')}`,
    shownDefault: 'terminal, nothing with --reporter',
    fallback: undefined,
    parse: choice([...REPORTERS, 'oneline'], GONE_REPORTERS),
  }),
  reporter: many<ReporterName>({
    flags: '--reporter <name>',
    help: `which files are written: ${REPORTERS.filter((name) => name !== 'terminal').join(', ')}`,
    shownDefault: 'none',
    fallback: [],
    parse: choice(REPORTERS, GONE_REPORTERS),
  }),
  reports: one<string | undefined>({
    flags: '--reports <dir>',
    help: 'where files are written',
    shownDefault: 'the folder of the report; for several, reports',
    fallback: undefined,
    parse: text,
  }),
  name: many<string>({
    flags: '--name <name>',
    help: 'what a run of several is called, in their order',
    shownDefault: 'its file or folder',
    fallback: [],
    parse: text,
  }),
  verbose: outputOptions.verbose,
  quiet: outputOptions.quiet,
} as const;

/** Options by topic, in the order in which the help of a command shows them, after those that most users need. */
const ABOUT = {
  'The service:': [
    'fault',
    'variant',
    'config',
    'target',
    'dotenv',
    'productionBaseUrl',
    'allowProductionWrites',
    'start',
    'after',
    'waitForReady',
    'ca',
    'proxy',
    'header',
    'resolve',
    'family',
    'unixSocket',
    'cert',
    'key',
  ],
  'What is judged:': ['skip', 'ownClauses', 'now'],
  'What is sent:': ['maxCreates', 'categoryId', 'seed', 'consistencyWindow', 'budget'],
  'How fast, and how long:': ['concurrency', 'rate', 'timeout', 'deadline'],
  'The verdict:': ['strict', 'minJudged', 'updateWaivers', 'baseline', 'asOf'],
  'Output:': ['quiet', 'format', 'reports', 'reporter', 'created', 'textfile', 'name', 'pingUrl'],
} as const;

/** The options of a command for its help: the first ones, then the others by topic. */
export function groupedOptions<Table extends Specs>(table: Table, first: readonly (keyof Table & string)[]): Option[] {
  const groups = Object.entries({ 'Options:': first, ...ABOUT }).map(([heading, names]) => ({
    heading,
    specs: Object.fromEntries(
      names.flatMap((name) => {
        const spec = heading === 'Options:' || !first.includes(name) ? table[name] : undefined;
        return spec === undefined ? [] : [[name, spec]];
      }),
    ),
  }));
  return groups.flatMap(({ heading, specs }) => commanderOptions(specs).map((option) => option.helpGroup(heading)));
}

/** The options of all commands: each has a variable, which every command accepts. */
export const allOptions = {
  ...configOptions,
  ...dotenvOption,
  ...runOptions,
  ...outputOptions,
  ...smokeOptions,
  ...replayOptions,
  // These have the same name, and each has its own variable: the formats of one command are not those of another.
  formatOfRun: outputOptions.format,
  formatOfSmoke: smokeOptions.format,
} as const;
