import type { AlertEvent } from './event.ts';
import type { Acknowledgment } from './target-state.ts';

/** A webhook that accepted the event. */
type AcceptedDelivery = {
  readonly webhook: string;
  readonly status: AlertEvent['status'];
  /** Wall clock, milliseconds. */ readonly at: number;
};

/**
 * The timeline of one incident: what was seen, when it was confirmed, who was alerted, and when it ended. Times are wall clock
 * milliseconds.
 */
export type Incident = {
  /** The `dedupId` of its events, which all incidents of a target share, and their `since`, which distinguishes them. */
  readonly id: string;
  readonly target: string;
  /** The first run that failed. */
  readonly firstSeen: number;
  /** The run that confirmed it; missing if that was in an earlier process. */
  readonly confirmed?: number;
  /** The latest acknowledgment. */
  readonly acknowledged?: Acknowledgment;
  /** The run that ended it. */
  readonly mended?: number;
  readonly clause: string | null;
  readonly reason: string | null;
  readonly summary: string;
  /** How many of the last runs had failed when it was confirmed. */
  readonly failures: number;
  readonly total: number;
  /** The request and the response that show it. */
  readonly exchange?: string;
  readonly told: readonly AcceptedDelivery[];
};

export function incidentId({ dedupId, since }: Pick<AlertEvent, 'dedupId' | 'since'>): string {
  return `${dedupId}/${since}`;
}

/** The timeline of an event whose incident is not known yet. */
export function incidentOf(event: AlertEvent): Incident {
  const { target, since, clause, reason, summary, failures, total } = event;
  return { id: incidentId(event), target, firstSeen: Date.parse(since), clause, reason, summary, failures, total, told: [] };
}
