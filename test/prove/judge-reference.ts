// Judges servers in this process, strictly: the reference server, any parts of it, or whatever a test starts.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { CheckId } from '../../src/clause/clause.ts';
import type { PartRecord } from '../../src/clause/part-record.ts';
import type { RunRecord } from '../../src/clause/run-record.ts';
import { InternalError } from '../../src/judge/check.ts';
import { clauseRecords } from '../../src/judge/clause-verdicts.ts';
import { evidenceOf } from '../../src/judge/collected.ts';
import type { RunEvidence } from '../../src/judge/conclusion.ts';
import { createJudging, type JudgingOptions, type PlanOptions, planOf, type Sent, settleIn } from '../../src/judge/judging.ts';
import { recordOf } from '../../src/judge/record-of.ts';
import { unreportedDepartures } from '../../src/judge/settle-records.ts';
import type { SessionClause } from '../../src/oracle/world.ts';
import { seed } from '../../src/reference/core/base.ts';
import { readCall } from '../../src/reference/core/incoming.ts';
import { type Context, type Parts, Problem, problemReply } from '../../src/reference/core/parts.ts';
import { createStore } from '../../src/reference/core/store.ts';
import { type ReferenceOptions, type ReferenceServer, startReference } from '../../src/reference/server.ts';
import { type OpenSession, openSession } from '../../src/session/open-session.ts';
import type { SessionOptions } from '../../src/session/session.ts';
import type { Exchange } from '../../src/wire/exchange.ts';
import { DIRECT } from '../../src/wire/route.ts';
import { clauses } from '../../suites/index.ts';

export type JudgedSession = {
  readonly records: readonly PartRecord[];
  readonly evidence: RunEvidence;
  /** The results of sending, by check. */
  readonly sent: ReadonlyMap<CheckId, Sent>;
};

/**
 * Judges in a started session, without a test runner, and strictly: throws an InternalError if the suite itself broke, or if a departure
 * was read through that no clause reports. `explained`: the verdicts say when clauses are broken.
 */
export async function judgeSession(
  open: OpenSession,
  { registry, explained = true, ...options }: PlanOptions & Pick<JudgingOptions, 'registry'> & { readonly explained?: boolean },
): Promise<JudgedSession> {
  const plan = planOf(options);
  const judging = createJudging(open, {
    ...{ clauses: options.clauses, plan, followsUp: explained, contrasts: explained, closes: true },
    ...(registry === undefined ? {} : { registry }),
  });
  await judging.run();
  const { credible } = open.session.knowledge;
  const evidence = evidenceOf(open, judging.closing());
  const { records: made, errors } = judging.judged();
  if (errors[0] !== undefined) throw errors[0];
  const records = settleIn(open, made);
  const [unreported] = credible ? unreportedDepartures(records, open.summary().departures) : [];
  if (unreported !== undefined) throw new InternalError(unreported);
  return { records, evidence, sent: judging.sent() };
}

export const KEY = 'pk-7Hq2XvR9sLmT4wZa';

/** What a standard run is told, but for what a test changes. */
export function sessionOptions(baseUrl: string, changes: Partial<SessionOptions> = {}): SessionOptions {
  return {
    baseUrl,
    apiKey: KEY,
    readOnly: false,
    intrusive: true,
    maxCreates: 250,
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
    ...DIRECT,
    headers: [],
    ...changes,
  };
}

export type ReferenceRun = {
  readonly baseUrl: string;
  readonly records: readonly PartRecord[];
  readonly requests: number;
  readonly created: number;
  readonly milliseconds: number;
  readonly summary: ReturnType<OpenSession['summary']>;
  readonly evidence: RunEvidence;
  readonly now: Date;
};

export type ReferenceJudgement = {
  /** Options of the session in addition to the usual ones. */
  readonly session?: Partial<SessionOptions>;
  /** The clauses that judge: all by default. */
  readonly judged?: readonly SessionClause[];
  /** Whether the verdicts say when clauses are broken: true by default. Verdicts alone are had in three quarters of the time. */
  readonly explained?: boolean;
  readonly onExchange?: (exchange: Exchange) => void;
};

/** Judges a reference server, with whatever faults and variants it has, by all checks. */
export function judgeReference(server: Omit<ReferenceOptions, 'apiKey'>, judgement: ReferenceJudgement = {}): Promise<ReferenceRun> {
  return judgeServer(() => startReference({ ...server, apiKey: KEY }), judgement);
}

/** Judges a server that takes the usual key, from its start to its end. */
export async function judgeServer(
  start: () => Promise<Pick<ReferenceServer, 'baseUrl' | 'close'>>,
  { session: changes = {}, judged = clauses, explained = true, onExchange }: ReferenceJudgement = {},
): Promise<ReferenceRun> {
  const begin = performance.now();
  const reference = await start();
  const open = await openSession(sessionOptions(reference.baseUrl, changes));
  if (onExchange !== undefined) open.recorder.onExchange(onExchange);
  try {
    await open.start();
    const { records, evidence } = await judgeSession(open, {
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
    return run;
  } finally {
    await open.session.close();
    await reference.close();
  }
}

/** The run as reports take it. */
export function recordOfRun({ baseUrl, records, milliseconds, summary, evidence, now }: ReferenceRun): RunRecord {
  const session = sessionOptions(baseUrl, { now });
  return recordOf(clauseRecords(clauses, records, session), {
    session,
    ...{ reference: true, strict: false, only: [], skip: [], version: '0.0.0', summary },
    startedAt: now.toISOString(),
    duration: milliseconds,
    ending: { evidence, interrupted: undefined, internalErrors: [], unreachable: undefined, staleWaivers: [] },
  });
}

const BASE_PATH = '/v1';
const CATEGORIES = [1n, 2n, 3n, 4n, 5n];

/** A server with these parts on a socket; the registry's server takes only names. */
export async function startParts(parts: Parts, { seedAnimals }: { readonly seedAnimals: number }) {
  const store = createStore();
  seed(store, parts, seedAnimals, CATEGORIES);
  const server = createServer(async (incoming, outgoing) => {
    const call = readCall(incoming, BASE_PATH);
    const context: Context = { call, store, parts, apiKey: KEY, now: () => new Date() };
    try {
      await parts.send(await parts.handle(context), outgoing, call);
    } catch {
      if (outgoing.headersSent || outgoing.destroyed) outgoing.destroy();
      else await parts.send(problemReply(context, new Problem(500, 'internal', 'Something went wrong')), outgoing, call);
    }
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}${BASE_PATH}`,
    close: () =>
      new Promise<void>((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}
