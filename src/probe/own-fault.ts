// Whether this process itself was blocked or overloaded, and what that does to a result.

import { TRANSPORT_REASONS } from '../wire/exchange.ts';
import type { Sample } from './sample.ts';

const STALLED = 1_000;
const OVERLOADED = 0.95;

export type OwnHealth = {
  /** The longest time in milliseconds for which the process was blocked. */
  readonly stall: number;
  /** The fraction of the time that the event loop was busy: near 1, responses wait here and not on the network. */
  readonly busy: number;
};

/** A failure that this machine may have caused by being blocked or overloaded says nothing about the service. */
export function discountOwnFault(sample: Sample, { stall, busy }: OwnHealth): Sample {
  const isSlow =
    (sample.verdict === 'fail' && sample.reason === 'timeout') || (sample.verdict === 'degraded' && sample.clause === undefined);
  // While a process is blocked, the other side gives up on its connections.
  const isLost = sample.verdict === 'fail' && sample.reason !== 'too_large' && TRANSPORT_REASONS.some((reason) => reason === sample.reason);
  if (!(isSlow && busy >= OVERLOADED) && !((isSlow || isLost) && stall >= STALLED)) return sample;
  const how = stall >= STALLED ? `was held up for ${Math.round(stall)} ms` : `is overloaded (${Math.round(busy * 100)} % busy)`;
  return {
    ...sample,
    verdict: 'unknown',
    reason: 'internal',
    ownFault: true,
    note: `this probe ${how}, so nothing is known about the service`,
  };
}
