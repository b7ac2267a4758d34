// What version 2 understood and this one does not: each ends with exit code 2 and what to use instead, until the next major version.

import { UsageError } from './option-spec.ts';

/** Commands, each with what to do instead. */
const COMMANDS: Readonly<Record<string, string>> = {
  completion: '`--help` of each command lists its options',
  replay:
    '`run --failed REPORT` sends again what had shown clauses broken, and says which hold now; the report has the curl command of each request',
  mcp: 'let an agent call `run` and `explain`, and read reports/report.json',
};

type GoneOption = {
  readonly flag: string;
  /** The commands that had it; a variable counts for all of them. */
  readonly commands: readonly string[];
  readonly instead: string;
};

const OPTIONS: readonly GoneOption[] = [
  { flag: '--bail', commands: ['run'], instead: 'interrupt the run, or end it with --deadline; the report says what was judged by then' },
  { flag: '--base-path', commands: ['reference'], instead: 'leave it out; the path is /v1, as the interface has it' },
  {
    flag: '--baseline',
    commands: ['report'],
    instead: '`report BEFORE AFTER` shows both runs, `run --baseline` fails where behavior differs',
  },
  {
    flag: '--config',
    commands: ['run'],
    instead: 'name the service with --base-url; the file is for `monitor`, `smoke`, and `doctor`',
  },
  {
    flag: '--flaky',
    commands: ['run'],
    instead: '`flaky: true` on an entry of --waivers is for an intermittent failure',
  },
  {
    flag: '--leftovers',
    commands: ['run'],
    instead: 'leave it out; animals of the last run are known from report.json in the folder of --reports',
  },
  {
    flag: '--name-prefix',
    commands: ['run'],
    instead: 'leave it out; names of created animals begin with Conformance, by which you can tell them',
  },
  {
    flag: '--no-trace',
    commands: ['run', 'smoke'],
    instead: 'leave it out; one request in eight is sent without traceparent anyway',
  },
  { flag: '--no-writes', commands: ['monitor'], instead: 'leave it out; the monitor creates nothing, in any configuration' },
  {
    flag: '--passing',
    commands: ['run'],
    instead: 'report.json says of each clause how many exchanges it judged; `explain ID` shows examples',
  },
  { flag: '--target', commands: ['run'], instead: 'name the service with --base-url' },
  { flag: '--tries', commands: [], instead: 'leave it out; `run --failed` sends what failed twice' },
  { flag: '--time-budget', commands: ['run'], instead: 'end the whole run with --deadline' },
  {
    flag: '--variant',
    commands: ['run', 'smoke', 'reference'],
    instead: 'leave it out; the reference server makes one choice where the document is silent, and `run` fails none that conforms',
  },
];

/** Report formats, each with what has the same. */
export const GONE_REPORTERS: Readonly<Record<string, string>> = {
  har: 'report.json has the exchanges',
  ctrf: 'junit.xml and report.json have the verdicts',
  http: 'every report has a curl command for each failure',
  hurl: 'every report has a curl command for each failure',
};

const gone = (what: string, instead: string): UsageError => new UsageError(`${what} was removed in version 3: ${instead}`);

/** The mistake if the words of a command line that was rejected name a command or an option that is gone. */
export function goneOf([command = '', ...words]: readonly string[]): UsageError | undefined {
  const instead = Object.hasOwn(COMMANDS, command) ? COMMANDS[command] : undefined;
  if (instead !== undefined) return gone(`\`${command}\``, instead);
  const flags = words.map((word) => word.split('=', 1)[0]);
  const found = OPTIONS.find((option) => option.commands.includes(command) && flags.includes(option.flag));
  return found === undefined ? undefined : gone(`\`${command} ${found.flag}\``, found.instead);
}

/** Throws UsageError if one of the variables, which no option has, is that of an option that is gone. */
export function checkGoneVariables(unknown: readonly string[]): void {
  for (const { flag, instead } of OPTIONS) {
    const variable = `PETSTORE_${flag.slice(2).replaceAll('-', '_').toUpperCase()}`;
    if (unknown.includes(variable)) throw gone(`the variable ${variable}`, instead);
  }
}
