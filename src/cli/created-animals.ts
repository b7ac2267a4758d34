// What a run leaves behind: the ids of the animals that it created, in a file and for a command that removes them.

import { writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { RunRecord } from '../clause/run-record.ts';
import { count, duration } from '../report/text.ts';
import type { Redactor } from '../wire/redact.ts';
import { messageOf } from '../wire/wording.ts';
import { UsageError } from './option-spec.ts';
import { printError } from './output.ts';
import { startGroup } from './process-group.ts';

/** Milliseconds that the command of `--after` may take. */
const AFTER_WITHIN = 5 * 60_000;

type Animals = RunRecord['animals'];

/** The commands that delete animals may be SQL, and a service may return anything as an id: only an int64 is one. */
const isId = (id: string): boolean => /^-?\d{1,19}$/.test(id);

/** The ids of all animals that a run created, one a line. */
function idLines({ created }: Animals): string {
  return [...new Set(created.map(({ id }) => id))]
    .filter(isId)
    .map((id) => `${id}\n`)
    .join('');
}

/** What the ids lack, as a sentence; undefined if they are complete. */
export function unknownIds({ created, ambiguous, prefix }: Animals): string | undefined {
  const unread = created.filter(({ id }) => !isId(id)).length;
  if (unread + ambiguous.length === 0) return undefined;
  const reasons = [
    ...(ambiguous.length === 0
      ? []
      : [`${count(ambiguous.length, 'creation')} got no response, or may have been stored although rejected`]),
    ...(unread === 0 ? [] : [`${count(unread, 'response')} to a creation had no int64 id`]),
  ];
  return `the ids of ${count(unread + ambiguous.length, 'further animal')} are unknown: ${reasons.join(', ')}; names that begin with ${prefix} show what is left`;
}

/** What is left of a run when it has ended, whatever its verdict. */
export type Residue = {
  /** Notes what the run has created so far; it is written at once, because the process may be killed. */
  note(animals: Animals): void;
  /** Runs the command of `--after` with the ids, whose failure changes no verdict. Whether all that was noted is in the file. */
  end(): Promise<boolean>;
};

/** Why the ids could not be written; undefined if they were, or if nobody asked for it. */
function writeIds(file: string | undefined, text: string): string | undefined {
  try {
    if (file !== undefined) writeFileSync(file, text);
    return undefined;
  } catch (error) {
    return `cannot write the ids of created animals to ${file} (--created): ${messageOf(error)}`;
  }
}

async function runAfter(command: string, { ids, redact }: { readonly ids: string; readonly redact: Redactor }): Promise<void> {
  const group = startGroup(command, { input: ids });
  const end = await Promise.race([group.ended, pause(AFTER_WITHIN, undefined, { ref: false })]);
  await group.end();
  if (end?.succeeded === true) return;
  const how = end === undefined ? `did not end within ${duration(AFTER_WITHIN)}, and was stopped` : end.how;
  printError([`warning: the command of --after ${how}; the verdict stands`, ...group.lastLines(redact)].join('\n  '));
}

/** Throws UsageError unless the file can be written: it is emptied, because the ids of an earlier run would be taken for those of this one. */
export function createResidue(
  { created: file, after }: { readonly created: string | undefined; readonly after: string | undefined },
  redact: Redactor,
): Residue {
  let problem = writeIds(file, '');
  if (problem !== undefined) throw new UsageError(problem);
  let latest: Animals | undefined;
  return {
    note(animals) {
      latest = animals;
      problem = writeIds(file, idLines(animals));
    },
    async end() {
      if (problem !== undefined) printError(`error: ${problem}`);
      const unknown = latest === undefined || (file ?? after) === undefined ? undefined : unknownIds(latest);
      if (unknown !== undefined) printError(`warning: ${unknown}`);
      if (after !== undefined) await runAfter(after, { ids: latest === undefined ? '' : idLines(latest), redact });
      return problem === undefined;
    },
  };
}
