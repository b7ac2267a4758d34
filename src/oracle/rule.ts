import type { Case as CaseOf, Check, Clause, Kind as KindOf, Rule as RuleOf } from '../clause/clause.ts';
import type { Session } from '../session/session.ts';
import type { Event } from './event.ts';
import type { World } from './world.ts';

/** A clause that sessions judge. */
export type SessionClause = Clause<Session, string, Event, World>;
export type SessionCheck = Check<Session, string, Event, World>;
/** A sentence as a pure function of one exchange and the world (`judge`), or of the whole history (`judgeAll`), with its layer and what may explain a breach. */
export type Rule = RuleOf<Event, World>;
/** An exchange of which a rule holds or is broken, as `judgeAll` returns it and as kinds choose among: with the breach, where there is one. */
export type Case = CaseOf<Event>;
/** Which cases a part of a clause consists of, and what it says where there are none. */
export type Kind = KindOf<Event, World>;
