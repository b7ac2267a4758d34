const SECOND = 1_000;
/** What is held below the rate at which requests were accepted. */
const BELOW = 0.9;
/**
 * How the rate grows while nothing is rejected: up to what is likely as in the slow start of TCP, up to what is possible in steps of which each is
 * smaller than what it is held below, and by a twentieth from then on, in case that the limit is higher than it seemed.
 */
const QUICKLY = { factor: 2, every: SECOND / 2 };
const CAREFULLY = { factor: 1.1, every: SECOND };
const SLOWLY = { factor: 1.05, every: 10 * SECOND };
/** Requests a second below which nothing is learned. */
const LEAST = 1;
/** Requests that were accepted in less than a second and may be what a second allows: fewer were let through one by one. */
const LEAST_BURST = 5;
/** A wait from this on is the rest of a long window, and not a second that was rounded up. */
const LONG_WAIT = 5 * SECOND;
/** A time in which a request was accepted is kept that long. */
const KEPT = 2 * SECOND;

/** A request that was rejected because of its rate; times are in milliseconds, on one clock. */
export type Rejection = {
  readonly sentAt: number;
  /** When the response was there, and for how long it asks to wait. */
  readonly heardAt: number;
  readonly wait: number;
  /** Requests a second that the service says it allows. */
  readonly told?: number | undefined;
};

/** How many requests a second a service accepts, from what it accepts and rejects. */
export type LearnedRate = {
  /** Requests a second to send at that moment; Infinity as long as nothing was rejected. */
  at(now: number): number;
  accepted(sentAt: number): void;
  rejected(rejection: Rejection): void;
};

/** What was sent between two waits, up to the first rejection. */
type Stretch = { readonly begin: number; accepted: number; readonly lately: number[] };
/** The end of a stretch. */
type End = Omit<Rejection, 'wait'> & {
  /** What was sent a second at that moment, and what was accepted in the second before the rejection before this one. */
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
  readonly told?: number;
  /** What was accepted in the second before the rejection that the plan is made after. */
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
 * Learns by the first rejection after each wait. What was accepted since the last wait, over the time until requests are accepted again, is what
 * the service allows at least: a tenth less is where the rate begins. What was accepted in the second before a rejection is what it is likely to
 * allow, and what was sent a second is more than that. Between them lies what one rejection does not tell: whether a bucket was full, how
 * long a window is, and how much of the wait was needed. Each further rejection narrows it, as the rate begins anew below the last one.
 */
export function createLearnedRate(): LearnedRate {
  let stretch: Stretch | undefined;
  let end: End | undefined;
  let plan: Plan | undefined;
  let disproved: number | undefined;

  const at = (now: number): number => (plan === undefined ? Number.POSITIVE_INFINITY : rateOf(plan, now));

  function planAfter({ begin, accepted, lately }: Stretch, { sentAt, heardAt, rate, until, told, before }: End): Plan {
    const since = until;
    if (told !== undefined && told !== disproved) {
      const held = BELOW * told;
      return { since, from: held, likely: held, possible: held, told };
    }
    const length = sentAt - begin;
    const wait = until - heardAt;
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
      // Sent before the last wait, of which all is known.
      if (sentAt < stretch.begin) return;
      stretch.accepted += 1;
      stretch.lately.push(sentAt);
      while ((stretch.lately[0] ?? sentAt) < sentAt - KEPT) stretch.lately.shift();
      // Its response was later than that of a request that was rejected.
      if (end !== undefined) plan = planAfter(stretch, end);
    },
    rejected({ sentAt, heardAt, wait, told }) {
      stretch ??= { begin: sentAt, accepted: 0, lately: [] };
      if (sentAt < stretch.begin) return;
      // Where nothing was accepted after a wait, that was too short.
      const until = Math.max(end?.until ?? 0, heardAt + wait);
      // A rate that was told and held is not what the service allows.
      if (end === undefined && plan?.told !== undefined) disproved = plan.told;
      end = { ...(end ?? { sentAt, heardAt, rate: at(sentAt), told, before: plan?.inSecond }), until };
      plan = planAfter(stretch, end);
    },
  };
}
