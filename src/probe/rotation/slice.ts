import type { SessionCheck, SessionClause } from '../../oracle/rule.ts';
import type { Portion } from '../../session/open-session.ts';
import { keyOf } from './turn.ts';

/** What takes its turn among the runs of a target: a check, or a part of one that judges a long table. */
export type Slice = {
  /** What its turns are kept under. */
  readonly key: string;
  readonly clause: SessionClause;
  readonly check: SessionCheck;
  readonly portion: Portion;
  /** About how many requests it sends on a store of more than a page, besides those that every run begins with. */
  readonly requests: number;
  /** Whether its credentials are one step away from the key. */
  readonly nearMiss: boolean;
};

export function sliceOf(
  one: Pick<Slice, 'clause' | 'check'>,
  { portion, ...planned }: Pick<Slice, 'portion' | 'requests' | 'nearMiss'>,
): Slice {
  return { ...one, ...planned, portion, key: keyOf({ check: one.check.id, portion }) };
}
