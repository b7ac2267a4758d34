import { SelectionError } from '../clause/patterns.ts';
import { EXIT_CODES, type ExitCode } from '../clause/run-record.ts';
import type { OwnClauseError } from '../oracle/own.ts';
import { maskKey } from './address.ts';
import { knownKey } from './environment.ts';
import { UsageError } from './option-spec.ts';
import { printError } from './output.ts';

/** Known by its name: its class comes with all that judges. */
const OWN_CLAUSE_ERROR: OwnClauseError['name'] = 'OwnClauseError';

/** Prints an error message of commander, without the key. */
export function printComplaint(text: string): void {
  printError(maskKey(text, knownKey()));
}

/** Prints why a command failed, and returns its exit code. Usage errors are one sentence, internal errors have their stack. */
export function explainFailure(error: unknown): ExitCode {
  if (error instanceof UsageError || error instanceof SelectionError || (error instanceof Error && error.name === OWN_CLAUSE_ERROR)) {
    printError(`error: ${maskKey(error.message, knownKey())}`);
    return EXIT_CODES.usage;
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  printError(`error: the suite itself broke: ${maskKey(text, knownKey())}`);
  return EXIT_CODES.unjudged;
}
