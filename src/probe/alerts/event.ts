import type { Sample } from '../sample.ts';
import { daysToRemoval, isAnnouncementDue, PLANNED_REMOVAL } from './removal.ts';
import { advance, type TargetState } from './target-state.ts';

/** What is told to the outside, in this shape: part of what others rely on. */
export type AlertEvent = {
  readonly version: 1;
  /** The same for the firing and the resolved event of one incident; differs between incidents. */
  readonly dedupId: string;
  readonly status: 'firing' | 'resolved' | 'announcement';
  readonly target: string;
  readonly clause: string | null;
  readonly reason: string | null;
  readonly summary: string;
  /** ISO 8601 in UTC: the first failure of the incident. */
  readonly since: string;
  readonly at: string;
  /** Among the last samples when the event arose. */
  readonly failures: number;
  readonly total: number;
  readonly link: string | null;
};

export type Reaction = { readonly state: TargetState; readonly events: readonly AlertEvent[] };

const iso = (milliseconds: number): string => new Date(milliseconds).toISOString();

function announcement(sample: Sample, link: string | null): AlertEvent {
  const { operation, date, clause, replacement } = PLANNED_REMOVAL;
  const days = daysToRemoval(sample.at);
  const when = days > 0 ? `in ${days} ${days === 1 ? 'day' : 'days'}, on ${date}` : `since ${date}`;
  return {
    version: 1,
    dedupId: `${sample.target}/removal/${operation}/${date}`,
    status: 'announcement',
    target: sample.target,
    clause,
    reason: null,
    summary: `${operation} is planned to be gone ${when}; its replacement is ${replacement}`,
    since: iso(sample.at),
    at: iso(sample.at),
    failures: 0,
    total: 0,
    link,
  };
}

function incidentEvent(status: 'firing' | 'resolved', sample: Sample, context: { state: TargetState; link: string | null }): AlertEvent {
  const { state, link } = context;
  return {
    version: 1,
    dedupId: state.incident ?? sample.target,
    status,
    target: sample.target,
    clause: sample.clause ?? null,
    reason: sample.reason ?? null,
    summary: status === 'firing' ? sample.note : `${sample.target} answers as it should again`,
    since: iso(state.downSince ?? sample.at),
    at: iso(sample.at),
    failures: state.window.filter(Boolean).length,
    total: state.window.length,
    link,
  };
}

/** What a sample makes of a target's state, and what has to be told: a pure function. */
export function reactTo(before: TargetState, sample: Sample, options: { link: string | null }): Reaction {
  const { state, change } = advance(before, sample);
  const events: AlertEvent[] = [];
  if (change === 'went-down') events.push(incidentEvent('firing', sample, { state, ...options }));
  // The incident that ends is in the state before.
  if (change === 'came-up')
    events.push(incidentEvent('resolved', sample, { state: { ...before, window: [...before.window, false] }, ...options }));
  if (!isAnnouncementDue(state.announced, sample.at)) return { state, events };
  events.push(announcement(sample, options.link));
  return { state: { ...state, announced: [...state.announced, PLANNED_REMOVAL.date] }, events };
}
