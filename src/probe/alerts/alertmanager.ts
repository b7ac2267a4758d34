// Alerts as Prometheus sends them to Alertmanager: what is open is resent with each run and ends by itself if nobody resends it.

import { post } from '../../wire/post.ts';
import { explainTransport } from '../../wire/transport-failure.ts';
import type { Clock } from '../clock.ts';
import { iso } from '../text.ts';
import { type AlertEvent, isOfProbe } from './event.ts';
import { PATIENCE, type Receiver } from './webhook.ts';

/** An alert of Alertmanager's API v2; it is identified by its labels. */
type PostableAlert = {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly startsAt: string;
  readonly endsAt: string;
  readonly generatorURL?: string;
};

/** The names of the shipped rules: an alert that both send belongs to one group. */
function nameOf(event: AlertEvent): string {
  if (event.status === 'announcement') return 'PetstoreAnnouncement';
  if (event.target === null) return isOfProbe(event) ? 'PetstoreProbeManyUnknown' : 'PetstoreManyTargetsFailing';
  return isOfProbe(event) ? 'PetstoreProbeInternal' : 'PetstoreTargetDown';
}

function severityOf(event: AlertEvent): 'page' | 'ticket' | 'info' {
  if (event.status === 'announcement') return 'info';
  return isOfProbe(event) ? 'ticket' : 'page';
}

/** `until`: wall clock in milliseconds. `id` tells apart what is open at a time without a target, or with one and as an announcement. */
export function postableAlert(event: AlertEvent, until: number): PostableAlert {
  const { status, dedupId, target, clause, reason, summary, condition, since, failures, total, link } = event;
  return {
    labels: {
      alertname: nameOf(event),
      ...(target === null ? { id: dedupId } : { target }),
      severity: severityOf(event),
      ...(clause === null ? {} : { clause }),
      // Alerts of the rules have none: with the labels of one of them, each would end the other.
      ...(reason === null ? {} : { reason }),
      ...(status === 'announcement' ? { id: dedupId } : {}),
    },
    annotations: {
      summary,
      ...(condition === null ? {} : { condition }),
      ...(failures === 0 ? {} : { failures: `${failures} of ${total}` }),
      ...(link === null ? {} : { link }),
    },
    startsAt: since,
    endsAt: iso(until),
    ...(link === null ? {} : { generatorURL: link }),
  };
}

/** The API of an Alertmanager, at its address or below a prefix of it. */
function apiOf(address: string): string {
  const url = new URL(address);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/api/v2/alerts`;
  return url.href;
}

async function push({ name, url, proxyFor }: Receiver, alerts: readonly PostableAlert[]): Promise<string | undefined> {
  try {
    const to = apiOf(url());
    const headers = { 'content-type': 'application/json' };
    const status = await post({ url: to, headers, body: JSON.stringify(alerts), patience: PATIENCE, ca: undefined, proxy: proxyFor(to) });
    return status < 300 ? undefined : `Alertmanager ${name} returned ${status}`;
  } catch (error) {
    return `pushing alerts to Alertmanager ${name} failed: ${explainTransport(error, PATIENCE)}`;
  }
}

export type PusherOptions = {
  readonly clock: Clock;
  readonly alertmanagers: () => readonly Receiver[];
  readonly onPushed: (alertmanager: string) => void;
  readonly onFailed: (alertmanager: string, problem: string) => void;
};

export type Pusher = {
  /** Has an alert sent in the next round: for a firing one, the time in milliseconds after which it ends unless it is sent again. */
  send(event: AlertEvent, life: number): void;
  /** Resolves when everything has been tried. */
  round(): Promise<void>;
  /** Milliseconds for which every Alertmanager has failed to accept what is open; 0 if one has accepted it, or nothing is. */
  unacceptedFor(): number;
};

/** Milliseconds after a failure in which an Alertmanager is not asked. */
const PAUSE = 5_000;

type Waiting = {
  readonly alert: PostableAlert /** Wall clock, milliseconds: then it would say nothing any more. */;
  readonly until: number;
};
type Desk = { readonly waiting: Map<string, Waiting>; busy: boolean; next: number /** Monotonic. */; failingSince: number | undefined };

/** Nothing is stored: after a restart, the runs send again what is open. */
export function createPusher({ clock, alertmanagers, onPushed, onFailed }: PusherOptions): Pusher {
  const desks = new Map<string, Desk>();

  function deskOf({ name }: Receiver): Desk {
    const desk = desks.get(name) ?? { waiting: new Map(), busy: false, next: Number.NEGATIVE_INFINITY, failingSince: undefined };
    desks.set(name, desk);
    return desk;
  }

  async function serve(alertmanager: Receiver): Promise<void> {
    const desk = deskOf(alertmanager);
    for (const [key, { until }] of desk.waiting) if (until < clock.wall()) desk.waiting.delete(key);
    if (desk.busy || desk.waiting.size === 0 || clock.monotonic() < desk.next) return;
    desk.busy = true;
    const sent = [...desk.waiting];
    const problem = await push(
      alertmanager,
      sent.map(([, { alert }]) => alert),
    );
    desk.busy = false;
    if (problem !== undefined) {
      desk.next = clock.monotonic() + PAUSE;
      desk.failingSince ??= clock.monotonic();
      return onFailed(alertmanager.name, problem);
    }
    desk.failingSince = undefined;
    for (const [key, one] of sent) if (desk.waiting.get(key) === one) desk.waiting.delete(key);
    onPushed(alertmanager.name);
  }

  return {
    send(event, life) {
      const until = clock.wall() + life;
      const alert = postableAlert(event, event.status === 'resolved' ? clock.wall() : until);
      const key = JSON.stringify(alert.labels);
      for (const alertmanager of alertmanagers()) deskOf(alertmanager).waiting.set(key, { alert, until });
    },
    async round() {
      await Promise.all(alertmanagers().map(serve));
    },
    unacceptedFor() {
      const each = alertmanagers().map((one) => {
        const { waiting, failingSince } = deskOf(one);
        return failingSince === undefined || waiting.size === 0 ? 0 : clock.monotonic() - failingSince;
      });
      return each.length === 0 ? 0 : Math.min(...each);
    },
  };
}
