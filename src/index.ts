/**
 * The public library: the clauses as data, the functions that judge a server by them, and what authors of clauses and of clients need. The
 * command line is not part of it. Anything that is not exported here may change at any time.
 */
export { type ClauseId, LAYERS, type Layer, type Level, type OwnClauseId } from './clause/clause.ts';
export type { ClauseRecord, MustRecord } from './clause/clause-record.ts';
export type { Observation, Verdict } from './clause/outcome.ts';
export { SelectionError } from './clause/patterns.ts';
export type { RunRecord } from './clause/run-record.ts';
export { defineClause, type OwnClauseDraft, type OwnRow, type OwnVector } from './judge/own-clause.ts';
export { arbitraries } from './library/arbitraries.ts';
export { type CatalogClause, clauses, probeClauses } from './library/catalog.ts';
export { describeRequest, describeResponse, petsOf, statusOf } from './library/exchanges.ts';
export { createJudge, type Judge, type JudgeClause, type JudgeOptions, judgeServer, NothingToJudgeError } from './library/judge.ts';
export { reporters } from './library/reporters.ts';
export { type JsonSchema, schemas } from './library/schemas.ts';
export { resolveSessionOptions, SESSION_DEFAULTS, type SessionInput } from './library/session-defaults.ts';
export {
  type OwnBreach as Breach,
  type OwnCase as Case,
  type OwnClause,
  OwnClauseError,
  type OwnInvariant as Invariant,
  type OwnJudgement as Judgement,
  type OwnKind as Kind,
  type OwnRule as Rule,
} from './oracle/own.ts';
export type {
  OwnAnimal as Animal,
  OwnEvent as Event,
  OwnExchange as Exchange,
  OwnIntent as Intent,
  OwnKnowledge as Knowledge,
  OwnWorld as World,
} from './oracle/own-view.ts';
export { createSmoke } from './probe/smoke.ts';
export { type ReferenceOptions, type ReferenceServer, startReference } from './reference/server.ts';
export type { PetView } from './schema/pet.ts';
export type { RawRequest } from './session/raw.ts';
export type { SessionOptions } from './session/session.ts';
