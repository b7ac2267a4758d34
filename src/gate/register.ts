// The clauses of a run as tests of vitest.

import { afterAll, beforeAll, type TestContext, test } from 'vitest';
import type { ClauseId } from '../clause/clause.ts';
import type { RunData } from '../judge/record.ts';
import type { StartedRun } from './start-run.ts';

/** Where in our own code it was thrown says nothing, and vitest would read source files and their maps for it. */
function withoutStack(error: Error): Error {
  error.stack = '';
  return error;
}

function show(id: ClauseId, { data, context }: { readonly data: RunData | undefined; readonly context: TestContext }): void {
  const nothing = data?.unreachable ?? data?.mistaken;
  if (nothing !== undefined) context.skip(nothing);
  const record = data?.clauses.find((clause) => clause.id === id);
  if (record === undefined) throw withoutStack(new Error(data?.errors[0] ?? `${id} has no verdict`));
  if (record.verdict === 'fail') throw withoutStack(new Error(record.note));
  if (record.verdict === 'inconclusive') context.skip(record.note);
}

/** Registers the selected clauses as vitest tests: all of them await the one run. */
export function registerConformance({ selected, data: telling, close }: StartedRun): void {
  let data: RunData | undefined;
  // The run has bounds of its own.
  beforeAll(async () => {
    data = await telling;
  }, 0);
  for (const { id } of selected) test(id, (context) => show(id, { data, context }));
  afterAll(close);
}
