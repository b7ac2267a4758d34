import type { ClauseId } from '../../src/clause/clause-ids.ts';
import type { FaultName } from '../../src/reference/faults/index.ts';

type Overlap = { readonly because: string; readonly of?: readonly FaultName[]; readonly sometimes?: readonly FaultName[] };

export const OVERLAPS: Partial<Readonly<Record<ClauseId, readonly Overlap[]>>> = {};
