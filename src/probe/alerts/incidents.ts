import type { History } from '../history/history.ts';
import type { Sample } from '../sample.ts';
import type { AlertEvent } from './event.ts';
import { type Incident, incidentId, incidentOf } from './incident.ts';

/** The number of incidents kept without a history. */
const MOST_REMEMBERED = 200;
/** The number of accepted deliveries kept per incident. */
const MOST_TOLD = 20;

export type IncidentsParts = {
  readonly history: Pick<History, 'keepIncident' | 'incident' | 'incidents' | 'onSetAside'>;
  /** Wall clock, milliseconds. */
  readonly wall: () => number;
};

/** The timelines of incidents, kept across restarts if there is a history. */
export type Incidents = {
  /** Continues the incident that an event of this run belongs to. */
  take(event: AlertEvent, sample: Pick<Sample, 'failures'>): void;
  /** A webhook accepted the event. */
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
      if (event.status === 'announcement' || event.reminder !== undefined) return;
      const at = Date.parse(event.at);
      const known = find(incidentId(event)) ?? incidentOf(event);
      if (event.status === 'resolved') return keep({ ...known, mended: at });
      if (event.acknowledged !== undefined) return keep({ ...known, acknowledged: { ...event.acknowledged, at } });
      const exchange = failures.find(({ clause }) => clause === event.clause)?.exchange;
      keep({ ...known, confirmed: at, ...(exchange === undefined ? {} : { exchange }) });
    },
    told(webhook, event) {
      const known = event.status === 'announcement' || event.reminder !== undefined ? undefined : find(incidentId(event));
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
