import type { CatalogClauseId, Check, CheckId, Clause, Invariant, Wording } from '../src/clause/clause.ts';
import type { Given } from '../src/clause/needs.ts';
import type { Outcome } from '../src/clause/outcome.ts';
import type { Event } from '../src/oracle/event.ts';
import { type AllNeeds, partsOfKinds, type SendingDraft, type SilentDraft, type Usual } from '../src/oracle/kinds.ts';
import type { Kind, Rule } from '../src/oracle/rule.ts';
import type { World } from '../src/oracle/world.ts';
import type { FaultName } from '../src/reference/faults/index.ts';
import { establishOrFind, type Have } from '../src/session/fixtures/haves.ts';
import type { Session } from '../src/session/session.ts';
import type { RunState } from '../src/session/state/run-state.ts';

export type SuiteClause = Clause<Session, RunState, FaultName, Event, World>;
type SuiteCheck = Check<Session, FaultName, Event, World>;

/** A part that judges names the fault that must turn it red; a part of an open clause only records, so it has none. */
type Judging = { readonly fault: FaultName };
type Recording = { readonly fault?: never };

/**
 * A check as a clause file writes it: its id is the slug after the clause's id. By default it only reads, is not exhaustive, and is not in
 * the probe. It runs with what it declared, once that is established.
 */
type CheckDraft<Declared extends readonly Given[]> = Pick<SuiteCheck, 'title' | 'step'> & {
  readonly id: string;
  readonly given: Declared;
  readonly run: (session: Session, have: Have<Declared>) => Promise<Outcome>;
} & Usual;

/** An invariant as a clause file writes it: its id is the slug after the clause's id. */
export type InvariantDraft = Omit<Extract<Invariant<RunState>, { readonly judge: unknown }>, 'id' | 'fault'> & { readonly id: string };

/** What each of the checks of a clause declares. */
type AllGiven = readonly (readonly Given[])[];

type Parts<Fault, Declared extends AllGiven> = {
  readonly checks?: { readonly [Index in keyof Declared]: CheckDraft<Declared[Index]> & Fault };
  readonly invariants?: readonly (InvariantDraft & Fault)[];
};
export type JudgingParts<Declared extends AllGiven = AllGiven> = Parts<Judging, Declared>;

type ClauseDraft<Declared extends AllGiven> = Wording & {
  readonly id: CatalogClauseId;
} & (
    | ({ readonly level: 'required' | 'advised' | 'implied' } & JudgingParts<Declared>)
    | ({ readonly level: 'open' } & Parts<Recording, Declared>)
  );

/** A clause with full ids: `list.success` and `list.success/without-parameters`. */
export function defineClause<const Declared extends AllGiven>(draft: ClauseDraft<Declared>): SuiteClause {
  const full = (slug: string): CheckId => `${draft.id}/${slug}`;
  const { checks = [], invariants = [] }: Parts<Judging | Recording, AllGiven> = draft;
  return {
    ...draft,
    checks: checks.map((check) => ({
      ...{ effect: 'read', smoke: false, exhaustive: false, ...check },
      id: full(check.id),
      run: (s) => establishOrFind(s, check),
    })),
    invariants: invariants.map((invariant) => ({ ...invariant, id: full(invariant.id) })),
  };
}

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
