import type { AlertEvent } from './event.ts';

/** A webhook that took the event. */
type Told = {
  readonly webhook: string;
  readonly status: AlertEvent['status'];
  /** Wall clock, milliseconds. */ readonly at: number;
};

/** The story of one incident: what was seen, when it was sure, who was told, and when it ended. Times are of the wall clock, in milliseconds. */
export type Incident = {
  /** The `dedupId` of its events. */
  readonly id: string;
  readonly target: string;
  /** The first run that failed. */
  readonly firstSeen: number;
  /** The run that made it an incident; missing when this process was not there. */
  readonly confirmed?: number;
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

/** The story as an event has it that nothing is known of before. */
export function incidentOf(event: AlertEvent): Incident {
  const { dedupId, target, since, clause, reason, summary, failures, total } = event;
  return { id: dedupId, target, firstSeen: Date.parse(since), clause, reason, summary, failures, total, told: [] };
}
