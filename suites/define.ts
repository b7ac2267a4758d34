import type { CatalogClauseId, Clause, Wording } from '../src/clause/clause.ts';
import { type AllNeeds, partsOfKinds, type SendingDraft, type SilentDraft, type Usual } from '../src/oracle/kinds.ts';
import type { Event, Kind, Rule, World } from '../src/oracle/world.ts';
import type { FaultName } from '../src/reference/faults/index.ts';
import type { Session } from '../src/session/session.ts';

export type SuiteClause = Clause<Session, FaultName, Event, World>;

/** A judging part names the fault that turns it red; a part of an open clause only records, so it has none. */
type Judging = { readonly fault: FaultName };
type Recording = { readonly fault?: never };

type Kinds<Fault, Needs extends AllNeeds> = {
  /** Kinds of cases that the clause sends requests for. */
  readonly sent?: { readonly [Index in keyof Needs]: SendingDraft<Needs[Index]> & Usual & Fault };
  /** Kinds of cases that the clause only finds in other requests. */
  readonly met?: readonly (SilentDraft & Fault)[];
};

type RuledDraft<Needs extends AllNeeds> = Wording & { readonly id: CatalogClauseId } & (
    | ({ readonly level: 'required' | 'advised' | 'implied'; readonly rules: readonly Rule[] } & Kinds<Judging, Needs>)
    /** If the document leaves a question open, nothing is judged: its kinds only observe. */
    | ({ readonly level: 'open'; readonly rules?: never } & Kinds<Recording & Required<Pick<Kind, 'observe'>>, Needs>)
  );

/**
 * A clause whose rules judge every exchange of the run, whoever sent it. Its parts are kinds of cases: those that it sends requests for,
 * and those that it only finds in the requests of others.
 */
export function defineRules<const Needs extends AllNeeds>(draft: RuledDraft<Needs>): SuiteClause {
  const { sent, met, rules = [], ...wording }: Wording & { rules?: readonly Rule[] } & Kinds<Judging | Recording, AllNeeds> = draft;
  return { ...wording, rules, ...partsOfKinds<FaultName>(wording.id, { sent, met }) };
}
