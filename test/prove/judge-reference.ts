import type { CheckRecord, RunRecord } from '../../src/clause/run-record.ts';
import type { RunEvidence } from '../../src/judge/collected.ts';
import { recordOf } from '../../src/judge/record.ts';
import { type ReferenceOptions, type ReferenceServer, startReference } from '../../src/reference/server.ts';
import { type OpenSession, openSession } from '../../src/session/open-session.ts';
import type { SessionOptions } from '../../src/session/session.ts';
import type { Exchange } from '../../src/wire/exchange.ts';
import type { SuiteClause } from '../../suites/define.ts';
import { clauses } from '../../suites/index.ts';
import { judgeSession } from '../support/judge-session.ts';
import { keepHistory, type RunHistory } from './recorded/run-history.ts';

export const KEY = 'pk-7Hq2XvR9sLmT4wZa';

/** What a standard run is told, but for what a test changes. */
export function sessionOptions(baseUrl: string, changes: Partial<SessionOptions> = {}): SessionOptions {
  return {
    baseUrl,
    apiKey: KEY,
    readOnly: false,
    intrusive: true,
    maxCreates: 250,
    namePrefix: 'conformance',
    runTag: 'prove',
    leftoverIds: [],
    categoryIds: [],
    depth: 'standard',
    seed: 20261121,
    timeBudget: 60_000,
    now: new Date(),
    concurrency: 8,
    timeout: 3_000,
    consistencyWindow: 2_000,
    waitForReady: 0,
    rate: 0,
    maxBody: 16 * 1024 * 1024,
    ca: undefined,
    proxy: undefined,
    trace: true,
    ...changes,
  };
}

export type ReferenceRun = {
  readonly baseUrl: string;
  readonly records: readonly CheckRecord[];
  readonly requests: number;
  readonly created: number;
  readonly milliseconds: number;
  readonly summary: ReturnType<OpenSession['summary']>;
  readonly evidence: RunEvidence;
  readonly now: Date;
};

/** A run that can be judged anew. */
export type KeptRun = ReferenceRun & { readonly history: RunHistory };

export type ReferenceJudgement = {
  /** What the session is told beside the usual. */
  readonly session?: Partial<SessionOptions>;
  /** The clauses that judge: all, unless said otherwise. */
  readonly judged?: readonly SuiteClause[];
  /** Whether the verdicts say when clauses are broken: true by default. Verdicts alone are had in three quarters of the time. */
  readonly explained?: boolean;
  readonly onExchange?: (exchange: Exchange) => void;
  /** Is given the run with its history, which is kept for it. */
  readonly keep?: ((run: KeptRun) => void) | undefined;
};

/** Judges a reference server, with whatever faults and variants it has, by all checks. */
export function judgeReference(server: Omit<ReferenceOptions, 'apiKey'>, judgement: ReferenceJudgement = {}): Promise<ReferenceRun> {
  return judgeServer(() => startReference({ ...server, apiKey: KEY }), judgement);
}

/** Judges a server that takes the usual key, from its start to its end. */
export async function judgeServer(
  start: () => Promise<Pick<ReferenceServer, 'baseUrl' | 'close'>>,
  { session: changes = {}, judged = clauses, explained = true, onExchange, keep }: ReferenceJudgement = {},
): Promise<ReferenceRun> {
  const begin = performance.now();
  const reference = await start();
  const open = await openSession(sessionOptions(reference.baseUrl, changes));
  const kept = keep === undefined ? undefined : keepHistory(open);
  if (onExchange !== undefined) open.recorder.onExchange(onExchange);
  try {
    await open.start();
    kept?.begin();
    const { records, evidence, sent } = await judgeSession(open, {
      clauses: judged,
      registry: clauses,
      explained,
      effects: changes.readOnly === true ? ['read', 'intrusive'] : ['read', 'intrusive', 'write'],
    });
    const summary = open.summary();
    const run: ReferenceRun = {
      baseUrl: reference.baseUrl,
      records,
      requests: open.requests(),
      created: summary.animals.created.length,
      milliseconds: Math.round(performance.now() - begin),
      summary,
      evidence,
      now: open.session.options.now,
    };
    if (kept !== undefined) keep?.({ ...run, history: kept.end(sent) });
    return run;
  } finally {
    await open.session.close();
    await reference.close();
  }
}

/** The run as reports take it. */
export function recordOfRun({ baseUrl, records, milliseconds, summary, evidence, now }: ReferenceRun): RunRecord {
  return recordOf(records, {
    session: sessionOptions(baseUrl, { now }),
    ...{ reference: true, strict: false, only: [], skip: [], version: '0.0.0', clauses, summary },
    startedAt: now.toISOString(),
    duration: milliseconds,
    ending: { evidence, interrupted: undefined, internalErrors: [], unreachable: undefined, staleExpectations: [] },
  });
}
