import type { CheckId, ClauseId } from '../clause/clause.ts';
import type { Failure, RunView } from './run-view.ts';

/** A likely cause of findings, as reports show it. */
export type Cause = {
  /** Opaque and stable. */
  readonly id: string;
  readonly title: string;
  /** A cause never claims more than its evidence. */
  readonly certainty: 'likely';
  /** The clauses that it explains, each with the checks and invariants of which it explains a finding. */
  readonly explains: readonly { readonly clause: ClauseId; readonly checks: readonly CheckId[] }[];
  /** How many cases the checks have that it explains: exchanges that break their clause, each counted once. */
  readonly findings: number;
  /** How many checks wait for the clauses that it explains. */
  readonly waiting: number;
  /** Requests and responses that show it, a sentence each. */
  readonly evidence: readonly string[];
  /** Where one mends it. */
  readonly advice: string;
  /** It shows only where several requests are under way: one request alone does not reproduce it. */
  readonly atOnce?: true;
};

/** A finding that shows a cause, with the sentence that says how. */
export type Sign = { readonly failure: Failure; readonly sentence: string };

/** A cause as data: what shows it, how much of that it takes, and where one mends it. */
export type CauseRule = {
  readonly id: string;
  readonly title: string | ((signs: readonly Sign[]) => string);
  readonly advice: string | ((signs: readonly Sign[], run: RunView) => string);
  /** Clauses whose findings it may explain. */
  readonly clauses: readonly ClauseId[];
  /** How the finding shows the cause, as a sentence; undefined when it does not. */
  readonly sign: (failure: Failure, run: RunView) => string | undefined;
  /** Whether the signs are enough to name the cause; one is, unless said otherwise. */
  readonly suffices?: (signs: readonly Sign[], run: RunView) => boolean;
  /** Where it holds, nothing else is worth saying. */
  readonly excludesOthers?: true;
  /** It shows only where several requests are under way. */
  readonly atOnce?: true;
};
