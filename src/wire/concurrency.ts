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

/** The largest factor by which concurrency grows. */
export const MOST_MORE = 5;
/** Milliseconds of average response time. */
const LATE = 100;
/**
 * Factors of concurrency by the shortest of the recent response times in milliseconds, the largest first. The shortest one shows the
 * network latency: slow computation in the service does not change it. No service gets more requests per second than a nearby one.
 */
const FAR = [
  { from: 300, times: MOST_MORE },
  { from: 150, times: 4 },
  { from: 45, times: 3 },
  { from: 15, times: 2 },
] as const;
/** The factor if responses are only late on average. */
const LATE_TIMES = 2;
const LATELY = 32;
/** A smaller --concurrency means that the user wants to spare the service. */
const SPARING = 8;
/** Responses in a row after which a service that asked to wait gets one more request at a time. */
const RECOVERY = 40;
/** How many times the concurrency needed for the allowed rate may be in flight: some responses take longer than usual. */
const ROOM = 2;

export type AdaptiveConcurrency = {
  /** The average of recent response times, in milliseconds. */
  usual(): number;
  isLate(): boolean;
  /** Whether the concurrency is higher than for a nearby service, because responses are late or the latency is high. */
  isFar(): boolean;
  places(): number;
  /** Notes a response time, in milliseconds. */
  note(duration: number): void;
  /** Halves the concurrency: the service asked to wait. */
  ease(): void;
  /** The service rejected a request while this many were in flight. */
  fewerThan(underWay: number): void;
  /** Does the work without the limit learned from such rejections. */
  regardless<Result>(work: () => Promise<Result>): Promise<Result>;
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
  const wanted = (): number => (bound === concurrency && concurrency >= SPARING ? concurrency * times : bound);
  const isLate = (): boolean => usual > LATE;
  const needed = (): number => {
    const rate = allowedRate();
    return rate === undefined ? Number.POSITIVE_INFINITY : Math.max(1, Math.ceil((ROOM * rate * usual) / 1_000));
  };
  return {
    usual: () => usual,
    isLate,
    isFar: () => times > 1,
    places: () => (regardless > 0 ? wanted() : Math.min(wanted(), served, needed())),
    note(duration) {
      usual = usual === 0 ? duration : usual * 0.9 + duration * 0.1;
      lately.push(duration);
      if (lately.length > LATELY) lately.shift();
      const quickest = Math.min(...lately);
      times = FAR.find(({ from }) => quickest >= from)?.times ?? (isLate() ? LATE_TIMES : 1);
      sinceEased += 1;
      if (bound === concurrency || sinceEased < RECOVERY) return;
      bound += 1;
      sinceEased = 0;
    },
    ease() {
      bound = Math.max(1, Math.floor(bound / 2));
      sinceEased = 0;
    },
    fewerThan(underWay) {
      isForNumber &&= underWay > 1;
      served = isForNumber ? Math.min(served, underWay - 1) : Number.POSITIVE_INFINITY;
    },
    async regardless(work) {
      regardless += 1;
      try {
        return await work();
      } finally {
        regardless -= 1;
      }
    },
  };
}
