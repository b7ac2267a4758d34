import type { CheckId, ClauseId } from '../clause/clause.ts';
import type { Failure, RunView } from './run-view.ts';

/** A likely cause of findings, as reports show it. */
export type Cause = {
  /** Opaque and stable. */
  readonly id: string;
  readonly title: string;
  /** A cause never claims more than its evidence. */
  readonly certainty: 'likely';
  /** The clauses that it explains, each with the checks and invariants that have a finding explained by it. */
  readonly explains: readonly { readonly clause: ClauseId; readonly checks: readonly CheckId[] }[];
  /** The number of cases explained: exchanges that break their clause, each counted once. */
  readonly findings: number;
  /** The number of checks that wait for the clauses that it explains. */
  readonly waiting: number;
  /** Requests and responses that show it, one sentence each. */
  readonly evidence: readonly string[];
  /** Where to fix it. */
  readonly advice: string;
  /** It only shows with several requests in flight: a single request does not reproduce it. */
  readonly atOnce?: true;
};

/** A finding that shows a cause, with the sentence that says how. */
export type Sign = { readonly failure: Failure; readonly sentence: string };

/** A cause as data: its signs, how many of them it takes, and where to fix it. */
export type CauseRule = {
  readonly id: string;
  readonly title: string | ((signs: readonly Sign[]) => string);
  readonly advice: string | ((signs: readonly Sign[], run: RunView) => string);
  /** Clauses whose findings it may explain. */
  readonly clauses: readonly ClauseId[];
  /** How the finding shows the cause, as a sentence; undefined if it does not. */
  readonly sign: (failure: Failure, run: RunView) => string | undefined;
  /** Whether the signs are enough to name the cause; by default, one is. */
  readonly suffices?: (signs: readonly Sign[], run: RunView) => boolean;
  /** If it holds, no other cause is worth reporting. */
  readonly excludesOthers?: true;
  /** It only shows with several requests in flight. */
  readonly atOnce?: true;
};
