import type { ClauseId } from '../clause/clause.ts';

/** Something in the service that probably breaks several clauses at once. */
export type LikelyCause = {
  readonly id: string;
  readonly title: string;
  /** The broken clauses that it explains. */
  readonly explains: readonly { readonly clause: ClauseId }[];
  /** Checks that could not be judged because of them. */
  readonly waiting: number;
  /** Requests and responses that show it, a sentence each. */
  readonly evidence: readonly string[];
  /** What to change, and where. */
  readonly advice: string;
};

/** The likely causes of what a run found, the one to repair first in front. Reports show it, and no verdict depends on it. */
export type Diagnosis = { readonly causes: readonly LikelyCause[] };

/** The place of the cause that explains a clause; -1 where none does. */
export function causeAt(diagnosis: Diagnosis | undefined, clause: ClauseId): number {
  return (diagnosis?.causes ?? []).findIndex(({ explains }) => explains.some((one) => one.clause === clause));
}

/** The clauses that a cause explains. */
export function explainedBy({ explains }: LikelyCause): readonly ClauseId[] {
  return explains.map(({ clause }) => clause);
}
