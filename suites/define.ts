import type { CatalogClauseId, Chapter, Check, CheckId, Clause, Invariant, Quote } from '../src/clause/clause.ts';
import type { FaultName } from '../src/reference/faults/index.ts';
import type { Session } from '../src/session/session.ts';
import type { RunState } from '../src/session/state/run-state.ts';

export type SuiteClause = Clause<Session, RunState, FaultName>;
type SuiteCheck = Check<Session, FaultName>;

/** A part that judges names the fault that must turn it red; a part of an open clause only records, so it has none. */
type Judging = { readonly fault: FaultName };
type Recording = { readonly fault?: never };

/** A check as a clause file writes it: its id is the slug after the clause's id. By default it only reads, is not exhaustive, and is not in the probe. */
type CheckDraft = Omit<SuiteCheck, 'id' | 'effect' | 'smoke' | 'exhaustive' | 'fault'> & { readonly id: string } & Partial<
    Pick<SuiteCheck, 'effect' | 'smoke' | 'exhaustive'>
  >;

/** An invariant as a clause file writes it: its id is the slug after the clause's id. */
export type InvariantDraft = Omit<Invariant<RunState>, 'id' | 'fault'> & { readonly id: string };
export type JudgingInvariant = InvariantDraft & Judging;

type Parts<Fault> = {
  readonly checks?: readonly (CheckDraft & Fault)[];
  readonly invariants?: readonly (InvariantDraft & Fault)[];
};
export type JudgingParts = Parts<Judging>;

type ClauseDraft = {
  readonly id: CatalogClauseId;
  readonly chapter: Chapter;
  readonly section: string;
  readonly requirement: string;
  readonly likelyCause: string;
} & (
  | ({ readonly level: 'required'; readonly quote: Quote } & JudgingParts)
  | ({ readonly level: 'advised'; readonly quote?: Quote } & JudgingParts)
  | ({ readonly level: 'implied'; readonly quote?: Quote; readonly derivation: string } & JudgingParts)
  | ({ readonly level: 'open'; readonly quote?: Quote } & Parts<Recording>)
);

/** A clause with full ids: `list.success` and `list.success/without-parameters`. */
export function defineClause(draft: ClauseDraft): SuiteClause {
  const full = (slug: string): CheckId => `${draft.id}/${slug}`;
  const { checks = [], invariants = [] }: Parts<Judging | Recording> = draft;
  return {
    ...draft,
    checks: checks.map((check) => ({ effect: 'read', smoke: false, exhaustive: false, ...check, id: full(check.id) })),
    invariants: invariants.map((invariant) => ({ ...invariant, id: full(invariant.id) })),
  };
}
