import type { History } from '../history.ts';
import type { Sample } from '../sample.ts';
import type { AlertEvent } from './event.ts';

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
  readonly firstSeen: number;
  /** The run that confirmed it; missing if that was in an earlier process. */
  readonly confirmed?: number;
  readonly mended?: number;
  readonly clause: string | null;
  readonly reason: string | null;
  readonly summary: string;
  readonly failures: number;
  readonly total: number;
  readonly exchange?: string;
  readonly told: readonly AcceptedDelivery[];
};

function incidentId({ dedupId, since }: Pick<AlertEvent, 'dedupId' | 'since'>): string {
  return `${dedupId}/${since}`;
}

/** The timeline of an event whose incident is not known yet. */
function incidentOf(event: AlertEvent, target: string): Incident {
  const { since, clause, reason, summary, failures, total } = event;
  return { id: incidentId(event), target, firstSeen: Date.parse(since), clause, reason, summary, failures, total, told: [] };
}

/** Incidents kept without a history. */
const MOST_REMEMBERED = 200;
/** Accepted deliveries kept per incident. */
const MOST_TOLD = 20;

export type IncidentsParts = {
  readonly history: Pick<History, 'keepIncident' | 'incident' | 'incidents' | 'onSetAside'>;
  /** Wall clock, milliseconds. */
  readonly wall: () => number;
};

/** Kept across restarts if there is a history. */
export type Incidents = {
  take(event: AlertEvent, sample: Pick<Sample, 'failures'>): void;
  told(webhook: string, event: AlertEvent): void;
  /** Newest first. */
  of(target: string, most: number): readonly Incident[];
};

export function createIncidents({ history, wall }: IncidentsParts): Incidents {
  /** In the order of their start. */
  const remembered = new Map<string, Incident>();

  function keep(incident: Incident): void {
    remembered.set(incident.id, incident);
    const [oldest] = remembered.keys();
    if (remembered.size > MOST_REMEMBERED && oldest !== undefined) remembered.delete(oldest);
    history.keepIncident(incident);
  }

  history.onSetAside(() => {
    for (const incident of remembered.values()) history.keepIncident(incident);
  });

  const find = (id: string): Incident | undefined => remembered.get(id) ?? history.incident(id);

  return {
    take(event, { failures }) {
      if (event.status === 'announcement' || event.target === null) return;
      const at = Date.parse(event.at);
      const known = find(incidentId(event)) ?? incidentOf(event, event.target);
      if (event.status === 'resolved') return keep({ ...known, mended: at });
      const exchange = failures.find(({ clause }) => clause === event.clause)?.exchange;
      keep({ ...known, confirmed: at, ...(exchange === undefined ? {} : { exchange }) });
    },
    told(webhook, event) {
      const known = event.status === 'announcement' ? undefined : find(incidentId(event));
      if (known === undefined || known.told.length >= MOST_TOLD) return;
      keep({ ...known, told: [...known.told, { webhook, status: event.status, at: wall() }] });
    },
    of(target, most) {
      const stored = history.incidents(most, target);
      if (stored.length > 0) return stored;
      return [...remembered.values()]
        .filter((incident) => incident.target === target)
        .reverse()
        .slice(0, most);
    },
  };
}
