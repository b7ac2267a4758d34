// How many requests a service allows per second: what it states, what its rejections show, and when the next one may go.

import { setTimeout as pause } from 'node:timers/promises';
import type { HttpResponse } from './exchange.ts';

const SECOND = 1_000;
/** Milliseconds of the first wait if a response does not say how long; each further one is twice as long. */
const FIRST_UNSTATED_WAIT = 500;
/** The wait if a service says that there is nothing to wait for. */
export const LEAST_WAIT = 50;
/** From this value on, a number is not seconds from now, but seconds or milliseconds since 1970. */
const SINCE_1970 = 1e9;
const MILLISECONDS_SINCE_1970 = 1e12;

type Headers = Pick<HttpResponse, 'headers'>;

function fieldOf({ headers }: Headers, name: string): string | undefined {
  return headers.find(([known]) => known === name)?.[1];
}

/** The time of the response by the service's clock, so that a wrong clock does not change the wait. */
function dateOf(response: Headers): number {
  const date = Date.parse(fieldOf(response, 'date') ?? '');
  return Number.isNaN(date) ? Date.now() : date;
}

/** Milliseconds that a response asks to wait (RFC 9110, section 10.2.3), or undefined if it does not ask. */
export function postponement(response: Pick<HttpResponse, 'status' | 'headers'>, attempt: number): number | undefined {
  const stated = fieldOf(response, 'retry-after');
  if (response.status !== 429 && !(response.status === 503 && stated !== undefined)) return undefined;
  if (stated === undefined) return FIRST_UNSTATED_WAIT * 2 ** attempt;
  const wait = /^\s*\d+\s*$/.test(stated) ? Number(stated) * SECOND : Date.parse(stated) - dateOf(response);
  return Number.isFinite(wait) ? Math.max(wait, LEAST_WAIT) : FIRST_UNSTATED_WAIT * 2 ** attempt;
}

/** The number after one of these names in a field: `limit=100`, `100;w=60`, `"default";q=100;w=60`. */
function parameter(field: string, names: readonly string[]): number | undefined {
  for (const part of field.split(/[;,]/)) {
    const [name = '', value = ''] = part.split('=', 2).map((text) => text.trim());
    if (names.includes(name.toLowerCase()) && /^\d+$/.test(value)) return Number(value);
  }
  return undefined;
}

const leading = (field: string): number | undefined => {
  const digits = /^\s*(\d+)\b/.exec(field)?.[1];
  return digits === undefined ? undefined : Number(digits);
};

/** Requests per second of a policy such as `100;w=60` or `"default";q=100;w=60`; the smallest of several policies. */
function rateOfPolicy(policy: string): number | undefined {
  const rates = policy.split(',').flatMap((one) => {
    const quota = parameter(one, ['q']) ?? leading(one);
    const window = parameter(one, ['w']);
    return quota === undefined || window === undefined || window === 0 || quota === 0 ? [] : [quota / window];
  });
  return rates.length === 0 ? undefined : Math.min(...rates);
}

/** Seconds. */
function resetOf(response: Headers): number | undefined {
  const state = fieldOf(response, 'ratelimit');
  const stated = state === undefined ? undefined : parameter(state, ['t', 'reset']);
  const reset = stated ?? leading(fieldOf(response, 'ratelimit-reset') ?? fieldOf(response, 'x-ratelimit-reset') ?? '');
  if (reset === undefined || reset < SINCE_1970) return reset;
  return reset / (reset < MILLISECONDS_SINCE_1970 ? 1 : SECOND) - dateOf(response) / SECOND;
}

export type StatedLimit = {
  read(response: Headers): void;
  /** Requests per second; undefined if nothing is stated. */
  rate(): number | undefined;
};

/**
 * Reads RateLimit-Policy, RateLimit and RateLimit-Limit (the IETF drafts, old and new), and X-RateLimit-Limit. If only the end of the
 * window is stated and not its length, the longest time until a stated end is taken as its length.
 */
export function createStatedLimit(): StatedLimit {
  let policy: number | undefined;
  let limit: number | undefined;
  let longest = 1;
  return {
    read(response) {
      const state = fieldOf(response, 'ratelimit') ?? '';
      const quota = fieldOf(response, 'ratelimit-limit') ?? '';
      policy = rateOfPolicy(fieldOf(response, 'ratelimit-policy') ?? quota) ?? policy;
      limit = parameter(state, ['limit']) ?? leading(quota) ?? leading(fieldOf(response, 'x-ratelimit-limit') ?? '') ?? limit;
      longest = Math.max(longest, resetOf(response) ?? 0);
    },
    rate: () => policy ?? (limit === undefined || limit === 0 ? undefined : limit / longest),
  };
}

/** The factor between the rate at which requests were accepted and the rate that is kept to. */
const MARGIN_FACTOR = 0.9;
/**
 * How the rate grows while nothing is rejected: up to the likely rate as in the slow start of TCP, up to the possible rate in steps smaller
 * than the margin below it, and by a twentieth from then on, in case the limit is higher than it seemed.
 */
const QUICK_GROWTH = { factor: 2, every: SECOND / 2 };
const CAREFULLY = { factor: 1.1, every: SECOND };
const SLOWLY = { factor: 1.05, every: 10 * SECOND };
/** Nothing is learned below this many requests per second. */
const LEAST_RATE = 1;
/** The number of requests accepted in less than a second from which on they may be what a second allows: fewer were accepted one by one. */
const LEAST_BURST = 5;
/** A wait from this length on is the rest of a long window, not a second that was rounded up. */
const LONG_WAIT = 5 * SECOND;
/** How long the times of accepted requests are kept. */
const TIMES_KEPT_FOR = 2 * SECOND;

/** A request that was rejected because of its rate; times are in milliseconds, on one clock. */
export type Rejection = {
  readonly sentAt: number;
  readonly receivedAt: number;
  readonly wait: number;
  /** Requests per second that the service says it allows. */
  readonly stated?: number | undefined;
};

/** How many requests per second a service accepts, learned from what it accepts and rejects. */
export type LearnedRate = {
  /** Requests per second to send at that moment; Infinity until something is rejected. */
  at(now: number): number;
  accepted(sentAt: number): void;
  rejected(rejection: Rejection): void;
};

/** The requests between two waits, up to the first rejection. */
type Stretch = { readonly begin: number; accepted: number; readonly lately: number[] };
type End = Omit<Rejection, 'wait'> & {
  /** The request rate at that moment, and the number accepted in the second before the previous rejection. */
  readonly rate: number;
  readonly before: number | undefined;
  readonly until: number;
};
/** The rate after a wait: it begins with `from`, grows quickly up to `likely`, carefully up to `possible`, and slowly from then on. */
type RatePlan = {
  readonly since: number;
  readonly from: number;
  readonly likely: number;
  readonly possible: number;
  readonly stated?: number;
  /** The number accepted in the second before the rejection that led to the plan. */
  readonly inSecond?: number;
};

function rateOf({ since, from, likely, possible }: RatePlan, now: number): number {
  let rate = from;
  let left = Math.max(0, now - since);
  for (const { upTo, factor, every } of [
    { upTo: likely, ...QUICK_GROWTH },
    { upTo: possible, ...CAREFULLY },
  ]) {
    const steps = Math.max(0, Math.ceil(Math.log(upTo / rate) / Math.log(factor)));
    if (left < steps * every) return rate * factor ** Math.floor(left / every);
    left -= steps * every;
    rate = Math.max(rate, upTo);
  }
  return rate * SLOWLY.factor ** Math.floor(left / SLOWLY.every);
}

/**
 * Learns from the first rejection after each wait. The number accepted since the last wait, divided by the time until requests are accepted
 * again, is a lower bound of what the service allows: the rate begins a tenth below it. The number accepted in the second before a
 * rejection is the likely limit, and the number sent in that second is above the limit. Between the two remains what a single rejection
 * does not tell: whether a bucket was full, how long a window is, and how much of the wait was needed. Each further rejection narrows it,
 * because the rate begins anew below the last one.
 */
function createLearnedRate(): LearnedRate {
  let stretch: Stretch | undefined;
  let end: End | undefined;
  let plan: RatePlan | undefined;
  let disproved: number | undefined;

  const at = (now: number): number => (plan === undefined ? Number.POSITIVE_INFINITY : rateOf(plan, now));

  function planAfter({ begin, accepted, lately }: Stretch, { sentAt, receivedAt, rate, until, stated, before }: End): RatePlan {
    const since = until;
    if (stated !== undefined && stated !== disproved) {
      const held = MARGIN_FACTOR * stated;
      return { since, from: held, likely: held, possible: held, stated };
    }
    const length = sentAt - begin;
    const wait = until - receivedAt;
    const from = Math.max(LEAST_RATE, (MARGIN_FACTOR * accepted * SECOND) / (length + wait));
    if (wait >= LONG_WAIT) return { since, from, likely: from, possible: from };
    const inSecond = lately.filter((time) => time > sentAt - SECOND).length;
    const known = length >= SECOND || inSecond >= LEAST_BURST;
    const likely = known ? Math.min(inSecond, before ?? inSecond) : rate;
    return { since, from, likely: MARGIN_FACTOR * likely, possible: MARGIN_FACTOR * rate, ...(known ? { inSecond } : {}) };
  }

  return {
    at,
    accepted(sentAt) {
      if (stretch === undefined || (end !== undefined && sentAt >= end.until)) {
        stretch = { begin: end?.until ?? sentAt, accepted: 0, lately: [] };
        end = undefined;
      }
      // Sent before the last wait, about which everything is known.
      if (sentAt < stretch.begin) return;
      stretch.accepted += 1;
      stretch.lately.push(sentAt);
      while ((stretch.lately[0] ?? sentAt) < sentAt - TIMES_KEPT_FOR) stretch.lately.shift();
      // Its response arrived after that of a rejected request.
      if (end !== undefined) plan = planAfter(stretch, end);
    },
    rejected({ sentAt, receivedAt, wait, stated }) {
      stretch ??= { begin: sentAt, accepted: 0, lately: [] };
      if (sentAt < stretch.begin) return;
      // If nothing was accepted after a wait, the wait was too short.
      const until = Math.max(end?.until ?? 0, receivedAt + wait);
      // A rejection at the rate that the service states: it does not allow that rate.
      if (end === undefined && plan?.stated !== undefined) disproved = plan.stated;
      end = { ...(end ?? { sentAt, receivedAt, rate: at(sentAt), stated, before: plan?.inSecond }), until };
      plan = planAfter(stretch, end);
    },
  };
}

/** A minute, a common window length, plus rounding. */
const LONGEST_POSTPONEMENT = 65_000;
/** Milliseconds of waiting without an accepted request afterwards. */
const WAITING_BUDGET = 90_000;
/**
 * Milliseconds by which a late timer or a busy machine may let requests follow each other more closely: a twentieth of a second's requests.
 */
const SLACK = 50;

export type Postponement = {
  readonly sentAt: number;
  readonly wait: number;
  /** Given if the request was rejected because of the request rate, with the rate that the service says it allows. */
  readonly limit?: { readonly stated: number | undefined };
};

export type RateClock = { now(): number; sleep(milliseconds: number): Promise<unknown> };

const REAL: RateClock = { now: () => performance.now(), sleep: pause };

/** Waits for permission to send: the configured rate, what the service asked for, and the rate that it was seen to accept. */
export class RateLimiter {
  private readonly asked: number;
  private readonly clock: RateClock;
  private learned = createLearnedRate();
  private nextSlot = 0;
  private pausedUntil = 0;
  private waitedInAll = 0;
  private inVain = 0;
  private heldBackInAll = 0;
  private queued = 0;
  private last: Promise<void> = Promise.resolve();

  constructor(rate: number, clock = REAL) {
    this.asked = rate > 0 ? rate : Number.POSITIVE_INFINITY;
    this.clock = clock;
  }

  /** Waits until a request may go: one after the other, in the order of the calls. */
  async waitForTurn(): Promise<void> {
    const now = this.clock.now();
    if (this.queued === 0 && this.freeAt() <= now) {
      this.nextSlot = now + this.intervalAt(now);
      return;
    }
    this.queued += 1;
    const turn = this.last.then(() => this.takeSlot());
    this.last = turn;
    await turn;
    this.queued -= 1;
  }

  private async takeSlot(): Promise<void> {
    for (;;) {
      const now = this.clock.now();
      const slot = this.freeAt();
      if (slot <= now) {
        this.nextSlot = Math.max(slot, now - SLACK) + this.intervalAt(now);
        return;
      }
      const isOurs = this.pausedUntil <= now && this.learned.at(now) >= this.asked;
      await this.clock.sleep(slot - now);
      if (!isOurs) this.heldBackInAll += this.clock.now() - now;
    }
  }

  private freeAt(): number {
    return Math.max(this.nextSlot, this.pausedUntil);
  }

  private intervalAt(now: number): number {
    return SECOND / Math.min(this.asked, this.learned.at(now));
  }

  /** A request was accepted, whatever its status; `again`: after it had been rejected. */
  accepted(sentAt: number, { again }: { readonly again: boolean }): void {
    this.learned.accepted(sentAt);
    if (again) this.inVain = 0;
  }

  /** Makes all requests wait; false if that is too long, or waiting was in vain. */
  postpone({ sentAt, wait, limit }: Postponement): boolean {
    const now = this.clock.now();
    const until = now + wait;
    const more = Math.max(0, until - Math.max(now, this.pausedUntil));
    if (wait > LONGEST_POSTPONEMENT || this.inVain + more > WAITING_BUDGET) return false;
    if (limit !== undefined) this.learned.rejected({ sentAt, receivedAt: now, wait, stated: limit.stated });
    this.waitedInAll += more;
    this.inVain += more;
    this.pausedUntil = Math.max(this.pausedUntil, until);
    return true;
  }

  /** A request was rejected however long it waited: the rate is not the reason, and what such rejections taught is dropped. */
  dropLearnedRate(): void {
    this.learned = createLearnedRate();
  }

  /** Requests per second that the service was seen to allow; undefined if it rejected none for their rate. */
  allowed(): number | undefined {
    const rate = this.learned.at(Math.max(this.clock.now(), this.pausedUntil));
    return Number.isFinite(rate) ? rate : undefined;
  }

  readonly holdsBack = (): boolean => this.queued > 0;
  /** Milliseconds still to wait because the service asked for it. */
  readonly waits = (): number => Math.max(0, this.pausedUntil - this.clock.now());
  /** Milliseconds spent waiting because the service asked for it. */
  readonly waited = (): number => this.waitedInAll;
  /** Milliseconds that requests at the head of the queue waited because of the service: until it asked to retry, or for the rate that it allows. */
  readonly heldBack = (): number => this.heldBackInAll;
}
