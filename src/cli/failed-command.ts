import { SelectionError } from '../clause/patterns.ts';
import { EXIT_CODES, type ExitCode } from '../clause/run-record.ts';
import { describeInternalError } from '../judge/check.ts';
import { OwnClauseError } from '../oracle/rows/own.ts';
import { maskKey } from './address.ts';
import { knownKey } from './environment.ts';
import { UsageError } from './option-spec.ts';
import { printError } from './output.ts';

/** Prints an error message of commander, without the key. */
export function printComplaint(text: string): void {
  printError(maskKey(text, knownKey()));
}

/** Prints why a command failed, and returns its exit code. Usage errors are one sentence, internal errors have their stack. */
export function explainFailure(error: unknown): ExitCode {
  if (error instanceof UsageError || error instanceof SelectionError || error instanceof OwnClauseError) {
    printError(`error: ${maskKey(error.message, knownKey())}`);
    return EXIT_CODES.usage;
  }
  printError(`error: the suite itself broke: ${maskKey(describeInternalError(error), knownKey())}`);
  return EXIT_CODES.unjudged;
}
