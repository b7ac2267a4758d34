// What a new configuration does to open alerts: they end where nobody watches their target any more, or another rule applies, and new webhooks are told.

import { TARGET_DEFAULTS, type Target } from '../target.ts';
import type { AlertStore } from './alert-store.ts';
import { type AlertEvent, eventsOfOpen } from './event.ts';
import { type AlertRule, applyRule, type TargetState } from './target-state.ts';
import { takes, type Webhook } from './webhook.ts';

/** The rule of an incident, whatever the configuration now says. */
function ruleOf({ outage }: TargetState): AlertRule {
  return outage?.rule ?? TARGET_DEFAULTS.alertRule;
}

export type EndingOptions = {
  readonly name: string;
  /** Undefined: the configuration has no such target. */
  readonly target: Pick<Target, 'alertRule'> | undefined;
  readonly schedule: boolean;
  /** Wall clock in milliseconds. */
  readonly at: number;
  readonly link: string | null;
};

export type Ending = { readonly state: TargetState | undefined; readonly events: readonly AlertEvent[] };

/** The state of a target by the current configuration, and the alerts that this ends; undefined if it changes nothing. A pure function. */
export function endingOf(state: TargetState, { name, target, schedule, at, link }: EndingOptions): Ending | undefined {
  const occasion = { status: 'resolved', target: name, at } as const;
  if (target === undefined || !schedule) {
    const why = target === undefined ? 'the configuration no longer has it' : 'the configuration no longer schedules runs';
    const summary = `${name} is no longer watched: ${why}`;
    return { state: undefined, events: eventsOfOpen(state, { ...occasion, summary }, { link: null, rule: ruleOf(state) }) };
  }
  const { alertRule } = target;
  const next = applyRule(state, alertRule);
  if (next === state) return undefined;
  if (next.health === 'down') return { state: next, events: [] };
  const { unknown: _unknown, ...known } = state;
  const summary = `by its new downAfter (${alertRule.failures} of ${alertRule.window}), ${name} is not down`;
  return { state: next, events: eventsOfOpen(known, { ...occasion, summary }, { link, rule: alertRule }) };
}

export type NewWebhookNotifierParts = {
  readonly alertStore: Pick<AlertStore, 'enqueue' | 'state' | 'targets'>;
  readonly webhooks: () => readonly Webhook[];
  readonly linkTo: (target: string) => string | null;
  /** Wall clock in milliseconds. */
  readonly wall: () => number;
  readonly onEvent: (webhook: string, event: AlertEvent) => void;
};

/** Undefined while its file can't be read. */
function addressOf({ url }: Webhook): string | undefined {
  try {
    return url();
  } catch {
    return undefined;
  }
}

/** A function that tells webhooks with a new name or address of the open alerts; at the first call, all are known from the process before. */
export function createNewWebhookNotifier({ alertStore, webhooks, linkTo, wall, onEvent }: NewWebhookNotifierParts): () => void {
  let known: ReadonlyMap<string, string | undefined> | undefined;

  function tell(webhook: Webhook): void {
    const events = alertStore.targets().flatMap((target) => {
      const state = alertStore.state(target);
      return eventsOfOpen(state, { status: 'firing', target, at: wall() }, { link: linkTo(target), rule: ruleOf(state) });
    });
    const taken = events.filter((event) => takes(webhook, event));
    // An address may get the end of an incident more than once, with an id of its own each time.
    const announced = taken.map((event) => ({ id: [event.dedupId, event.since, event.status, event.at].join('/'), event }));
    alertStore.enqueue(announced, { webhook: webhook.name, at: wall() });
    for (const event of taken) onEvent(webhook.name, event);
  }

  return () => {
    const before = known;
    const now = new Map(webhooks().map((webhook) => [webhook.name, addressOf(webhook) ?? before?.get(webhook.name)]));
    known = now;
    if (before === undefined) return;
    for (const webhook of webhooks()) if (now.get(webhook.name) !== before.get(webhook.name)) tell(webhook);
  };
}
