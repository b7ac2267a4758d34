/**
 * The public library: the clauses as data, what judges a server by them, and what authors of clauses and of clients need. The command line is no
 * part of it. Whatever is not exported here may change at any time.
 */
export { clauses } from '../suites/index.ts';
export { probeClauses } from '../suites/probe.ts';
export type { Check, CheckId, Clause, ClauseId, Effect, Invariant, Level, OwnClauseId, Step } from './clause/clause.ts';
export { failOr, inconclusive, notApplicable, observed, pass } from './clause/halt.ts';
export { type Given, NEEDS, type Need } from './clause/needs.ts';
export type { Finding, Observation, Outcome, Verdict } from './clause/outcome.ts';
export type { CheckRecord, ClauseRecord, RunRecord } from './clause/run-record.ts';
export { petsOf, statusOf, wrongStatus } from './expect/expect.ts';
export { defineClause, type OwnClauseDraft, OwnClauseError } from './judge/own-clause.ts';
export { SelectionError } from './judge/select.ts';
export { arbitraries } from './library/arbitraries.ts';
export { createJudge, type Judge, type JudgeOptions, type JudgePart, NothingToJudgeError } from './library/create-judge.ts';
export { judgeServer } from './library/judge-server.ts';
export { reporters } from './library/reporters.ts';
export { type JsonSchema, schemas } from './library/schemas.ts';
export { resolveSessionOptions, SESSION_DEFAULTS, type SessionInput } from './library/session-defaults.ts';
export type { SessionClause } from './oracle/rule.ts';
export { createSmoke } from './probe/create-smoke.ts';
export { type ReferenceOptions, type ReferenceServer, startReference } from './reference/server.ts';
export { type OpenSession, openSession } from './session/open-session.ts';
export type { Session, SessionOptions } from './session/session.ts';
export type { Exchange } from './wire/exchange.ts';
