import type { ClauseId } from '../clause/clause.ts';

/** Something in the service that probably breaks several clauses at once. */
export type LikelyCause = {
  readonly id: string;
  readonly title: string;
  /** The broken clauses that it explains. */
  readonly clauses: readonly ClauseId[];
  /** Checks that could not be judged because of them. */
  readonly checksWaiting: number;
  /** What to change, and where. */
  readonly advice: string;
};

/** The likely causes of what a run found, the one to repair first in front. Reports show it, and no verdict depends on it. */
export type Diagnosis = { readonly causes: readonly LikelyCause[] };
