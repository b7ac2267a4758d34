import { shorten } from '../../report/text.ts';
import { type Change, clauseOf, describeChange, keyOf } from '../changes/change.ts';
import type { Sample } from '../sample.ts';
import { iso } from '../text.ts';
import { type CommonCause, summaryOf } from './cause.ts';
import { daysToRemoval, isAnnouncementDue, PLANNED_REMOVAL } from './removal.ts';
import { type AlertRule, advance, failuresIn, type Held, isUnknown, outageOf, type TargetState } from './target-state.ts';

export const EVENT_STATUSES = ['firing', 'resolved', 'announcement'] as const;

/** An alert as webhooks get it: its shape is part of what others rely on. */
export type AlertEvent = {
  readonly version: 1;
  /** The same for the firing and the resolved event of one incident, and from all replicas; `since` distinguishes incidents of a target. */
  readonly dedupId: string;
  readonly status: (typeof EVENT_STATUSES)[number];
  /** Null for an alert of the probe, about many targets. */
  readonly target: string | null;
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
  /** The first hundred of many targets that share a cause; `failures` of `total` do. */
  readonly targets?: readonly string[];
};

export function subjectOf({ target }: Pick<AlertEvent, 'target'>): string {
  return target ?? 'the probe';
}

/** A problem of the probe is not an outage: it is for those who run the probe. */
export function isOfProbe({ reason }: Pick<AlertEvent, 'reason'>): boolean {
  return reason === 'internal';
}

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

export type OtherTargets = {
  /** So many fail for the same cause that it is not the target's. */
  readonly isCommon: boolean;
  /** Whether it would be, if those failed that have had no run since a run of the target: the one at that moment of the wall clock. */
  readonly mayBeCommon: (since: number) => boolean;
};

export type RunContext = {
  readonly link: string | null;
  readonly rule: AlertRule;
  /** Undefined if the run has a cause of its own. */
  readonly otherTargets?: OtherTargets | undefined;
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

type EventContext = RunContext & { readonly state: TargetState };

/** `summary` comes in addition to the clause. */
function incidentEvent(
  { status, summary }: Pick<AlertEvent, 'status' | 'summary'>,
  { target, at }: Pick<Sample, 'target' | 'at'>,
  { state, link, rule }: EventContext,
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

function firingEvent(sample: Sample, context: EventContext): AlertEvent {
  return incidentEvent({ status: 'firing', summary: context.state.outage?.note ?? sample.note }, sample, context);
}

/** The probe itself has had no result for a long time: the target may be fine or not, and nobody is watching it. */
function unknownEvent(
  { status, summary }: Pick<AlertEvent, 'status' | 'summary'>,
  { target, at }: Pick<Sample, 'target' | 'at'>,
  { state, link }: Pick<EventContext, 'state' | 'link'>,
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
  return `nothing is known about ${target} for ${unknown?.runs ?? 0} runs, by the probe's own fault`;
}

function goneUnknownEvent(sample: Sample, context: EventContext): AlertEvent {
  const summary = `${unknownSummary(sample.target, context.state)}: ${sample.note}`;
  return unknownEvent({ status: 'firing', summary }, sample, context);
}

/** Whether nothing is sent yet of what began at that time: in a maintenance window, and of what others share, or may share. */
function holdOf({ maintenance }: Sample, since: number, { otherTargets }: RunContext): Held | undefined {
  if (maintenance !== undefined || otherTargets?.isCommon === true) return true;
  return otherTargets?.mayBeCommon(since) === true ? 'unclear' : undefined;
}

function held<Kept extends object>(kept: Kept, hold: Held | undefined): Kept & { readonly held?: Held } {
  return hold === undefined ? kept : { ...kept, held: hold };
}

/** What begins with this run is sent, or held. */
function sendOrHold(change: 'went-down' | 'went-unknown', state: TargetState, sample: Sample, runContext: RunContext): Reaction {
  const context = { ...runContext, state };
  if (change === 'went-unknown') {
    const { unknown } = state;
    const hold = holdOf(sample, unknown?.since ?? sample.at, runContext);
    if (hold === undefined || unknown === undefined) return { state, events: [goneUnknownEvent(sample, context)] };
    return { state: { ...state, unknown: held(unknown, hold) }, events: [] };
  }
  const { outage } = state;
  const hold = holdOf(sample, state.downSince ?? sample.at, runContext);
  if (hold === undefined || outage === undefined) return { state, events: [firingEvent(sample, context)] };
  return { state: { ...state, outage: held(outage, hold) }, events: [] };
}

/** The end of what was sent; of what was too short for it to be clear that it is the target's own, both. */
function endAlert(change: 'came-up' | 'known-again', before: TargetState, sample: Sample, runContext: RunContext): readonly AlertEvent[] {
  const { target } = sample;
  const context = { ...runContext, state: before };
  if (change === 'known-again')
    return before.unknown?.held === undefined
      ? [unknownEvent({ status: 'resolved', summary: `${target} is judged again` }, sample, context)]
      : [];
  if (before.outage?.held === true) return [];
  const state = { ...before, window: [...before.window, false] };
  const resolved = incidentEvent({ status: 'resolved', summary: `${target} is healthy again` }, sample, { ...runContext, state });
  return [...(before.outage?.held === 'unclear' ? [firingEvent(sample, context)] : []), resolved];
}

/** Alerts that are sent later than their incident began: of what still fails after a maintenance window, and of what is the target's own after all. */
function alertLater(state: TargetState, sample: Sample, runContext: RunContext): Reaction {
  const { outage, unknown } = state;
  if (unknown?.held !== undefined) {
    if (holdOf(sample, unknown.since, runContext) !== undefined) return { state, events: [] };
    const { held: _held, ...known } = unknown;
    const next = { ...state, unknown: known };
    return { state: next, events: [goneUnknownEvent(sample, { ...runContext, state: next })] };
  }
  const isDue = sample.verdict === 'fail' || (outage?.held === 'unclear' && sample.verdict !== 'unknown');
  if (outage?.held === undefined || !isDue || holdOf(sample, state.downSince ?? sample.at, runContext) !== undefined)
    return { state, events: [] };
  const { held: _held, ...kept } = outage;
  // What was common may be over, and something else be broken.
  const isOther = sample.verdict === 'fail' && (sample.reason ?? null) !== outage.reason;
  const next = { ...state, outage: isOther ? outageOf(sample, runContext.rule) : kept };
  return { state: next, events: [firingEvent(sample, { ...runContext, state: next })] };
}

/** A pure function. */
export function reactTo(before: TargetState, sample: Sample, runContext: RunContext): Reaction {
  const { state: next, changes } = advance(before, sample, runContext.rule);
  let reaction: Reaction = changes.length === 0 ? alertLater(next, sample, runContext) : { state: next, events: [] };
  for (const change of changes) {
    const { state, events } =
      change === 'went-down' || change === 'went-unknown'
        ? sendOrHold(change, reaction.state, sample, runContext)
        : { state: reaction.state, events: endAlert(change, before, sample, runContext) };
    reaction = { state, events: [...reaction.events, ...events] };
  }
  if (!isAnnouncementDue(reaction.state.announced, sample.at)) return reaction;
  return {
    state: { ...reaction.state, announced: [...reaction.state.announced, PLANNED_REMOVAL.date] },
    events: [...reaction.events, announcement(sample, runContext.link)],
  };
}

/** Something other than a run that is told about open alerts. */
export type AlertUpdate = Pick<AlertEvent, 'status'> &
  Pick<Sample, 'target' | 'at'> & {
    /** That of the alert by default. */
    readonly summary?: string;
  };

/** Names in an event: a configuration may have thousands. */
const MOST_LISTED = 100;

/** The event of an alert about a cause that many targets share. */
export function causeEvent(
  common: CommonCause,
  {
    status,
    at,
    link,
    summary = summaryOf(common),
  }: Pick<AlertEvent, 'status' | 'link'> & { readonly at: number; readonly summary?: string },
): AlertEvent {
  const { cause, since, dedupId, targets, of } = common;
  return {
    version: 1,
    dedupId,
    status,
    target: null,
    clause: null,
    reason: cause,
    summary,
    condition: null,
    since: iso(since),
    at: iso(at),
    failures: targets.length,
    total: of,
    link,
    targets: targets.slice(0, MOST_LISTED),
  };
}

/** One event for each alert of a target that was sent and has not ended: a pure function. */
export function eventsOfOpen(state: TargetState, { status, summary, ...run }: AlertUpdate, runContext: RunContext): readonly AlertEvent[] {
  const context = { ...runContext, state };
  const { health, outage, unknown } = state;
  const down = incidentEvent({ status, summary: summary ?? outage?.note ?? '' }, run, context);
  const unwatched = unknownEvent({ status, summary: summary ?? unknownSummary(run.target, state) }, run, context);
  return [
    ...(health === 'down' && outage?.held === undefined ? [down] : []),
    ...(isUnknown(state) && unknown?.held === undefined ? [unwatched] : []),
    ...(state.common === undefined
      ? []
      : [causeEvent(state.common, { status, at: run.at, link: runContext.link, ...(summary === undefined ? {} : { summary }) })]),
  ];
}

/** The event for a change, if the configuration lists its kind: it has no end, so no resolved event follows. */
export function alertOf(change: Change, { link }: { readonly link: string | null }): AlertEvent {
  const since = iso(change.since);
  return {
    version: 1,
    // Replicas see a change at different times: `since` tells changes of one thing apart, as it does incidents of a target.
    dedupId: `${change.target}/change/${keyOf(change)}`,
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
