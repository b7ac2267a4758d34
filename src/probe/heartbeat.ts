// The dead man's switch of the monitor: a message while it works, whose absence somebody else notices.

import { post } from '../wire/post.ts';
import { explainTransport } from '../wire/transport-failure.ts';
import type { Receiver } from './alerts/webhook.ts';
import type { Clock } from './clock.ts';

export type Heartbeat = Pick<Receiver, 'url' | 'proxyFor'> & {
  /** Milliseconds. */
  readonly every: number;
};

const PATIENCE = 10_000;

async function send({ url, proxyFor }: Heartbeat): Promise<string | undefined> {
  try {
    const to = url();
    const status = await post({ url: to, headers: {}, body: '', patience: PATIENCE, ca: undefined, proxy: proxyFor(to) });
    return status < 300 ? undefined : `the receiver of the heartbeat returned ${status}`;
  } catch (error) {
    // Never the URL: its path is a secret.
    return `the heartbeat failed: ${explainTransport(error, PATIENCE)}`;
  }
}

export type HeartbeatOptions = {
  readonly clock: Clock;
  readonly heartbeat: () => Heartbeat | undefined;
  /** What does not work, as the end of a sentence; undefined if everything does. */
  readonly fault: () => string | undefined;
  readonly onSent: () => void;
  readonly onFailed: (problem: string) => void;
};

/** Milliseconds after a failure until the next attempt. */
const PAUSE = 10_000;

/** A function that sends the heartbeat when it is due, to be called more often than that. Never rejects. */
export function createHeartbeat({ clock, heartbeat, fault, onSent, onFailed }: HeartbeatOptions): () => Promise<void> {
  let next = Number.NEGATIVE_INFINITY;
  return async () => {
    const one = heartbeat();
    if (one === undefined || clock.monotonic() < next) return;
    next = Number.POSITIVE_INFINITY;
    const broken = fault();
    const problem = broken === undefined ? await send(one) : `no heartbeat is sent: ${broken}`;
    next = clock.monotonic() + (problem === undefined ? one.every : Math.min(PAUSE, one.every));
    if (problem === undefined) onSent();
    else onFailed(problem);
  };
}

/** Milliseconds for which an alert may wait for a receiver before that is a fault. */
const LONGEST_WAIT = 900_000;
/** The number of intervals in which a run must end. */
const INTERVALS = 5;

export type MonitorWork = {
  readonly clock: Clock;
  /** The shortest interval of the targets in milliseconds; undefined if no runs are scheduled. */
  readonly interval: number | undefined;
  /** When a run ended last, on the monotonic clock. */
  readonly lastRun: number;
  /** When the oldest alert that waits arose, by the wall clock in milliseconds; undefined if none waits. */
  readonly oldestAlert: number | undefined;
  /** Milliseconds for which no Alertmanager has accepted what is open. */
  readonly unacceptedFor: number;
};

/** What of the work of a monitor does not get done; undefined if all does. */
export function faultOf({ clock, interval, lastRun, oldestAlert, unacceptedFor }: MonitorWork): string | undefined {
  const idle = clock.monotonic() - lastRun;
  if (interval !== undefined && idle > INTERVALS * interval + PAUSE) return `no run has ended for ${Math.round(idle / 1000)} s`;
  // A clock that was set back must not hide anything.
  const waits = Math.max(oldestAlert === undefined ? 0 : Math.abs(clock.wall() - oldestAlert), unacceptedFor);
  return waits > LONGEST_WAIT ? `no receiver has accepted an alert for ${Math.round(waits / 60_000)} min` : undefined;
}
