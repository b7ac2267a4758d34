import type { CatalogClauseId, Clause, Wording } from '../src/clause/clause.ts';
import type { Event } from '../src/oracle/event.ts';
import { type AllNeeds, partsOfKinds, type SendingDraft, type SilentDraft, type Usual } from '../src/oracle/kinds.ts';
import type { Kind, Rule } from '../src/oracle/rule.ts';
import type { World } from '../src/oracle/world.ts';
import type { FaultName } from '../src/reference/faults/index.ts';
import type { Session } from '../src/session/session.ts';

export type SuiteClause = Clause<Session, FaultName, Event, World>;

/** A part that judges names the fault that must turn it red; a part of an open clause only records, so it has none. */
type Judging = { readonly fault: FaultName };
type Recording = { readonly fault?: never };

type Kinds<Fault, Needs extends AllNeeds> = {
  /** Kinds of cases that are sent for. */
  readonly sent?: { readonly [Index in keyof Needs]: SendingDraft<Needs[Index]> & Usual & Fault };
  /** Kinds of cases among whatever is sent. */
  readonly met?: readonly (SilentDraft & Fault)[];
};

type RuledDraft<Needs extends AllNeeds> = Wording & { readonly id: CatalogClauseId } & (
    | ({ readonly level: 'required' | 'advised' | 'implied'; readonly rules: readonly Rule[] } & Kinds<Judging, Needs>)
    /** Nothing is judged where the document leaves a question open: its kinds observe. */
    | ({ readonly level: 'open'; readonly rules?: never } & Kinds<Recording & Required<Pick<Kind, 'observe'>>, Needs>)
  );

/**
 * A clause that rules judge: they meet every exchange of the run, whoever sent it. Its parts are kinds of cases: those that it sends for, and
 * those that it only meets.
 */
export function defineRules<const Needs extends AllNeeds>(draft: RuledDraft<Needs>): SuiteClause {
  const { sent, met, rules = [], ...wording }: Wording & { rules?: readonly Rule[] } & Kinds<Judging | Recording, AllNeeds> = draft;
  return { ...wording, rules, ...partsOfKinds<FaultName>(wording.id, { sent, met }) };
}
