/** The public library: the clauses as data, and what runs them. */
export { clauses } from '../suites/index.ts';
export { probeClauses } from '../suites/probe.ts';
export type { Check, CheckId, Clause, ClauseId, Effect, Invariant, Level, Step } from './clause/clause.ts';
export type { Finding, Observation, Outcome, Verdict } from './clause/outcome.ts';
export type { CheckRecord, ClauseRecord, RunRecord } from './clause/run-record.ts';
export { judgeCheck } from './judge/judge-check.ts';
export { runDirect } from './judge/run-direct.ts';
export { createSmoke } from './probe/create-smoke.ts';
export { type ReferenceOptions, type ReferenceServer, startReference } from './reference/server.ts';
export { type OpenSession, openSession } from './session/open-session.ts';
export type { Session, SessionOptions } from './session/session.ts';
