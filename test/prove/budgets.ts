/** What the whole registry may cost at most. The figures only go down, those of `recall` only up. */
export const BUDGETS = {
  /** Red clauses, over all faults, beside the one that a fault names: those that `overlaps/` gives a reason for, and others. */
  explainedRed: 400,
  unexplainedRed: 0,
  /** Reasons in `overlaps/` that no result shows any more. */
  staleOverlaps: 0,
  waitsForGreen: 0,
  /** Faults that the whole run misses and their clause, judged alone, finds: two always, and a race that a run sees or does not. */
  aloneOnly: 3,
  undecidedMean: 8,
  undecidedMost: 42,
  /** Part of the faults that are found beside others, by the size of the set. */
  recall: { 2: 0, 4: 0.85, 8: 0 } as Readonly<Record<number, number>>,
  /** Part of the defects of the grid that are found, in any draw: of fifty, at a true 95 %, fewer are found about once in a thousand draws. */
  grid: 0.86,
  /** Percent of red clauses that none of the faults in a set breaks alone. */
  consequences: 2,
};
