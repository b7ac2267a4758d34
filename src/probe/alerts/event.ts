import type { Sample } from '../sample.ts';
import { daysToRemoval, isAnnouncementDue, PLANNED_REMOVAL } from './removal.ts';
import { advance, type Change, type TargetState } from './target-state.ts';

/** What is told to the outside, in this shape: part of what others rely on. */
export type AlertEvent = {
  readonly version: 1;
  /** The same for the firing and the resolved event of one incident, and from all replicas; `since` tells incidents of a target apart. */
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
    summary: `${operation} is scheduled for removal ${when}; its replacement is ${replacement}`,
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
    summary: status === 'firing' ? sample.note : `${sample.target} is healthy again`,
    since: iso(state.downSince ?? sample.at),
    at: iso(sample.at),
    failures: state.window.filter(Boolean).length,
    total: state.window.length,
    link,
  };
}

/** The probe itself has come to nothing for long: the target may be well or not, and nobody is watching it. */
function unknownEvent(status: 'firing' | 'resolved', sample: Sample, context: { state: TargetState; link: string | null }): AlertEvent {
  const { runs = 0, since = sample.at } = context.state.unknown ?? {};
  return {
    version: 1,
    dedupId: `${sample.target}/unknown/${iso(since)}`,
    status,
    target: sample.target,
    clause: null,
    reason: 'internal',
    summary:
      status === 'firing'
        ? `nothing is known about ${sample.target} since ${runs} runs, by the probe's own fault: ${sample.note}`
        : `${sample.target} is judged again`,
    since: iso(since),
    at: iso(sample.at),
    failures: 0,
    total: runs,
    link: context.link,
  };
}

function eventOf(
  change: Change,
  sample: Sample,
  { before, state, link }: { before: TargetState; state: TargetState; link: string | null },
) {
  switch (change) {
    case 'went-down':
      return incidentEvent('firing', sample, { state, link });
    case 'came-up':
      // The incident that ends is in the state before.
      return incidentEvent('resolved', sample, { state: { ...before, window: [...before.window, false] }, link });
    case 'went-unknown':
      return unknownEvent('firing', sample, { state, link });
    case 'known-again':
      return unknownEvent('resolved', sample, { state: before, link });
    default:
      return change satisfies never;
  }
}

/** What a sample makes of a target's state, and what has to be told: a pure function. */
export function reactTo(before: TargetState, sample: Sample, options: { link: string | null }): Reaction {
  const { state, changes } = advance(before, sample);
  const events = changes.map((change) => eventOf(change, sample, { before, state, ...options }));
  if (!isAnnouncementDue(state.announced, sample.at)) return { state, events };
  events.push(announcement(sample, options.link));
  return { state: { ...state, announced: [...state.announced, PLANNED_REMOVAL.date] }, events };
}
