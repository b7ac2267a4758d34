/** Milliseconds from which an answer is late and very late. */
const LATE = 100;
const VERY_LATE = 250;
/** How many times as much is asked at a time where answers are very late: with more, a service that is short of CPU would answer later still. */
export const MOST_MORE = 3;
/** The bound from which the service is not being spared. */
const SPARING = 8;
/** Answers in a row after which a service that asked to wait is asked one more at a time. */
const RECOVERY = 40;

function moreAtATime(usual: number): number {
  if (usual > VERY_LATE) return MOST_MORE;
  return usual > LATE ? 2 : 1;
}

/** How many requests may be under way. */
export type Pace = {
  /** Milliseconds that an answer takes of late. */
  usual(): number;
  isLate(): boolean;
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
 * A service that answers late is asked two or three times as much at a time, so that latency does not make the run long; never where a low
 * bound was asked for, which is there to spare the service. One that asks to wait is asked half as much at a time, and more again while it
 * answers. One that rejects some of many requests is asked fewer at a time, unless it rejects a single one too.
 */
export function createPace(concurrency: number): Pace {
  let usual = 0;
  let bound = concurrency;
  let sinceEased = 0;
  let served = Number.POSITIVE_INFINITY;
  let isForNumber = true;
  let regardless = 0;
  const wanted = (): number => (bound === concurrency && concurrency >= SPARING ? concurrency * moreAtATime(usual) : bound);
  return {
    usual: () => usual,
    isLate: () => usual > LATE,
    places: () => (regardless > 0 ? wanted() : Math.min(wanted(), served)),
    note(duration) {
      usual = usual === 0 ? duration : usual * 0.9 + duration * 0.1;
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
