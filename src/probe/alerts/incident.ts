import type { AlertEvent } from './event.ts';
import type { Acknowledgment } from './target-state.ts';

/** A webhook that took the event. */
type Told = {
  readonly webhook: string;
  readonly status: AlertEvent['status'];
  /** Wall clock, milliseconds. */ readonly at: number;
};

/** The story of one incident: what was seen, when it was sure, who was told, and when it ended. Times are of the wall clock, in milliseconds. */
export type Incident = {
  /** The `dedupId` of its events, which all incidents of a target share, and their `since`, which tells them apart. */
  readonly id: string;
  readonly target: string;
  /** The first run that failed. */
  readonly firstSeen: number;
  /** The run that made it an incident; missing when this process was not there. */
  readonly confirmed?: number;
  /** Who has taken it over, the last time. */
  readonly acknowledged?: Acknowledgment;
  /** The run that ended it. */
  readonly mended?: number;
  readonly clause: string | null;
  readonly reason: string | null;
  readonly summary: string;
  /** Of the last runs, those that had failed when it was confirmed. */
  readonly failures: number;
  readonly total: number;
  /** The request and the response that show it. */
  readonly exchange?: string;
  readonly told: readonly Told[];
};

export function incidentId({ dedupId, since }: Pick<AlertEvent, 'dedupId' | 'since'>): string {
  return `${dedupId}/${since}`;
}

/** The story as an event has it that nothing is known of before. */
export function incidentOf(event: AlertEvent): Incident {
  const { target, since, clause, reason, summary, failures, total } = event;
  return { id: incidentId(event), target, firstSeen: Date.parse(since), clause, reason, summary, failures, total, told: [] };
}
