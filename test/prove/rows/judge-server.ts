// Runs the plan of rows against a server that is started for it.

import { isBinding } from '../../../src/clause/clause.ts';
import { type RowsResult, runRows } from '../../../src/judge/rows-run.ts';
import type { SessionOptions } from '../../../src/session/session.ts';
import { OPENING, planOf } from '../../../suites/plan/index.ts';
import { clauses } from '../../../suites/rows/index.ts';
import { compose } from '../../../suites/tables/tables.ts';
import { sessionOptions } from '../judge-reference.ts';

export type RowsShown = Pick<RowsResult, 'requests' | 'created'> & {
  /** Broken clauses: required and implied ones, and advised ones. */
  readonly red: readonly string[];
  readonly advised: readonly string[];
  readonly passed: number;
  readonly notes: Readonly<Record<string, string>>;
};

export type Started = { readonly baseUrl: string; close(): Promise<void> };

export async function runRowsOn(start: () => Promise<Started>, session: Partial<SessionOptions>): Promise<RowsResult> {
  const server = await start();
  try {
    return await runRows({ options: sessionOptions(server.baseUrl, session), clauses, compose, opening: OPENING, planOf });
  } finally {
    await server.close();
  }
}

export async function judgeByRows(start: () => Promise<Started>, session: Partial<SessionOptions>): Promise<RowsShown> {
  const { verdicts, requests, created } = await runRowsOn(start, session);
  const failed = verdicts.filter(({ verdict }) => verdict === 'fail');
  const idsOf = (binding: boolean): readonly string[] =>
    failed.filter(({ clause }) => isBinding(clause) === binding).map(({ clause }) => clause.id);
  return {
    ...{ red: idsOf(true), advised: idsOf(false), requests, created },
    passed: verdicts.filter(({ verdict }) => verdict === 'pass').length,
    notes: Object.fromEntries(failed.map(({ clause, note }) => [clause.id, note])),
  };
}
