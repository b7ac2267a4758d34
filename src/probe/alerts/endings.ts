// Alerts that end without a recovery: nobody watches their target any more, another rule applies, or their receiver is replaced.

import { secretPartsOf } from '../../secrets/secret.ts';
import { TARGET_DEFAULTS, type Target } from '../target.ts';
import { iso } from '../text.ts';
import { type AlertEvent, eventsOfOpen } from './event.ts';
import type { AlertLedger } from './ledger.ts';
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

export type ReceiversParts = {
  readonly ledger: Pick<AlertLedger, 'pending' | 'enqueue' | 'state' | 'targets'>;
  readonly webhooks: () => readonly Webhook[];
  readonly linkTo: (target: string) => string | null;
  /** Wall clock in milliseconds. */
  readonly wall: () => number;
  readonly onEvent: (webhook: string, event: AlertEvent) => void;
};

/** The addresses of webhooks: those that leave learn that their open alerts end, and those that come, of the open alerts. */
export type Receivers = {
  /** Tells addresses that are no longer configured. */
  dismiss(): void;
  /** Tells new addresses; at the first call, all are known from the process before. */
  welcome(): void;
  leaving(): readonly Webhook[];
  addressParts(): readonly string[];
};

function addressOf({ url }: Webhook): string | undefined {
  try {
    return url();
  } catch {
    return undefined;
  }
}

export function createReceivers({ ledger, webhooks, linkTo, wall, onEvent }: ReceiversParts): Receivers {
  const known = new Map<string, { readonly webhook: Webhook; readonly address: string }>();
  let isFirst = true;
  let leaving: readonly Webhook[] = [];

  function open(make: (target: string) => Pick<AlertEvent, 'status'> & { readonly summary?: string }) {
    return ledger.targets().flatMap((target) => {
      const state = ledger.state(target);
      return eventsOfOpen(state, { ...make(target), target, at: wall() }, { link: linkTo(target), rule: ruleOf(state) });
    });
  }

  function tell(to: Webhook, given: readonly AlertEvent[]): void {
    const [webhook, events] = [to.name, given.filter((event) => takes(to, event))];
    // The same incident may end at an address, begin there again, and end: an id of its own for each.
    const told = events.map((event) => ({ id: [event.dedupId, event.since, event.status, event.at].join('/'), event }));
    ledger.enqueue(told, { webhook, at: wall() });
    for (const event of events) onEvent(webhook, event);
  }

  function retire({ webhook, address }: { readonly webhook: Webhook; readonly address: string }, why: string): void {
    const name = `${webhook.name} (until ${iso(wall())})`;
    const owed = ledger.pending().filter((pending) => pending.webhook === webhook.name && pending.event.status === 'resolved');
    ledger.enqueue(owed, { webhook: name, at: wall() });
    tell(
      { ...webhook, name },
      open((target) => ({ status: 'resolved', summary: `alerts about ${target} are no longer sent here: ${why}` })),
    );
    leaving = [...leaving, { ...webhook, name, url: () => address }];
  }

  return {
    dismiss() {
      const current = new Map(webhooks().map((webhook) => [webhook.name, webhook]));
      for (const [name, last] of known) {
        const webhook = current.get(name);
        const address = webhook === undefined ? undefined : addressOf(webhook);
        // While a file is being replaced, the address is unknown and not another one.
        if (webhook !== undefined && (address === undefined || address === last.address)) continue;
        known.delete(name);
        retire(last, webhook === undefined ? `the webhook ${name} was removed` : `the webhook ${name} has another address`);
      }
      const waiting = new Set(ledger.pending().map(({ webhook }) => webhook));
      leaving = leaving.filter(({ name }) => waiting.has(name));
    },
    welcome() {
      for (const webhook of webhooks()) {
        const address = addressOf(webhook);
        if (address === undefined) continue;
        const isNew = !isFirst && !known.has(webhook.name);
        known.set(webhook.name, { webhook, address });
        if (!isNew) continue;
        tell(
          webhook,
          open(() => ({ status: 'firing' })),
        );
      }
      isFirst = false;
    },
    leaving: () => leaving,
    addressParts: () => leaving.flatMap(({ url }) => secretPartsOf(url())),
  };
}
