import { type Command, CommanderError } from 'commander';
import { EXIT_CODES } from '../clause/run-record.ts';
import { describeInternalError } from '../judge/judge-check.ts';
import { OwnClauseError } from '../judge/own-clause.ts';
import { SelectionError } from '../judge/select.ts';
import { maskKey } from './address.ts';
import { knownKey } from './environment.ts';
import { exit, printError } from './output.ts';
import { createProgram } from './program.ts';
import { setAsideUnusedReports } from './reports-folder.ts';
import { UsageError } from './usage-error.ts';

/** Runs one command. Errors of use are one sentence, errors of ours have their stack. */
export async function runCommandLine(argv: readonly string[]): Promise<void> {
  let program: Command | undefined;
  try {
    program = await createProgram(argv[2]);
    await program.parseAsync([...argv]);
  } catch (error) {
    const code = exitCodeOf(error);
    const run = argv[2] === 'run' ? program?.commands.find((command) => command.name() === 'run') : undefined;
    if (code === EXIT_CODES.usage && run !== undefined) setAsideUnusedReports(run.opts());
    await exit(code);
  }
}

function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError || error instanceof SelectionError || error instanceof OwnClauseError) {
    printError(`error: ${maskKey(error.message, knownKey())}`);
    return EXIT_CODES.usage;
  }
  // commander has printed its own message (and help and version end this way with 0).
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT_CODES.conformant : EXIT_CODES.usage;
  printError(`error: the suite itself broke: ${maskKey(describeInternalError(error), knownKey())}`);
  return EXIT_CODES.unjudged;
}
