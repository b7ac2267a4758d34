import { type CheckRecord, RUN_RECORD_VERSION, type RunRecord } from '../../src/clause/run-record.ts';
import { clauseRecords, conclude } from '../../src/judge/conclude.ts';
import { runDirect } from '../../src/judge/run-direct.ts';
import { NO_EVIDENCE, type RunEvidence } from '../../src/judge/run-evidence.ts';
import { type ReferenceOptions, startReference } from '../../src/reference/server.ts';
import { type OpenSession, openSession } from '../../src/session/open-session.ts';
import type { SessionOptions } from '../../src/session/session.ts';
import type { Exchange } from '../../src/wire/exchange.ts';
import type { SuiteClause } from '../../suites/define.ts';
import { clauses } from '../../suites/index.ts';

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

export type ReferenceJudgement = {
  /** What the session is told beside the usual. */
  readonly session?: Partial<SessionOptions>;
  /** The clauses that judge: all, unless said otherwise. */
  readonly judged?: readonly SuiteClause[];
  /** Once aborted, nothing more is asked. */
  readonly enough?: AbortSignal;
  readonly onExchange?: (exchange: Exchange) => void;
};

/** Judges a reference server, with whatever faults and variants it has, by all checks. */
export async function judgeReference(
  server: Omit<ReferenceOptions, 'apiKey'>,
  { session: changes = {}, judged = clauses, enough, onExchange }: ReferenceJudgement = {},
): Promise<ReferenceRun> {
  const begin = performance.now();
  const reference = await startReference({ ...server, apiKey: KEY });
  const open = await openSession(sessionOptions(reference.baseUrl, changes));
  if (onExchange !== undefined) open.recorder.onExchange(onExchange);
  enough?.addEventListener('abort', () => open.limitRequests(0), { once: true });
  try {
    await open.start();
    let evidence = NO_EVIDENCE;
    const records = await runDirect(open, {
      clauses: judged,
      onEvidence: (one) => {
        evidence = one;
      },
      effects: changes.readOnly === true ? ['read', 'intrusive'] : ['read', 'intrusive', 'write'],
    });
    const summary = open.summary();
    return {
      baseUrl: reference.baseUrl,
      records,
      requests: open.requests(),
      created: summary.animals.created.length,
      milliseconds: Math.round(performance.now() - begin),
      summary,
      evidence,
      now: open.session.options.now,
    };
  } finally {
    await open.session.close();
    await reference.close();
  }
}

/** The run as reports take it. */
export function recordOfRun({ baseUrl, records, milliseconds, summary, evidence, now }: ReferenceRun): RunRecord {
  const { depth, seed, readOnly } = sessionOptions(baseUrl);
  const judged = clauseRecords(clauses, records);
  const ending = {
    clauses: judged,
    checks: records,
    evidence,
    now,
    strict: false,
    interrupted: undefined,
    internalErrors: [],
    unreachable: undefined,
    staleExpectations: [],
  };
  return {
    version: RUN_RECORD_VERSION,
    tool: { name: 'petstore-conformance', version: '0.0.0' },
    target: { baseUrl, reference: true },
    startedAt: now.toISOString(),
    duration: milliseconds,
    options: { depth, seed, readOnly, strict: false, only: [], skip: [], now: now.toISOString() },
    conclusion: conclude(ending),
    interrupted: false,
    clauses: judged,
    checks: records,
    ...summary,
  };
}
