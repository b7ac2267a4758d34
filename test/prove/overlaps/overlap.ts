import type { CatalogClauseId } from '../../../src/clause/clause-ids.ts';
import type { FaultName } from '../../../src/reference/faults/index.ts';

/** Why faults of other clauses turn a clause red too. */
export type Overlap = {
  readonly because: string;
  /** Faults that do so in every whole run. An entry for a fault that no longer does is stale, and fails the proof. */
  readonly of?: readonly FaultName[];
  /** Faults for which it depends on timing, or on earlier requests, whether they do. */
  readonly sometimes?: readonly FaultName[];
};

export type Overlaps = Partial<Readonly<Record<CatalogClauseId, readonly Overlap[]>>>;
