// What version 2 understood and this one does not: each ends with exit code 2 and what to use instead, until the next major version.

import { UsageError } from './option-spec.ts';

/** Commands, each with what to do instead. */
const COMMANDS: Readonly<Record<string, string>> = {
  completion: '`--help` of each command lists its options',
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
  {
    flag: '--baseline',
    commands: ['report'],
    instead: '`report BEFORE AFTER` shows both runs, `run --baseline` fails where behavior differs',
  },
  {
    flag: '--config',
    commands: ['run', 'replay'],
    instead: 'name the service with --base-url; the file is for `monitor`, `smoke`, and `doctor`',
  },
  { flag: '--leftovers', commands: ['run'], instead: 'animals of the last run are known from the report.json in the folder of --reports' },
  {
    flag: '--name-prefix',
    commands: ['run'],
    instead: 'names of created animals begin with Conformance, by which everybody can tell them',
  },
  {
    flag: '--no-trace',
    commands: ['run', 'smoke', 'replay'],
    instead: 'one request in eight has no traceparent, and no service may depend on it',
  },
  { flag: '--no-writes', commands: ['monitor'], instead: 'the monitor creates nothing, in any configuration' },
  {
    flag: '--passing',
    commands: ['run'],
    instead: 'report.json says of each check how many exchanges it judged; `explain ID` shows examples',
  },
  { flag: '--target', commands: ['run', 'replay'], instead: 'name the service with --base-url' },
  { flag: '--time-budget', commands: ['run'], instead: '--deadline ends the whole run' },
];

/** Report formats, each with what has the same. */
export const GONE_REPORTERS: Readonly<Record<string, string>> = {
  har: 'report.json has the exchanges',
  ctrf: 'junit.xml and report.json have the verdicts',
  http: 'every report has a curl command for each failure',
  hurl: 'every report has a curl command for each failure',
};

const gone = (what: string, instead: string): UsageError => new UsageError(`${what} was removed in version 3: ${instead}`);

/** Throws UsageError if the words of the command line name a command or an option that is gone. */
export function checkGone([command = '', ...words]: readonly string[]): void {
  const instead = Object.hasOwn(COMMANDS, command) ? COMMANDS[command] : undefined;
  if (instead !== undefined) throw gone(`\`${command}\``, instead);
  for (const word of words) {
    if (word === '--') return;
    const [flag] = word.split('=', 1);
    const found = OPTIONS.find((option) => option.flag === flag && option.commands.includes(command));
    if (found !== undefined) throw gone(found.flag, found.instead);
  }
}

/** Throws UsageError if one of the variables, which no option has, is that of an option that is gone. */
export function checkGoneVariables(unknown: readonly string[]): void {
  for (const { flag, instead } of OPTIONS) {
    const variable = `PETSTORE_${flag.slice(2).replaceAll('-', '_').toUpperCase()}`;
    if (unknown.includes(variable)) throw gone(`the variable ${variable}`, instead);
  }
}
