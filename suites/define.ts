import type { Chapter, Check, CheckId, Clause, ClauseId, Invariant } from '../src/clause/clause.ts';
import type { Session } from '../src/session/session.ts';
import type { Knowledge } from '../src/session/state/run-state.ts';

export type SuiteClause = Clause<Session, Knowledge>;
type SuiteCheck = Check<Session>;
type SuiteInvariant = Invariant<Knowledge>;

/** A check as a clause file writes it: its id is the slug behind the clause's id; it reads, is no sweep and stays out of the probe unless it says otherwise. */
type CheckDraft = Omit<SuiteCheck, 'id' | 'effect' | 'smoke' | 'exhaustive'> & { readonly id: string } & Partial<
    Pick<SuiteCheck, 'effect' | 'smoke' | 'exhaustive'>
  >;
type InvariantDraft = Omit<SuiteInvariant, 'id'> & { readonly id: string };

type ClauseDraft = {
  readonly id: ClauseId;
  readonly chapter: Chapter;
  readonly section: string;
  readonly requirement: string;
  readonly likelyCause: string;
  readonly checks?: readonly CheckDraft[];
  readonly invariants?: readonly InvariantDraft[];
} & ({ readonly level: 'required' | 'advised' | 'open' } | { readonly level: 'implied'; readonly derivation: string });

/** A clause with full ids: `list.success` and `list.success/without-parameters`. */
export function defineClause(draft: ClauseDraft): SuiteClause {
  const full = (slug: string): CheckId => `${draft.id}/${slug}`;
  return {
    ...draft,
    checks: (draft.checks ?? []).map((check) => ({ effect: 'read', smoke: false, exhaustive: false, ...check, id: full(check.id) })),
    invariants: (draft.invariants ?? []).map((invariant) => ({ ...invariant, id: full(invariant.id) })),
  };
}
