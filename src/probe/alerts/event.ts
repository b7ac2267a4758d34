import { shorten } from '../../report/text.ts';
import { type Change, clauseOf, describeChange, keyOf } from '../changes/change.ts';
import type { Sample } from '../sample.ts';
import { iso } from '../text.ts';
import { daysToRemoval, isAnnouncementDue, PLANNED_REMOVAL } from './removal.ts';
import { type AlertRule, advance, failuresIn, isUnknown, type StateChange, type TargetState } from './target-state.ts';

export const EVENT_STATUSES = ['firing', 'resolved', 'announcement'] as const;

/** An alert as webhooks get it: its shape is part of what others rely on. */
export type AlertEvent = {
  readonly version: 1;
  /** The same for the firing and the resolved event of one incident, and from all replicas; `since` distinguishes incidents of a target. */
  readonly dedupId: string;
  readonly status: (typeof EVENT_STATUSES)[number];
  readonly target: string;
  readonly clause: string | null;
  readonly reason: string | null;
  readonly summary: string;
  /** When the clause is broken, if the run shows it: `only with limit=100`. */
  readonly condition: string | null;
  /** ISO 8601 in UTC: the first failure of the incident. */
  readonly since: string;
  readonly at: string;
  /** Failures among the last samples when the event arose. */
  readonly failures: number;
  readonly total: number;
  readonly link: string | null;
};

/** Characters: a service chooses the length of its texts. */
const LONGEST_SUMMARY = 1_000;

/** What is wrong, in one line: the clause and the reason first, since both are short. */
export function sentenceOf({ summary, clause, reason }: Pick<AlertEvent, 'summary' | 'clause' | 'reason'>): string {
  const about = [clause, reason].filter((one) => one !== null).join(', ');
  const text = about === '' ? summary : `${about}: ${summary}`;
  return shorten(text, LONGEST_SUMMARY);
}

/** The id of an event, the same in all attempts and across restarts. */
export function eventId({ dedupId, since, status }: AlertEvent): string {
  return [dedupId, since, status].join('/');
}

export type Circumstances = {
  readonly link: string | null;
  readonly rule: AlertRule;
};

export type Reaction = { readonly state: TargetState; readonly events: readonly AlertEvent[] };

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
    condition: null,
    since: iso(sample.at),
    at: iso(sample.at),
    failures: 0,
    total: 0,
    link,
  };
}

type Context = Circumstances & { readonly state: TargetState };

/** `summary` comes in addition to the clause. */
function incidentEvent(
  { status, summary }: Pick<AlertEvent, 'status' | 'summary'>,
  { target, at }: Pick<Sample, 'target' | 'at'>,
  { state, link, rule }: Context,
): AlertEvent {
  const window = failuresIn(state.window, rule);
  return {
    version: 1,
    dedupId: state.incident ?? target,
    status,
    target,
    clause: state.outage?.clause ?? null,
    reason: state.outage?.reason ?? null,
    summary,
    condition: state.outage?.condition ?? null,
    since: iso(state.downSince ?? at),
    at: iso(at),
    failures: window.filter(Boolean).length,
    total: window.length,
    link,
  };
}

function firingEvent(sample: Sample, context: Context): AlertEvent {
  return incidentEvent({ status: 'firing', summary: context.state.outage?.note ?? sample.note }, sample, context);
}

/** The probe itself has had no result for a long time: the target may be fine or not, and nobody is watching it. */
function unknownEvent(
  { status, summary }: Pick<AlertEvent, 'status' | 'summary'>,
  { target, at }: Pick<Sample, 'target' | 'at'>,
  { state, link }: Pick<Context, 'state' | 'link'>,
): AlertEvent {
  const { runs = 0, since = at } = state.unknown ?? {};
  return {
    version: 1,
    dedupId: `${target}/unknown/${iso(since)}`,
    status,
    target,
    clause: null,
    reason: 'internal',
    summary,
    condition: null,
    since: iso(since),
    at: iso(at),
    failures: 0,
    total: runs,
    link,
  };
}

function unknownSummary(target: string, { unknown }: TargetState): string {
  return `nothing is known about ${target} since ${unknown?.runs ?? 0} runs, by the probe's own fault`;
}

function goneUnknownEvent(sample: Sample, context: Context): AlertEvent {
  const summary = `${unknownSummary(sample.target, context.state)}: ${sample.note}`;
  return unknownEvent({ status: 'firing', summary }, sample, context);
}

function eventOf(change: StateChange, sample: Sample, { before, ...context }: Context & { readonly before: TargetState }): AlertEvent {
  switch (change) {
    case 'went-down':
      return firingEvent(sample, context);
    case 'came-up':
      // The incident that ends is in the previous state.
      return incidentEvent({ status: 'resolved', summary: `${sample.target} is healthy again` }, sample, {
        ...context,
        state: { ...before, window: [...before.window, false] },
      });
    case 'went-unknown':
      return goneUnknownEvent(sample, context);
    case 'known-again':
      return unknownEvent({ status: 'resolved', summary: `${sample.target} is judged again` }, sample, { ...context, state: before });
    default:
      return change satisfies never;
  }
}

/** Whether no alert is sent: for what begins in a maintenance window, and for the end of what was not alerted. */
function isHeld(change: StateChange, { maintenance }: Sample, before: TargetState): boolean {
  switch (change) {
    case 'went-down':
    case 'went-unknown':
      return maintenance !== undefined;
    case 'came-up':
      return before.outage?.held === true;
    case 'known-again':
      return before.unknown?.held === true;
    default:
      return change satisfies never;
  }
}

function markHeld(state: TargetState, changes: readonly StateChange[], { maintenance }: Sample): TargetState {
  const { outage, unknown } = state;
  if (maintenance === undefined) return state;
  return {
    ...state,
    ...(changes.includes('went-down') && outage !== undefined ? { outage: { ...outage, held: true } } : {}),
    ...(changes.includes('went-unknown') && unknown !== undefined ? { unknown: { ...unknown, held: true } } : {}),
  };
}

/** Alerts that are sent later than their incident began: of what still fails after a maintenance window. */
function alertLater(state: TargetState, sample: Sample, circumstances: Circumstances): Reaction {
  const { outage, unknown } = state;
  const context = { ...circumstances, state };
  if (sample.maintenance !== undefined) return { state, events: [] };
  if (unknown?.held === true) {
    const { held: _held, ...known } = unknown;
    return { state: { ...state, unknown: known }, events: [goneUnknownEvent(sample, context)] };
  }
  if (outage?.held !== true || sample.verdict !== 'fail') return { state, events: [] };
  const { held: _held, ...kept } = outage;
  return { state: { ...state, outage: kept }, events: [firingEvent(sample, context)] };
}

/** A pure function. */
export function reactTo(before: TargetState, sample: Sample, circumstances: Circumstances): Reaction {
  const { state: next, changes } = advance(before, sample, circumstances.rule);
  const alerted = changes.filter((change) => !isHeld(change, sample, before));
  const events = alerted.map((change) => eventOf(change, sample, { before, state: next, ...circumstances }));
  const later = changes.length > 0 ? { state: markHeld(next, changes, sample), events } : alertLater(next, sample, circumstances);
  if (!isAnnouncementDue(later.state.announced, sample.at)) return later;
  return {
    state: { ...later.state, announced: [...later.state.announced, PLANNED_REMOVAL.date] },
    events: [...later.events, announcement(sample, circumstances.link)],
  };
}

/** Something other than a run that is told about open alerts. */
export type Occasion = Pick<AlertEvent, 'status'> &
  Pick<Sample, 'target' | 'at'> & {
    /** That of the alert by default. */
    readonly summary?: string;
  };

/** One event for each alert of a target that was sent and has not ended: a pure function. */
export function eventsOfOpen(
  state: TargetState,
  { status, summary, ...run }: Occasion,
  circumstances: Circumstances,
): readonly AlertEvent[] {
  const context = { ...circumstances, state };
  const { health, outage, unknown } = state;
  const down = incidentEvent({ status, summary: summary ?? outage?.note ?? '' }, run, context);
  const unwatched = unknownEvent({ status, summary: summary ?? unknownSummary(run.target, state) }, run, context);
  return [
    ...(health === 'down' && outage?.held !== true ? [down] : []),
    ...(isUnknown(state) && unknown?.held !== true ? [unwatched] : []),
  ];
}

/** The event for a change, if the configuration lists its kind: it has no end, so no resolved event follows. */
export function alertOf(change: Change, { link }: { readonly link: string | null }): AlertEvent {
  const since = iso(change.since);
  return {
    version: 1,
    dedupId: `${change.target}/change/${keyOf(change)}/${since}`,
    status: 'announcement',
    target: change.target,
    clause: clauseOf(change) ?? null,
    reason: null,
    summary: describeChange(change),
    condition: null,
    since,
    at: iso(change.at),
    failures: 0,
    total: 0,
    link,
  };
}
