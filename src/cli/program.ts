import { Command, CommanderError } from 'commander';
import { EXIT_CODES, type ExitCode } from '../clause/run-record.ts';
import { toolVersion } from '../gate/package-files.ts';
import { goneOf } from './gone.ts';
import { leave } from './leave.ts';
import { exit } from './output.ts';
import { GROUPS, type SUMMARIES } from './summaries.ts';

type CommandName = keyof typeof SUMMARIES;

/** Every command is a file in commands/, loaded on demand: a probe that starts each minute does not need the others. */
const COMMANDS: Readonly<Record<CommandName, () => Promise<(program: Command) => void>>> = {
  run: async () => (await import('./commands/run.ts')).addRun,
  smoke: async () => (await import('./commands/smoke.ts')).addSmoke,
  monitor: async () => (await import('./commands/monitor.ts')).addMonitor,
  reference: async () => (await import('./commands/reference.ts')).addReference,
  explain: async () => (await import('./commands/explain.ts')).addExplain,
  report: async () => (await import('./commands/report.ts')).addReport,
  init: async () => (await import('./commands/init.ts')).addInit,
  doctor: async () => (await import('./commands/doctor.ts')).addDoctor,
};

/** An unknown argument may be a key: `--api-kye=SECRET` is shown as `--api-kye`, superfluous arguments are counted. */
function withoutValues(text: string): string {
  return text.replace(/'(--[\w-]+)=[^\n]*'/, "'$1'").replace(/(but got \d+): [^\n]*/, '$1');
}

/** Most users who give a command an extra argument give it the address of their service. */
function withHint(text: string): string {
  return text
    .replace(/(unknown option '--env-file')[^\n]*(?:\n\(Did you mean[^\n]*)?/, '$1: Node itself reads it; use --dotenv FILE')
    .replace(/(for '(?:run|smoke|doctor)'\. Expected 0 arguments but got \d+)[^\n]*/, '$1: name the service with --base-url URL');
}

function bareProgram(complain: (text: string) => void): Command {
  return new Command('petstore-conformance')
    .description('Judges servers of the Pet Store Service Interface')
    .version(toolVersion)
    .showSuggestionAfterError()
    .showHelpAfterError('(see --help)')
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .configureOutput({ writeErr: complain, outputError: (text, write) => write(withHint(withoutValues(text))) })
    .exitOverride();
}

const isCommand = (word: string | undefined): word is CommandName => word !== undefined && Object.hasOwn(COMMANDS, word);

/** The command that the words run, or ask about. */
function askedFor([first, second]: readonly string[]): CommandName | undefined {
  const asked = first === 'help' || first === '--' ? second : first;
  return isCommand(asked) ? asked : undefined;
}

/** All commands, in groups, without their options; `help` is in the last one. */
function addNames(program: Command): void {
  for (const [heading, commands] of Object.entries(GROUPS)) {
    program.commandsGroup(heading);
    for (const [name, summary] of Object.entries(commands)) program.command(name).description(summary);
  }
  program.helpCommand(true);
}

/**
 * The command line for these words, with the command that they name; with the names of all commands if they name none (help, a version, a
 * typo). Complaints are what commander prints on stderr, including keys: the caller masks those.
 */
export async function createProgram(words: readonly string[], complain: (text: string) => void): Promise<Command> {
  const program = bareProgram(complain);
  const asked = askedFor(words);
  if (asked === undefined) addNames(program);
  else (await COMMANDS[asked]())(program);
  for (const command of program.commands) command.copyInheritedSettings(program);
  return program;
}

/** The command line with all commands and their options. */
export async function createWholeProgram(): Promise<Command> {
  const program = bareProgram(() => undefined);
  for (const add of await Promise.all(Object.values(COMMANDS).map((load) => load()))) add(program);
  return program;
}

/** Runs one command. Modules that only a failed command needs are loaded when it fails. */
export async function runCommandLine(argv: readonly string[]): Promise<void> {
  process.on('uncaughtException', leave);
  let program: Command | undefined;
  let complaint = '';
  try {
    program = await createProgram(argv.slice(2), (text) => {
      complaint += text;
    });
    await program.parseAsync([...argv]);
  } catch (error) {
    const code = await exitCodeOf(error, { complaint, words: argv.slice(2) });
    const run = argv[2] === 'run' ? program?.commands.find((command) => command.name() === 'run') : undefined;
    if (code === EXIT_CODES.usage && run !== undefined) (await import('./reports-folder.ts')).setAsideUnusedReports(run.opts());
    await exit(code);
  }
}

/** An option of another command is no typo of one of this command: the complaint about it, with the commands that have it. */
async function withOwners(complaint: string): Promise<string> {
  const [, option] = /unknown option '(--[\w-]+)'\n/.exec(complaint) ?? [];
  if (option === undefined) return complaint;
  const owners = (await createWholeProgram()).commands.filter(({ options }) => options.some(({ long }) => long === option));
  if (owners.length === 0) return complaint;
  const names = owners.map((command) => `\`${command.name()}\``).join(', ');
  return complaint.replace(/'\n(?:\(Did you mean[^\n]*\n)?/, `', which is an option of ${names}\n`);
}

type Rejected = { readonly complaint: string; readonly words: readonly string[] };

async function exitCodeOf(error: unknown, { complaint, words }: Rejected): Promise<ExitCode> {
  // Help and version end this way with 0.
  const isMistake = error instanceof CommanderError && error.exitCode !== 0;
  const failure = (isMistake ? goneOf(words) : undefined) ?? error;
  if (!(failure instanceof CommanderError)) return (await import('./failed-command.ts')).explainFailure(failure);
  if (complaint !== '') (await import('./failed-command.ts')).printComplaint(await withOwners(complaint));
  return isMistake ? EXIT_CODES.usage : EXIT_CODES.conformant;
}
