// Judges a server that is started for it, or one at an address, as the gate does.

import type { ClauseId } from '../src/clause/clause.ts';
import type { RunRecord } from '../src/clause/run-record.ts';
import { toolVersion } from '../src/gate/package-files.ts';
import { runDataOf } from '../src/judge/judging.ts';
import { emptyRunData, type RunData, runRecordOf } from '../src/judge/record.ts';
import { type RunInput, type RunResult, runSuite } from '../src/judge/run.ts';
import type { SessionOptions } from '../src/session/session.ts';
import { UnreachableError } from '../src/wire/meant-service.ts';
import { AGAIN } from '../suites/plan/again.ts';
import { SUITE } from '../suites/plan/index.ts';
import { WORDING } from '../suites/plan/narrowing.ts';
import { versionsOf } from '../suites/tables/tables.ts';
import { KEY, sessionOptions } from './judge-reference.ts';
import { CONFORMING_TIMEOUT, type RegistrySubject, settingOf } from './result.ts';
import { startReference, variantCalled } from './server.ts';

export type Started = { readonly baseUrl: string; close(): Promise<void> };

/** A server, and the options of a session that suits it. */
export type Setting = { readonly start: () => Promise<Started>; readonly session: Partial<SessionOptions> };

/** The reference server with these faults, and with these choices where the document leaves something open. */
export function faultySetting(names: readonly string[], upon: readonly string[] = []): Setting {
  const { server, session } = settingOf(names);
  return { start: () => startReference({ ...server, variants: upon, apiKey: KEY }), session };
}

/** A server of the registry. */
export function registrySetting({ kind, name }: RegistrySubject, upon: readonly string[] = []): Setting {
  if (kind === 'fault') return faultySetting([name], upon);
  const { now } = variantCalled(name);
  return {
    start: () => startReference({ variants: [name], apiKey: KEY }),
    session: { timeout: CONFORMING_TIMEOUT, ...(now === undefined ? {} : { now: now() }) },
  };
}

/** `used`: on the store that a run before it has left. */
export async function runSuiteOn(
  start: Setting['start'],
  session: Partial<SessionOptions>,
  { used = false, ...changes }: Partial<Omit<RunInput, 'options'>> & { readonly used?: boolean } = {},
): Promise<RunResult> {
  const server = await start();
  try {
    if (used) await runSuite({ ...SUITE, ...changes, options: sessionOptions(server.baseUrl, { ...session, runTag: 'first' }) });
    return await runSuite({ ...SUITE, ...changes, options: sessionOptions(server.baseUrl, session) });
  } finally {
    await server.close();
  }
}

/** What a run of the gate asks and repeats at its end. */
const EXPLAINED = { wording: WORDING, again: AGAIN } as const;

export type Judgement = {
  /** In place of what the setting has. */
  readonly session?: Partial<SessionOptions>;
  /** The clauses to judge; all by default. */
  readonly only?: readonly string[];
  /** Whether the record says when clauses are broken, and what shows it again: true by default. Verdicts alone take fewer requests. */
  readonly explained?: boolean;
};

/** What the run says; strictly: exceptions of the suite are thrown. */
async function toldBy(run: RunInput): Promise<RunData> {
  try {
    return runDataOf(await runSuite(run), { session: run.options, versionsOf });
  } catch (error) {
    if (!(error instanceof UnreachableError)) throw error;
    return { ...emptyRunData(run.options), unreachable: error.message };
  }
}

/** The record of a run against the service at that address. */
export async function judgeAddress(
  baseUrl: string,
  { session = settingOf([]).session, only, explained = true }: Judgement = {},
): Promise<RunRecord> {
  const begin = performance.now();
  const options = sessionOptions(baseUrl, session);
  const data = await toldBy({
    ...{ ...SUITE, ...(explained ? EXPLAINED : {}), options },
    ...(only === undefined ? {} : { only: new Set(only as readonly ClauseId[]) }),
  });
  return runRecordOf({
    options: {
      ...{ session: options, reference: true, strict: false, only: [], skip: [], waivers: [], drift: () => [], today: options.now },
      ...{ version: toolVersion, registry: SUITE.clauses, selection: [] },
    },
    ...{ data, stopped: undefined, startedAt: options.now.toISOString(), duration: Math.round(performance.now() - begin) },
  });
}

/** The record of a run against a server, from its start to its end. */
export async function judgeSetting({ start, session }: Setting, judgement: Judgement = {}): Promise<RunRecord> {
  const server = await start();
  try {
    return await judgeAddress(server.baseUrl, { ...judgement, session: { ...session, ...judgement.session } });
  } finally {
    await server.close();
  }
}

/** The record of a run against the reference server with one fault of the registry. */
export const judgeFault = (name: string, judgement: Judgement = {}): Promise<RunRecord> => judgeSetting(faultySetting([name]), judgement);
