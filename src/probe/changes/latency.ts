import type { History, Slice } from '../history/history.ts';
import type { Impression } from './change.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** The number of runs below which a mean is unreliable. */
const LEAST_RUNS = 20;
/** How much longer runs must take: a factor, and milliseconds, because 2 ms easily become 4 ms. */
const SLOWER = { share: 1.5, milliseconds: 50 } as const;

function meanOf(slices: readonly Slice[]): { readonly runs: number; readonly mean: number } {
  // Failed runs may have waited for their deadline, and are reported elsewhere.
  const sound = slices.filter(({ counts }) => counts.fail === 0 && counts.unknown === 0);
  const each = sound.map(({ counts, meanDuration }) => {
    const runs = counts.pass + counts.degraded;
    return { runs, sum: runs * meanDuration };
  });
  const runs = each.reduce((total, one) => total + one.runs, 0);
  return { runs, mean: each.reduce((total, { sum }) => total + sum, 0) / Math.max(1, runs) };
}

/** Whether runs of the last day take much longer than those of the seven days before; undefined if either has too few. */
export function latencyImpression(history: Pick<History, 'slices'>, target: string, now: number): Impression | undefined {
  const day = meanOf(history.slices({ target, from: now - DAY, to: now + 1, step: 'hour' }));
  const week = meanOf(history.slices({ target, from: now - 8 * DAY, to: now - DAY, step: 'hour' }));
  if (day.runs < LEAST_RUNS || week.runs < LEAST_RUNS) return undefined;
  const slower = day.mean > week.mean * SLOWER.share && day.mean > week.mean + SLOWER.milliseconds;
  const detail = `${Math.round(day.mean)} ms on average in 24 hours, ${Math.round(week.mean)} ms in the 7 days before`;
  return { kind: 'latency', subject: 'duration', value: slower ? 'slower' : 'usual', usual: 'usual', detail };
}
