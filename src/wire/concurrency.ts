// How many requests are in flight.

/** Lets at most `places()` pieces of work run at a time, in the order of requests; the bound may change while work waits. */
export function createSemaphore(places: () => number): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let running = 0;
  const waiting: (() => void)[] = [];
  const admit = (): void => {
    while (waiting.length > 0 && running < places()) {
      running += 1;
      waiting.shift()?.();
    }
  };
  return async (work) => {
    await new Promise<void>((enter) => {
      waiting.push(enter);
      admit();
    });
    try {
      return await work();
    } finally {
      running -= 1;
      admit();
    }
  };
}

export const LARGEST_FACTOR = 5;
/** Milliseconds of average response time. */
const LATE_AVERAGE = 100;
/**
 * Factors of concurrency by the shortest of the recent response times in milliseconds, the largest first. The shortest one shows the
 * network latency: slow computation in the service does not change it. No service gets more requests per second than a nearby one.
 */
const FACTORS_BY_LATENCY = [
  { from: 300, times: LARGEST_FACTOR },
  { from: 150, times: 4 },
  { from: 45, times: 3 },
  { from: 15, times: 2 },
] as const;
/** The factor if responses are only late on average. */
const FACTOR_IF_LATE = 2;
const RECENT_RESPONSES = 32;
/** A smaller --concurrency means that the user wants to spare the service. */
const LARGEST_SPARING = 8;
/** Responses in a row after which a service that asked to wait gets one more request at a time. */
const RESPONSES_TO_RECOVER = 40;
/** How many times the concurrency needed for the allowed rate may be in flight: some responses take longer than usual. */
const FACTOR_OF_RATE = 2;

export type AdaptiveConcurrency = {
  /** The average of recent response times, in milliseconds. */
  averageDuration(): number;
  isLate(): boolean;
  /** Whether the concurrency is higher than for a nearby service, because responses are late or the latency is high. */
  isFar(): boolean;
  places(): number;
  /** Notes a response time, in milliseconds. */
  note(duration: number): void;
  halve(): void;
  /** The service rejected a request while this many were in flight. */
  fewerThan(inFlight: number): void;
  /** Does the work without the limit learned from such rejections. */
  withoutLearnedLimit<Result>(work: () => Promise<Result>): Promise<Result>;
};

/**
 * A distant service gets up to five times as many requests at a time, so that latency does not make the run long; never if a low
 * concurrency was requested, which is meant to spare the service. A service that asks to wait gets half as many at a time, and more again
 * while it responds. One that rejects some of many concurrent requests gets fewer at a time, unless it also rejects a single one. If the
 * allowed rate is known, no more are in flight than it takes: a service may reject them for their number at a time and not for their rate.
 */
export function createAdaptiveConcurrency(
  concurrency: number,
  allowedRate: () => number | undefined = () => undefined,
): AdaptiveConcurrency {
  const lately: number[] = [];
  let usual = 0;
  let times = 1;
  let bound = concurrency;
  let sinceEased = 0;
  let served = Number.POSITIVE_INFINITY;
  let isForNumber = true;
  let regardless = 0;
  const wanted = (): number => (bound === concurrency && concurrency >= LARGEST_SPARING ? concurrency * times : bound);
  const isLate = (): boolean => usual > LATE_AVERAGE;
  const needed = (): number => {
    const rate = allowedRate();
    return rate === undefined ? Number.POSITIVE_INFINITY : Math.max(1, Math.ceil((FACTOR_OF_RATE * rate * usual) / 1_000));
  };
  return {
    averageDuration: () => usual,
    isLate,
    isFar: () => times > 1,
    places: () => (regardless > 0 ? wanted() : Math.min(wanted(), served, needed())),
    note(duration) {
      usual = usual === 0 ? duration : usual * 0.9 + duration * 0.1;
      lately.push(duration);
      if (lately.length > RECENT_RESPONSES) lately.shift();
      const quickest = Math.min(...lately);
      times = FACTORS_BY_LATENCY.find(({ from }) => quickest >= from)?.times ?? (isLate() ? FACTOR_IF_LATE : 1);
      sinceEased += 1;
      if (bound === concurrency || sinceEased < RESPONSES_TO_RECOVER) return;
      bound += 1;
      sinceEased = 0;
    },
    halve() {
      bound = Math.max(1, Math.floor(bound / 2));
      sinceEased = 0;
    },
    fewerThan(inFlight) {
      isForNumber &&= inFlight > 1;
      served = isForNumber ? Math.min(served, inFlight - 1) : Number.POSITIVE_INFINITY;
    },
    async withoutLearnedLimit(work) {
      regardless += 1;
      try {
        return await work();
      } finally {
        regardless -= 1;
      }
    },
  };
}
