import type { CatalogClauseId } from '../../../src/clause/clause-ids.ts';
import type { FaultName } from '../../../src/reference/faults/index.ts';

/** Why faults of other clauses turn a clause red too. */
export type Overlap = {
  readonly because: string;
  /** Faults that do so in every whole run. An entry of a fault that does not any more is stale, and fails the proof. */
  readonly of?: readonly FaultName[];
  /** Faults of which it depends on timing, or on what was asked before, what else they turn red. */
  readonly sometimes?: readonly FaultName[];
};

export type Overlaps = Partial<Readonly<Record<CatalogClauseId, readonly Overlap[]>>>;
