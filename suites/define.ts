import type { CatalogClauseId, Wording } from '../src/clause/clause.ts';
import { type AllNeeds, partsOfKinds, type SendingDraft, type SilentDraft, type Usual } from '../src/oracle/kinds.ts';
import type { Kind, Rule, SessionClause } from '../src/oracle/world.ts';

type Kinds<Needs extends AllNeeds, More> = {
  readonly sent?: { readonly [Index in keyof Needs]: SendingDraft<Needs[Index]> & Usual & More };
  readonly met?: readonly (SilentDraft & More)[];
};

type RuledDraft<Needs extends AllNeeds> = Wording & { readonly id: CatalogClauseId } & (
    | ({ readonly level: 'required' | 'advised' | 'implied'; readonly rules: readonly Rule[] } & Kinds<Needs, unknown>)
    /** If the document leaves a question open, nothing is judged: its kinds only observe. */
    | ({ readonly level: 'open'; readonly rules?: never } & Kinds<Needs, Required<Pick<Kind, 'observe'>>>)
  );

/**
 * A clause whose rules judge every exchange of the run, whoever sent it. Its parts are kinds of cases: those that it sends requests for,
 * and those that it only finds in the requests of others.
 */
export function defineRules<const Needs extends AllNeeds>(draft: RuledDraft<Needs>): SessionClause {
  const { sent, met, rules = [], ...wording }: Wording & { rules?: readonly Rule[] } & Kinds<AllNeeds, unknown> = draft;
  return { ...wording, rules, ...partsOfKinds(wording.id, { sent, met }) };
}
