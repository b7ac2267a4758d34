// Runs the plan of rows against a server that is started for it.

import { isBinding } from '../../../src/clause/clause.ts';
import { type RowsResult, type RowsRun, runRows } from '../../../src/judge/rows-run.ts';
import { startReference } from '../../../src/reference/server.ts';
import { variants } from '../../../src/reference/variants/index.ts';
import type { SessionOptions } from '../../../src/session/session.ts';
import { SUITE } from '../../../suites/plan/index.ts';
import { KEY, sessionOptions } from '../judge-reference.ts';
import { CONFORMING_TIMEOUT, type RegistrySubject, settingOf } from '../result.ts';

export type RowsShown = Pick<RowsResult, 'requests' | 'created'> & {
  /** Broken clauses: required and implied ones, and advised ones. */
  readonly red: readonly string[];
  readonly advised: readonly string[];
  readonly notes: Readonly<Record<string, string>>;
};

export type Started = { readonly baseUrl: string; close(): Promise<void> };

/** A server, and the options of a session that suits it. */
export type Setting = { readonly start: () => Promise<Started>; readonly session: Partial<SessionOptions> };

/** The reference server with these faults. */
export function faultySetting(names: readonly string[]): Setting {
  const { server, session } = settingOf(names);
  return { start: () => startReference({ ...server, apiKey: KEY }), session };
}

/** A server of the registry. */
export function registrySetting({ kind, name }: RegistrySubject): Setting {
  if (kind === 'fault') return faultySetting([name]);
  const now = variants.find((one) => one.name === name)?.now;
  return {
    start: () => startReference({ variants: [name], apiKey: KEY }),
    session: { timeout: CONFORMING_TIMEOUT, ...(now === undefined ? {} : { now: now() }) },
  };
}

/** `used`: on the store that a run before it has left. */
export async function runRowsOn(
  start: Setting['start'],
  session: Partial<SessionOptions>,
  { used = false, ...changes }: Partial<Omit<RowsRun, 'options'>> & { readonly used?: boolean } = {},
): Promise<RowsResult> {
  const server = await start();
  try {
    if (used) await runRows({ ...SUITE, ...changes, options: sessionOptions(server.baseUrl, { ...session, runTag: 'first' }) });
    return await runRows({ ...SUITE, ...changes, options: sessionOptions(server.baseUrl, session) });
  } finally {
    await server.close();
  }
}

export async function judgeByRows(start: Setting['start'], session: Partial<SessionOptions>): Promise<RowsShown> {
  const { verdicts, requests, created } = await runRowsOn(start, session);
  const failed = verdicts.filter(({ verdict }) => verdict === 'fail');
  const idsOf = (binding: boolean): readonly string[] =>
    failed.filter(({ clause }) => isBinding(clause) === binding).map(({ clause }) => clause.id);
  return {
    ...{ red: idsOf(true), advised: idsOf(false), requests, created },
    notes: Object.fromEntries(failed.map(({ clause, note }) => [clause.id, note])),
  };
}
