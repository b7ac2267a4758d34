/**
 * The public library: the clauses as data, the functions that judge a server by them, and what authors of clauses and of clients need. The
 * command line is not part of it. Anything that is not exported here may change at any time.
 */
export { clauses } from '../suites/index.ts';
export { probeClauses } from '../suites/probe.ts';
export {
  type Breach,
  type CheckId,
  type ClauseId,
  type Effect,
  type InvariantJudgement,
  LAYERS,
  type Layer,
  type Level,
  type OwnClauseId,
  type Step,
} from './clause/clause.ts';
export type { ClauseRecord, MustRecord } from './clause/clause-record.ts';
export type { Observation, Verdict } from './clause/outcome.ts';
export { SelectionError } from './clause/patterns.ts';
export type { RunRecord } from './clause/run-record.ts';
export { defineClause, type OwnClauseDraft, OwnClauseError, type Sender } from './judge/own-clause.ts';
export { arbitraries } from './library/arbitraries.ts';
export { describeRequest, describeResponse, petsOf } from './library/exchanges.ts';
export { createJudge, type Judge, type JudgeClause, type JudgeOptions, judgeServer, NothingToJudgeError } from './library/judge.ts';
export { reporters } from './library/reporters.ts';
export { type JsonSchema, schemas } from './library/schemas.ts';
export { resolveSessionOptions, SESSION_DEFAULTS, type SessionInput } from './library/session-defaults.ts';
export type { Case, Event, Kind, Rule, SessionClause, World } from './oracle/world.ts';
export { createSmoke } from './probe/smoke.ts';
export { type ReferenceOptions, type ReferenceServer, startReference } from './reference/server.ts';
export type { PetView } from './schema/pet.ts';
export { type OpenSession, openSession } from './session/open-session.ts';
export { statusOf } from './session/read-exchange.ts';
export type { SessionOptions } from './session/session.ts';
export type { Exchange, Intent } from './wire/exchange.ts';
