import { CommanderError, InvalidArgumentError } from 'commander';
import { EXIT_CODES } from '../clause/run-record.ts';
import { InternalError } from '../judge/judge-check.ts';
import { SelectionError } from '../judge/select.ts';
import { printError } from './output.ts';
import { createProgram } from './program.ts';
import { UsageError } from './usage-error.ts';

/** Runs one command; sets the exit code. Errors of use are one sentence, errors of ours have their stack. */
export async function runCommandLine(argv: readonly string[]): Promise<void> {
  try {
    await createProgram().parseAsync([...argv]);
  } catch (error) {
    process.exitCode = exitCodeOf(error);
  }
}

function exitCodeOf(error: unknown): number {
  if (
    error instanceof UsageError ||
    error instanceof SelectionError ||
    (error instanceof InvalidArgumentError && !('exitCode' in error && error.message === ''))
  ) {
    printError(`error: ${(error as Error).message}`);
    return EXIT_CODES.usage;
  }
  // commander has printed its own message (and help and version end this way with 0).
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT_CODES.conformant : EXIT_CODES.usage;
  const cause = error instanceof InternalError && error.cause instanceof Error ? `\n${error.cause.stack}` : '';
  printError(`error: the suite itself broke: ${error instanceof Error ? error.stack : String(error)}${cause}`);
  return EXIT_CODES.broken;
}
