import { readFileSync } from 'node:fs';
import { UsageError } from '../src/cli/option-spec.ts';
import { leave } from '../test/support/command-line.ts';
import type { Result } from './result.ts';

/** The results that a pass has written, one a line. Throws UsageError that says what is wrong with the file. */
export function readResults(file: string): readonly Result[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (cause) {
    throw new UsageError(`cannot read the results in ${file}; "npm run prove -- --out ${file}" writes them`, { cause });
  }
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line, index) => {
      try {
        return JSON.parse(line) as Result;
      } catch (cause) {
        throw new UsageError(`line ${index + 1} of ${file} is not JSON; was the pass that wrote it interrupted?`, { cause });
      }
    });
}

/** The same for a program of its own: what is wrong with the file is its last word. */
export function readOrLeave(file: string): readonly Result[] {
  try {
    return readResults(file);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return leave(error.message);
  }
}
