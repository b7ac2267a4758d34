import { TRANSPORT_REASONS } from '../wire/exchange.ts';
import type { Sample } from './sample.ts';

const STALLED = 1_000;
const OVERLOADED = 0.95;

/** How this process itself fared during a run. */
export type OwnHealth = {
  /** Longest time in milliseconds that nothing at all went on. */
  readonly stall: number;
  /** Part of the time that the event loop was busy: near 1, answers wait here and not on the way. */
  readonly busy: number;
};

/** A failure that this machine may have caused by being held up or overloaded says nothing of the service. */
export function discountOwnFault(sample: Sample, { stall, busy }: OwnHealth): Sample {
  const slow = (sample.verdict === 'fail' && sample.reason === 'timeout') || (sample.verdict === 'degraded' && sample.clause === undefined);
  // While a process stands still, the other side gives up on its connections.
  const lost = sample.verdict === 'fail' && sample.reason !== 'too_large' && TRANSPORT_REASONS.some((reason) => reason === sample.reason);
  if (!(slow && busy >= OVERLOADED) && !((slow || lost) && stall >= STALLED)) return sample;
  const how = stall >= STALLED ? `was held up for ${Math.round(stall)} ms` : `is overloaded (${Math.round(busy * 100)} % busy)`;
  return { ...sample, verdict: 'unknown', reason: 'internal', note: `this probe ${how}, so nothing is known about the service` };
}
