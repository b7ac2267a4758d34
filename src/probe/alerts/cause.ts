// Causes that many targets may share: their names and words.

import { TRANSPORT_REASONS } from '../../wire/exchange.ts';
import type { Sample } from '../sample.ts';

/** What a run shows of the way to a target, or of the probe itself, and nothing of the service. */
export const CAUSES = [...TRANSPORT_REASONS, 'internal'] as const;
export type Cause = (typeof CAUSES)[number];

/** An open alert about a cause, as it is stored. */
export type CommonCause = {
  readonly cause: Cause;
  /** Wall clock in milliseconds. */
  readonly since: number;
  readonly dedupId: string;
  readonly targets: readonly string[];
  readonly of: number;
};

const MOST_NAMED = 20;
export function causeOf({ verdict, reason }: Pick<Sample, 'verdict' | 'reason'>): Cause | undefined {
  if (verdict === 'unknown') return 'internal';
  return verdict === 'fail' ? TRANSPORT_REASONS.find((one) => one === reason) : undefined;
}

/** The name of its stored state, which no target can have: names have no slash. */
export function causeKey(cause: Cause): string {
  return `probe/${cause}`;
}

/** What is wrong with the targets whose number comes first. */
const WORDS: Readonly<Record<Cause, string>> = {
  dns: 'cannot be found: their host names do not resolve',
  connect: 'cannot be connected to',
  tls: 'have no TLS connection that can be trusted',
  timeout: 'do not respond in time',
  protocol: 'close the connection, or return what is not HTTP',
  too_large: 'return responses that are too large',
  internal: "cannot be judged, by the probe's own fault",
};

export function summaryOf({ cause, targets, of }: Pick<CommonCause, 'cause' | 'targets' | 'of'>): string {
  const more = targets.length - MOST_NAMED;
  const names = `${targets.slice(0, MOST_NAMED).join(', ')}${more > 0 ? `, and ${more} more` : ''}`;
  return `${targets.length} of ${of} targets ${WORDS[cause]}: ${names}`;
}
