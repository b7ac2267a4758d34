import type { Case as CaseOf, Check, Clause, Kind as KindOf, Rule as RuleOf } from '../clause/clause.ts';
import type { Session } from '../session/session.ts';
import type { RunState } from '../session/state/run-state.ts';
import type { Event } from './event.ts';
import type { World } from './world.ts';

/** A clause that sessions judge, by its checks and invariants, by its rules, or by both. */
export type SessionClause = Clause<Session, RunState, string, Event, World>;
export type SessionCheck = Check<Session, string, Event, World>;
export type Rule = RuleOf<Event, World>;
export type Case = CaseOf<Event>;
export type Kind = KindOf<Event, World>;
