import type { AlertEvent } from '../alerts/event.ts';
import { type Change, keyOf } from './change.ts';
import { clauseOf, describeChange } from './describe-change.ts';

/** The event for a change, if the configuration lists its kind: it has no end, so no resolved event follows. */
export function alertOf(change: Change, { link }: { readonly link: string | null }): AlertEvent {
  const since = new Date(change.since).toISOString();
  return {
    version: 1,
    dedupId: `${change.target}/change/${keyOf(change)}/${since}`,
    status: 'announcement',
    target: change.target,
    clause: clauseOf(change) ?? null,
    reason: null,
    summary: describeChange(change),
    since,
    at: new Date(change.at).toISOString(),
    failures: 0,
    total: 0,
    link,
  };
}
