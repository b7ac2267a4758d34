import type { CatalogClauseId, Check, CheckId, Clause, Invariant, Wording } from '../src/clause/clause.ts';
import type { Given } from '../src/clause/needs.ts';
import type { Outcome } from '../src/clause/outcome.ts';
import type { FaultName } from '../src/reference/faults/index.ts';
import { establish, type Have } from '../src/session/fixtures/haves.ts';
import type { Session } from '../src/session/session.ts';
import type { RunState } from '../src/session/state/run-state.ts';

export type SuiteClause = Clause<Session, RunState, FaultName>;
type SuiteCheck = Check<Session, FaultName>;

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
} & Partial<Pick<SuiteCheck, 'effect' | 'smoke' | 'exhaustive'>>;

/** An invariant as a clause file writes it: its id is the slug after the clause's id. */
export type InvariantDraft = Omit<Invariant<RunState>, 'id' | 'fault'> & { readonly id: string };
export type JudgingInvariant = InvariantDraft & Judging;

/** What each of the checks of a clause declares. */
type AllGiven = readonly (readonly Given[])[];

type Parts<Fault, Declared extends AllGiven> = {
  readonly checks?: { readonly [Index in keyof Declared]: CheckDraft<Declared[Index]> & Fault };
  readonly invariants?: readonly (InvariantDraft & Fault)[];
};
export type JudgingParts<Declared extends AllGiven = AllGiven> = Parts<Judging, Declared>;

type ClauseDraft<Declared extends AllGiven> = Wording & { readonly id: CatalogClauseId } & (
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
      run: (s) => establish(s, check),
    })),
    invariants: invariants.map((invariant) => ({ ...invariant, id: full(invariant.id) })),
  };
}
