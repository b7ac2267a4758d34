import { isBefore, readVersion } from '../clause/since.ts';
import { toolVersion } from '../gate/package-files.ts';
import { SESSION_DEFAULTS } from '../library/session-defaults.ts';
import { SMOKE_FORMATS, type SmokeFormat } from '../probe/sample.ts';
import { DEPTHS, type Depth } from '../session/session.ts';
import type { Family } from '../wire/route.ts';
import { parsePingUrl } from './address.ts';
import { GONE_REPORTERS } from './gone.ts';
import {
  about,
  category,
  choice,
  command,
  date,
  family,
  type GivenHeader,
  headerLine,
  many,
  one,
  optionalText,
  orSwitch,
  text,
  texts,
  toggle,
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

/** How the service is reached, apart from its address. */
export const routeOptions = about('The service:', {
  ca: optionalText({ flags: '--ca <file>', help: 'PEM file of additional certificates to trust' }),
  proxy: optionalText({
    flags: '--proxy <url>',
    help: 'HTTP proxy to go through, or "none"',
    shownDefault: 'HTTPS_PROXY, HTTP_PROXY, NO_PROXY',
  }),
  header: many<GivenHeader>({
    flags: '--header <line>',
    help: "'NAME: VALUE', sent with each request, as an access proxy asks for it; 'NAME: env:VARIABLE' and 'NAME: file:FILE' keep the value off the command line",
    shownDefault: 'none',
    fallback: [],
    parse: headerLine,
    lines: true,
  }),
  resolve: texts({ flags: '--resolve <entry>', help: 'HOST:PORT:ADDRESS: connect to that address under the name of the service' }),
  family: one<Family | undefined>({
    flags: '--family <version>',
    help: 'connect by this version of IP alone: 4 or 6',
    shownDefault: 'both',
    fallback: undefined,
    parse: family,
  }),
  unixSocket: optionalText({ flags: '--unix-socket <file>', help: 'connect through this socket; the base URL still names the service' }),
  cert: optionalText({ flags: '--cert <file>', help: 'PEM file of a client certificate, for a service that asks for one' }),
  key: optionalText({
    flags: '--key <file>',
    help: 'PEM file of its private key (not of the API key)',
    shownDefault: 'the file of --cert',
  }),
});

/** The options that say which service is judged, and at what load. */
export const targetOptions = {
  ...about('The service:', {
    baseUrl: optionalText({ flags: '--base-url <url>', help: 'the service, with /v1 at the end' }),
    reference: toggle({ flags: '--reference', help: 'judge the built-in reference server instead' }),
    fault: texts({ flags: '--fault <name>', help: 'with --reference: give it this defect (see `explain faults`)' }),
    apiKeyFile: optionalText({ flags: '--api-key-file <file>', help: 'file with the API key; PETSTORE_API_KEY holds the key itself' }),
    readOnly: toggle({ flags: '--read-only', help: 'create nothing; what needs a creation is inconclusive' }),
    productionBaseUrl: optionalText({ flags: '--production-base-url <url>', help: 'the production service, which a run never writes to' }),
    allowProductionWrites: toggle({ flags: '--allow-production-writes', help: 'create animals there anyway' }),
    waitForReady: one({
      flags: '--wait-for-ready <ms>',
      help: 'wait for the service to respond before judging',
      fallback: SESSION_DEFAULTS.waitForReady,
      parse: whole({ ...milliseconds, least: 0 }),
    }),
  }),
  ...about('What is sent:', {
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
    consistencyWindow: one({
      flags: '--consistency-window <ms>',
      help: 'how long a created animal may take to become visible',
      fallback: SESSION_DEFAULTS.consistencyWindow,
      parse: whole({ ...milliseconds, least: 0 }),
    }),
  }),
  ...about('How fast, and how long:', {
    concurrency: one({
      flags: '--concurrency <n>',
      help: 'concurrent requests; if 8 or more, up to five times as many where latency is high',
      fallback: SESSION_DEFAULTS.concurrency,
      parse: whole({ least: 1, most: 256, unit: '' }),
    }),
    rate: one({
      flags: '--rate <n>',
      help: 'maximum requests per second',
      shownDefault: 'no bound',
      fallback: SESSION_DEFAULTS.rate,
      parse: whole({ least: 1, most: 1_000_000, unit: '' }),
    }),
    timeout: one({
      flags: '--timeout <ms>',
      help: 'timeout of one request, from DNS to the last byte of the body',
      fallback: SESSION_DEFAULTS.timeout,
      parse: whole(milliseconds),
    }),
    deadline: one<number | undefined>({
      flags: '--deadline <seconds>',
      help: 'leaves out what does not fit, and ends the run with what was judged by then, exit 3; 0 for none. Waiting for the service to become ready does not count',
      shownDefault: '300, more where a rate needs it',
      fallback: undefined,
      parse: whole({ least: 0, most: WEEK / 1000, unit: ' (seconds)' }),
    }),
  }),
  ...routeOptions,
};

/** The options that say how a run judges and reports. */
export const judgeOptions = {
  ...about('What is judged:', {
    depth: one<Depth>({
      flags: '--depth <name>',
      help: 'how much a run sends: quick (the 400 requests that show most), standard, thorough (random values, too)',
      fallback: SESSION_DEFAULTS.depth,
      parse: choice(DEPTHS),
    }),
    only: texts({ flags: '--only <glob>', help: 'judge only these chapters or clauses', shownDefault: 'all' }),
    skip: texts({ flags: '--skip <glob>', help: 'skip these chapters or clauses' }),
    failed: one<string | true | undefined>({
      flags: '--failed [report]',
      help: 'send again only what had shown clauses broken in the last run (or in that of a report.json), and say which hold now',
      shownDefault: 'off',
      fallback: undefined,
      parse: orSwitch,
    }),
    ownClauses: texts({
      flags: '--own-clauses <module>',
      help: 'judge clauses of your own as well: a file, a folder of *.clause.js or *.clause.ts files, or a package',
    }),
    now: one<Date | undefined>({
      flags: '--now <date>',
      help: 'date used to judge deprecation',
      shownDefault: 'today',
      fallback: undefined,
      parse: date,
    }),
  }),
  ...about('What is sent:', {
    seed: one<number | undefined>({
      flags: '--seed <n>',
      help: 'the same seed sends the same requests (except for the letters that make names unique)',
      shownDefault: 'random, printed',
      fallback: undefined,
      parse: whole({ least: 0, most: 2 ** 31 - 1, unit: '' }),
    }),
  }),
  ...about('The verdict:', {
    strict: toggle({
      flags: '--strict',
      help: 'broken advised clauses, and what is undecided because of the service, fail the run',
    }),
    minJudged: one({
      flags: '--min-judged <percent>',
      help: 'exit 3 if the service was judged in fewer of the selected situations',
      shownDefault: 'no bound',
      fallback: 0,
      parse: whole({ least: 1, most: 100, unit: ' (percent)' }),
    }),
    waivers: optionalText({
      flags: '--waivers <file>',
      help: 'known failures (YAML or JSON): clause, kind of failure, reason, expiry date',
      shownDefault: 'none',
    }),
    updateWaivers: toggle({
      flags: '--update-waivers',
      help: 'add each failure to that file, with a reason and an expiry date to fill in; bind entries for every failure of a clause, and remove what no longer fails',
    }),
    asOf: one<string | undefined>({
      flags: '--as-of <version>',
      help: 'what this release judges and that version of the suite did not is at most a warning',
      shownDefault: 'this release',
      fallback: undefined,
      parse: knownVersion,
    }),
    baseline: optionalText({
      flags: '--baseline <file>',
      help: 'fail if the behavior differs from this behavior.json of an earlier run',
      shownDefault: 'none',
    }),
  }),
  ...about('The service:', {
    start: one<string | undefined>({
      flags: '--start <command>',
      help: 'start the service with this command, judge it once it responds (within a minute, or --wait-for-ready), and end it with the run',
      fallback: undefined,
      parse: command,
      onlyFrom: 'command line',
    }),
    after: one<string | undefined>({
      flags: '--after <command>',
      help: 'run this command at the end, also of a run that fails or is interrupted, with the ids of all animals that the run created as its standard input',
      fallback: undefined,
      parse: command,
      onlyFrom: 'command line',
    }),
  }),
  ...about('Output:', {
    created: optionalText({
      flags: '--created <file>',
      help: 'write the ids of all animals that the run created to this file, one a line, also if it fails or is interrupted',
      onlyFrom: 'environment',
    }),
    name: optionalText({ flags: '--name <name>', help: 'what the service is called in results', shownDefault: 'its host and port' }),
    reports: one({ flags: '--reports <dir>', help: 'directory for report files', fallback: 'reports', parse: text }),
    reporter: many<ReporterName>({
      flags: '--reporter <name>',
      help: `which reports: ${REPORTERS.join(', ')}`,
      shownDefault: DEFAULT_REPORTERS.join(', '),
      fallback: DEFAULT_REPORTERS,
      parse: choice(REPORTERS, GONE_REPORTERS),
    }),
  }),
};

/** Everything that `run` understands. */
export const runOptions = { ...targetOptions, ...judgeOptions };

/** The file of the monitor, which names the service and its limits. */
export const configOptions = about('The service:', {
  config: optionalText({
    flags: '--config <file>',
    help: 'file of `monitor` that has the service, its API key, limits, and waivers; options win over it, and it wins over variables',
  }),
  target: optionalText({ flags: '--target <name>', help: 'which target of that file' }),
});

/** The file with variables. Not `--env-file`: Node itself reads that of any command line, with NODE_OPTIONS in it. */
export const dotenvOption = about('The service:', {
  dotenv: optionalText({
    flags: '--dotenv <file>',
    help: 'file with variables',
    shownDefault: '.env in the working directory; none where CI is set',
  }),
});

const RUN_FORMATS = ['text', 'json', 'oneline'] as const;

/** What `run` prints, and whether it continues. */
export const outputOptions = about('Output:', {
  watch: toggle({ flags: '--watch', help: 'after the run, judge failures again whenever the server restarts or you press Enter' }),
  verbose: toggle({ flags: '--verbose', help: 'print every exchange that shows a failure' }),
  quiet: toggle({ flags: '--quiet', help: 'print only the verdict and what to repair' }),
  format: one<(typeof RUN_FORMATS)[number]>({
    flags: '--format <name>',
    help: 'what is printed: text, json (the run record, as in report.json), or oneline (verdict, counts, and name in one line, for scripts)',
    fallback: 'text',
    variable: 'PETSTORE_RUN_FORMAT',
    parse: choice(RUN_FORMATS),
  }),
});

/** The additional options of `smoke`. */
export const smokeOptions = {
  ...about('Output:', {
    format: one<SmokeFormat>({
      flags: '--format <name>',
      help: `what is printed: ${SMOKE_FORMATS.join(', ')}`,
      fallback: 'text',
      variable: 'PETSTORE_SMOKE_FORMAT',
      parse: choice(SMOKE_FORMATS),
    }),
    textfile: optionalText({ flags: '--textfile <file>', help: "metrics for node_exporter's textfile collector, replaced as a whole" }),
    pingUrl: one<string | undefined>({
      flags: '--ping-url <url>',
      help: 'heartbeat: requests URL/start before the run, URL after success, and URL/fail otherwise',
      fallback: undefined,
      parse: parsePingUrl,
    }),
    name: one({ flags: '--name <name>', help: 'label "target" of the metrics', fallback: 'smoke', parse: text }),
  }),
  ...about('What is sent:', {
    budget: one({
      flags: '--budget <n>',
      help: 'extra requests that only read, other ones each day',
      fallback: 0,
      parse: whole({ least: 0, most: 1_000, unit: '' }),
    }),
  }),
};

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
  reports: optionalText({
    flags: '--reports <dir>',
    help: 'where files are written',
    shownDefault: 'the folder of the report; for several, reports',
  }),
  name: texts({ flags: '--name <name>', help: 'what a run of several is called, in their order', shownDefault: 'its file or folder' }),
  verbose: outputOptions.verbose,
  quiet: outputOptions.quiet,
} as const;

/** The options of all commands: each has a variable, which every command accepts. */
export const allOptions = {
  ...configOptions,
  ...dotenvOption,
  ...runOptions,
  ...outputOptions,
  ...smokeOptions,
  // These have the same name, and each has its own variable: the formats of one command are not those of another.
  formatOfRun: outputOptions.format,
  formatOfSmoke: smokeOptions.format,
} as const;
