// The same bytes are sent again where a service fails at a moment what it does at other times.

import { setTimeout as pause } from 'node:timers/promises';
import { FORBIDDEN, LEAST_SERVER_ERROR, UNAUTHORIZED } from '../wire/statuses.ts';
import type { Received } from './history.ts';
import type { Vector } from './vector.ts';

/** Milliseconds before each try, and so many requests in vain in a run. */
const PAUSES = [0, 25, 50];
const MOST_IN_VAIN = 8;

export const isRejectedKey = ({ response }: Received): boolean => response?.status === UNAUTHORIZED;
const isBrokenOff = ({ sent, failure }: Received): boolean => sent.method === 'GET' && failure?.reason === 'protocol' && !failure.stale;
const isAdmitted = ({ response }: Received): boolean =>
  response !== undefined && ![UNAUTHORIZED, FORBIDDEN].includes(response.status) && response.status < LEAST_SERVER_ERROR;

/** What the key is accepted for: the operation, and which dimensions a row names. */
const situationNameOf = ({ op, ...rest }: Vector): string => [op, ...Object.keys(rest).toSorted()].join(' ');

/** Tries of requests with the key: which of them failed for a moment, and what comes of sending them again. */
export class MomentaryFailures {
  private readonly admitted = new Set<string>();
  private inVain = 0;

  note(vector: Vector, received: Received): void {
    if (isAdmitted(received)) this.admitted.add(situationNameOf(vector));
  }

  /** Whether the key was rejected, or a read broken off, although the like works at other times. */
  isMomentary(vector: Vector, received: Received): boolean {
    return (isRejectedKey(received) || isBrokenOff(received)) && this.admitted.has(situationNameOf(vector));
  }

  /** Sends again, three times at most, until it does not fail for a moment; returns the first try if all do, or nothing more may be sent. */
  async repeatWhileMomentary(vector: Vector, first: Received, send: () => Promise<Received | undefined>): Promise<Received> {
    for (const wait of PAUSES) {
      if (this.inVain >= MOST_IN_VAIN) return first;
      await pause(wait);
      const again = await send();
      if (again === undefined) return first;
      if (!this.isMomentary(vector, again)) return again;
    }
    this.inVain += 1;
    return first;
  }
}
