// How events reach webhooks: the formats of receivers, and attempts until each has accepted.

import { createHmac } from 'node:crypto';
import { post } from '../../wire/post.ts';
import { explainTransport } from '../../wire/transport-failure.ts';
import type { Clock } from '../clock.ts';
import type { AlertStore, Pending } from './alert-store.ts';
import { type AlertEvent, isOfProbe, subjectOf } from './event.ts';

export type WebhookFormat = 'json' | 'slack';

/** Where something is sent. URL and secret are read at each use: files that contain them may be rotated. */
export type Receiver = {
  readonly name: string;
  /** A login in it is sent as Basic authorization. */
  readonly url: () => string;
  readonly proxyFor: (address: string) => string | undefined;
};

export type Webhook = Receiver & {
  readonly format: WebhookFormat;
  readonly secret: () => string | undefined;
  /** What it gets: outages of targets, or problems of the probe; undefined: both. */
  readonly about: WebhookSubject | undefined;
};

export type WebhookSubject = 'targets' | 'probe';

export function takes({ about }: Pick<Webhook, 'about'>, event: Pick<AlertEvent, 'reason'>): boolean {
  return about === undefined || about === (isOfProbe(event) ? 'probe' : 'targets');
}

/** Milliseconds. */
export const PATIENCE = 10_000;
const MARKS: Readonly<Record<AlertEvent['status'], string>> = {
  firing: ':red_circle:',
  resolved: ':large_green_circle:',
  announcement: ':calendar:',
};

const escapeSlack = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** The event in the format of Slack (and compatible services): texts of the service can't mention people or create links. */
export function slackBody(event: AlertEvent): string {
  const clause = event.clause === null ? '' : ` (${event.clause}${event.reason === null ? '' : `, ${event.reason}`})`;
  const condition = event.condition === null ? '' : `, ${event.condition}`;
  const count =
    event.status === 'firing' && event.failures > 0 && event.target !== null
      ? ` ${event.failures} of ${event.total} runs failed since ${event.since}.`
      : '';
  const link = event.link === null ? '' : ` <${encodeURI(event.link)}|status>`;
  const text = `${MARKS[event.status]} *${escapeSlack(subjectOf(event))}* ${event.status}: ${escapeSlack(event.summary)}${escapeSlack(`${condition}${clause}`)}.${count}${link}`;
  return JSON.stringify({ text });
}

/** The key bytes of a secret: `whsec_` and Base64 as in Standard Webhooks, or the text itself. */
function keyOf(secret: string): Buffer {
  return secret.startsWith('whsec_') ? Buffer.from(secret.slice('whsec_'.length), 'base64') : Buffer.from(secret, 'utf8');
}

export type Delivery = {
  /** The same in every attempt for one event: receivers drop duplicates. */
  readonly id: string;
  readonly event: AlertEvent;
};

/** The headers of Standard Webhooks (standardwebhooks.com): HMAC-SHA256 over id, time, and body. */
export function signatureHeaders(
  { id, body }: { readonly id: string; readonly body: string },
  options: { secret: string | undefined; seconds: number },
): Record<string, string> {
  const timestamp = String(Math.floor(options.seconds));
  const base = { 'webhook-id': id, 'webhook-timestamp': timestamp };
  if (options.secret === undefined) return base;
  const signature = createHmac('sha256', keyOf(options.secret)).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { ...base, 'webhook-signature': `v1,${signature}` };
}

/** Sends one event once; returns what went wrong, or undefined. Never rejects. */
export async function deliver(webhook: Webhook, delivery: Delivery, now: number, patience = PATIENCE): Promise<string | undefined> {
  try {
    const url = webhook.url();
    const body = webhook.format === 'slack' ? slackBody(delivery.event) : JSON.stringify(delivery.event);
    const signed = signatureHeaders({ id: delivery.id, body }, { secret: webhook.secret(), seconds: now / 1000 });
    const headers = { 'content-type': 'application/json', ...signed };
    const status = await post({ url, headers, body, patience, ca: undefined, proxy: webhook.proxyFor(url) });
    return status < 300 ? undefined : `webhook ${webhook.name} answered ${status}`;
  } catch (error) {
    return `webhook ${webhook.name} failed: ${explainTransport(error, patience)}`;
  }
}

export type WebhookSenderOptions = {
  readonly clock: Clock;
  readonly alertStore: AlertStore;
  readonly webhooks: () => readonly Webhook[];
  readonly deliver: (webhook: Webhook, delivery: Delivery, now: number) => Promise<string | undefined>;
  readonly onDelivered: (webhook: string) => void;
  readonly onFailed: (webhook: string, problem: string) => void;
};

export type WebhookSender = {
  /** Resolves when everything due has been tried. */
  round(): Promise<void>;
};

const FIRST_PAUSE = 5_000;
const LONGEST_PAUSE = 600_000;

/** Milliseconds until the next attempt: doubling from five seconds to ten minutes. */
export function pauseAfter(attempts: number): number {
  return Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** Math.max(0, attempts - 1));
}

/** Delivers each event at least once, in order for each webhook, without giving up on any that is configured. */
export function createWebhookSender(options: WebhookSenderOptions): WebhookSender {
  const { clock, alertStore, deliver, onDelivered, onFailed } = options;
  const busy = new Set<string>();

  async function attempt(webhook: Webhook, pending: Pending): Promise<boolean> {
    const problem = await deliver(webhook, pending, clock.wall());
    if (problem === undefined) {
      alertStore.settle(pending);
      onDelivered(webhook.name);
      return true;
    }
    pending.attempts += 1;
    pending.nextAt = clock.wall() + pauseAfter(pending.attempts);
    alertStore.postpone(pending);
    onFailed(webhook.name, problem);
    return false;
  }

  async function serve(webhook: Webhook): Promise<void> {
    if (busy.has(webhook.name)) return;
    busy.add(webhook.name);
    try {
      const mine = alertStore.pending().filter((pending) => pending.webhook === webhook.name);
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
      for (const pending of alertStore.pending()) if (!known.has(pending.webhook)) alertStore.settle(pending);
      await Promise.all(webhooks.map(serve));
    },
  };
}
