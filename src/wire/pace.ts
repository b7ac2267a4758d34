/** How many times as much is asked at a time where the way is longest. */
export const MOST_MORE = 5;
/** Milliseconds that an answer takes on average, from which on answers are late. */
const LATE = 100;
/**
 * How many times as much is asked at a time from so many milliseconds on that the quickest of the last answers took, the most first. The quickest
 * one shows the way there and back: answers that take long because the service computes leave it as it is. No service is asked more a second
 * than a near one is asked.
 */
const FAR = [
  { from: 300, times: MOST_MORE },
  { from: 150, times: 4 },
  { from: 45, times: 3 },
  { from: 15, times: 2 },
] as const;
/** As much where answers are late on average only. */
const LATE_TIMES = 2;
/** Answers of which the quickest one counts. */
const LATELY = 32;
/** The bound from which the service is not being spared. */
const SPARING = 8;
/** Answers in a row after which a service that asked to wait is asked one more at a time. */
const RECOVERY = 40;
/** How many times as many may be under way as it takes to send at the rate that the service allows: some responses take longer than usual. */
const ROOM = 2;

/** How many requests may be under way. */
export type Pace = {
  /** Milliseconds that an answer takes of late. */
  usual(): number;
  isLate(): boolean;
  /** Whether more is asked at a time than of a near service, because answers are late or the way is long. */
  isFar(): boolean;
  places(): number;
  /** Notes what an answer took, in milliseconds. */
  note(duration: number): void;
  /** Half as much at a time: the service asked to wait. */
  ease(): void;
  /** The service rejected a request while so many were under way. */
  fewerThan(underWay: number): void;
  /** Does the work without regard to what was learned of the number that the service rejects. */
  regardless<Result>(work: () => Promise<Result>): Promise<Result>;
};

/**
 * A service that is far away is asked up to five times as much at a time, so that latency does not make the run long; never where a low
 * bound was asked for, which is there to spare the service. One that asks to wait is asked half as much at a time, and more again while it
 * answers. One that rejects some of many requests is asked fewer at a time, unless it rejects a single one too. Where so many requests a second
 * are allowed, no more are under way than that takes: a service may reject them for their number at a time and not for their rate.
 */
export function createPace(concurrency: number, allowedRate: () => number | undefined = () => undefined): Pace {
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
