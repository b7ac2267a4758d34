import type { Clock } from '../clock.ts';
import type { AlertEvent } from './event.ts';
import type { AlertLedger, Pending } from './ledger.ts';
import type { Delivery, Webhook } from './webhook.ts';

export type PostmanOptions = {
  readonly clock: Clock;
  readonly ledger: AlertLedger;
  readonly webhooks: () => readonly Webhook[];
  /** Sends once; returns what went wrong, or undefined. */
  readonly deliver: (webhook: Webhook, delivery: Delivery, now: number) => Promise<string | undefined>;
  readonly onDelivered: (webhook: string, event: AlertEvent) => void;
  readonly onFailed: (webhook: string, problem: string) => void;
};

export type Postman = {
  /** Goes through the outbox once; resolves when everything due has been tried. */
  round(): Promise<void>;
};

const FIRST_PAUSE = 5_000;
const LONGEST_PAUSE = 600_000;

/** Milliseconds until the next attempt: doubling from five seconds to ten minutes. */
export function pauseAfter(attempts: number): number {
  return Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** Math.max(0, attempts - 1));
}

/**
 * Delivers events from the outbox to the webhooks until each has been accepted: at least once, in order for each webhook, without giving
 * up.
 */
export function createPostman(options: PostmanOptions): Postman {
  const { clock, ledger, deliver, onDelivered, onFailed } = options;
  const busy = new Set<string>();

  async function attempt(webhook: Webhook, pending: Pending): Promise<boolean> {
    const problem = await deliver(webhook, pending, clock.wall());
    if (problem === undefined) {
      ledger.settle(pending);
      onDelivered(webhook.name, pending.event);
      return true;
    }
    pending.attempts += 1;
    pending.nextAt = clock.wall() + pauseAfter(pending.attempts);
    ledger.postpone(pending);
    onFailed(webhook.name, problem);
    return false;
  }

  async function serve(webhook: Webhook): Promise<void> {
    if (busy.has(webhook.name)) return;
    busy.add(webhook.name);
    try {
      const mine = ledger.pending().filter((pending) => pending.webhook === webhook.name);
      for (const pending of mine) {
        // "Resolved" must not overtake "firing"; a clock that was set back must not delay a message for longer than a pause.
        const wait = pending.nextAt - clock.wall();
        if (wait > 0 && wait <= LONGEST_PAUSE) return;
        if (!(await attempt(webhook, pending))) return;
      }
    } finally {
      busy.delete(webhook.name);
    }
  }

  return {
    async round() {
      const webhooks = options.webhooks();
      const known = new Set(webhooks.map(({ name }) => name));
      // A webhook that is no longer configured will never accept its events.
      for (const pending of ledger.pending()) if (!known.has(pending.webhook)) ledger.settle(pending);
      await Promise.all(webhooks.map(serve));
    },
  };
}
