import { createHmac } from 'node:crypto';
import { request } from 'undici';
import { messageOf } from '../messages.ts';
import type { AlertEvent } from './event.ts';

export const WEBHOOK_FORMATS = ['json', 'slack'] as const;
export type WebhookFormat = (typeof WEBHOOK_FORMATS)[number];

/** Where events go. URL and secret are asked for each time: files behind them may be rotated. */
export type Webhook = {
  readonly name: string;
  readonly format: WebhookFormat;
  readonly url: () => string;
  /** Undefined: not signed. */
  readonly secret: () => string | undefined;
};

/** Milliseconds that a receiver has for its answer. */
const PATIENCE = 10_000;
const MARKS: Readonly<Record<AlertEvent['status'], string>> = {
  firing: ':red_circle:',
  resolved: ':large_green_circle:',
  announcement: ':calendar:',
};

const escapeSlack = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** The event as Slack (and what imitates it) takes it: texts of the service can't mention people or make links. */
export function slackBody(event: AlertEvent): string {
  const clause = event.clause === null ? '' : ` (${event.clause}${event.reason === null ? '' : `, ${event.reason}`})`;
  const count =
    event.status === 'firing' && event.failures > 0 ? ` ${event.failures} of ${event.total} runs failed since ${event.since}.` : '';
  const link = event.link === null ? '' : ` <${encodeURI(event.link)}|status>`;
  const text = `${MARKS[event.status]} *${escapeSlack(event.target)}* ${event.status}: ${escapeSlack(event.summary)}${escapeSlack(clause)}.${count}${link}`;
  return JSON.stringify({ text });
}

export function bodyOf(event: AlertEvent, format: WebhookFormat): string {
  switch (format) {
    case 'json':
      return JSON.stringify(event);
    case 'slack':
      return slackBody(event);
    default:
      return format satisfies never;
  }
}

/** The key bytes of a secret: `whsec_` and Base64 as Standard Webhooks has it, or the text itself. */
function keyOf(secret: string): Buffer {
  return secret.startsWith('whsec_') ? Buffer.from(secret.slice('whsec_'.length), 'base64') : Buffer.from(secret, 'utf8');
}

export type Delivery = {
  /** The same at every try of one event: receivers drop what they have seen. */
  readonly id: string;
  readonly body: string;
};

/** The headers of Standard Webhooks (standardwebhooks.com): HMAC-SHA256 over id, time and body. */
export function signatureHeaders(delivery: Delivery, options: { secret: string | undefined; seconds: number }): Record<string, string> {
  const timestamp = String(Math.floor(options.seconds));
  const base = { 'webhook-id': delivery.id, 'webhook-timestamp': timestamp };
  if (options.secret === undefined) return base;
  const signature = createHmac('sha256', keyOf(options.secret)).update(`${delivery.id}.${timestamp}.${delivery.body}`).digest('base64');
  return { ...base, 'webhook-signature': `v1,${signature}` };
}

/** Sends one event once; what went wrong, or undefined. Never rejects. */
export async function deliver(webhook: Webhook, delivery: Delivery, now: number, patience = PATIENCE): Promise<string | undefined> {
  try {
    const headers = signatureHeaders(delivery, { secret: webhook.secret(), seconds: now / 1000 });
    const answer = await request(webhook.url(), {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'petstore-conformance', ...headers },
      body: delivery.body,
      signal: AbortSignal.timeout(patience),
      reset: true,
    });
    await answer.body.dump();
    return answer.statusCode < 300 ? undefined : `webhook ${webhook.name} answered ${answer.statusCode}`;
  } catch (error) {
    return `webhook ${webhook.name} failed: ${messageOf(error)}`;
  }
}
