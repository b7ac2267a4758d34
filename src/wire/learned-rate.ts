const SECOND = 1_000;
/** The factor between the rate at which requests were accepted and the rate that is kept to. */
const BELOW = 0.9;
/**
 * How the rate grows while nothing is rejected: up to the likely rate as in the slow start of TCP, up to the possible rate in steps smaller
 * than the margin below it, and by a twentieth from then on, in case the limit is higher than it seemed.
 */
const QUICKLY = { factor: 2, every: SECOND / 2 };
const CAREFULLY = { factor: 1.1, every: SECOND };
const SLOWLY = { factor: 1.05, every: 10 * SECOND };
/** Nothing is learned below this many requests per second. */
const LEAST = 1;
/** The number of requests accepted in less than a second from which on they may be what a second allows: fewer were accepted one by one. */
const LEAST_BURST = 5;
/** A wait from this length on is the rest of a long window, not a second that was rounded up. */
const LONG_WAIT = 5 * SECOND;
/** How long the times of accepted requests are kept. */
const KEPT = 2 * SECOND;

/** A request that was rejected because of its rate; times are in milliseconds, on one clock. */
export type Rejection = {
  readonly sentAt: number;
  /** When the response arrived, and how long it asks to wait. */
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
/** The end of a stretch. */
type End = Omit<Rejection, 'wait'> & {
  /** The request rate at that moment, and the number accepted in the second before the previous rejection. */
  readonly rate: number;
  readonly before: number | undefined;
  readonly until: number;
};
/** The rate after a wait: it begins with `from`, grows quickly up to `likely`, carefully up to `possible`, and slowly from then on. */
type Plan = {
  readonly since: number;
  readonly from: number;
  readonly likely: number;
  readonly possible: number;
  readonly stated?: number;
  /** The number accepted in the second before the rejection that led to the plan. */
  readonly inSecond?: number;
};

function rateOf({ since, from, likely, possible }: Plan, now: number): number {
  let rate = from;
  let left = Math.max(0, now - since);
  for (const { upTo, factor, every } of [
    { upTo: likely, ...QUICKLY },
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
export function createLearnedRate(): LearnedRate {
  let stretch: Stretch | undefined;
  let end: End | undefined;
  let plan: Plan | undefined;
  let disproved: number | undefined;

  const at = (now: number): number => (plan === undefined ? Number.POSITIVE_INFINITY : rateOf(plan, now));

  function planAfter({ begin, accepted, lately }: Stretch, { sentAt, receivedAt, rate, until, stated, before }: End): Plan {
    const since = until;
    if (stated !== undefined && stated !== disproved) {
      const held = BELOW * stated;
      return { since, from: held, likely: held, possible: held, stated };
    }
    const length = sentAt - begin;
    const wait = until - receivedAt;
    const from = Math.max(LEAST, (BELOW * accepted * SECOND) / (length + wait));
    if (wait >= LONG_WAIT) return { since, from, likely: from, possible: from };
    const inSecond = lately.filter((time) => time > sentAt - SECOND).length;
    const known = length >= SECOND || inSecond >= LEAST_BURST;
    const likely = known ? Math.min(inSecond, before ?? inSecond) : rate;
    return { since, from, likely: BELOW * likely, possible: BELOW * rate, ...(known ? { inSecond } : {}) };
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
      while ((stretch.lately[0] ?? sentAt) < sentAt - KEPT) stretch.lately.shift();
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
