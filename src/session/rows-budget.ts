// How many animals a run may create: each stays for ever.

import { isSuccess } from '../wire/exchange.ts';
import type { Received } from './rows-history.ts';

/** Room for requests that must be rejected, once the rest is used up: a service that conforms creates nothing by them. */
const FOR_REJECTIONS = 6;
/** The part that each of the two leaves to the other. */
const QUARTER = 0.25;

/** What became of the creations that were sent. */
export type Created = {
  /** By requests that had to succeed, or may. */
  readonly accepted: number;
  /** By requests that had to be rejected. */
  readonly acceptedWrongly: number;
  /** Without a response: each may have created an animal. */
  readonly lost: number;
  readonly rejected: number;
};

export type CreationBudget = {
  /** Takes the place of a creation before it is sent, once those in flight leave room for it; returns why there is none. */
  take(mustBeRejected: boolean): Promise<string | undefined>;
  /** Gives the place back, with what came of it; undefined if nothing was sent. */
  settle(mustBeRejected: boolean, received: Received | undefined): void;
  created(): Created;
};

/** Whether the request may have reached the service. */
export const mayHaveArrived = ({ response, failure }: Received): boolean =>
  response === undefined && failure?.reason !== 'connect' && failure?.reason !== 'dns' && failure?.reason !== 'tls';

export function createBudget(maxCreates: number): CreationBudget {
  const forRejections = Math.min(FOR_REJECTIONS, Math.floor(maxCreates * QUARTER));
  const forValid = Math.ceil(maxCreates * QUARTER);
  let counts: Created = { accepted: 0, acceptedWrongly: 0, lost: 0, rejected: 0 };
  const inFlight = { valid: 0, rejected: 0 };
  let waiting: (() => void)[] = [];

  const used = (): number => counts.accepted + counts.acceptedWrongly + counts.lost;
  /** Whether there is room beside so many that are in flight. */
  function hasRoom(mustBeRejected: boolean, { valid, rejected }: typeof inFlight): boolean {
    const all = used() + valid + rejected;
    if (!mustBeRejected) return all < maxCreates - Math.max(0, forRejections - counts.acceptedWrongly);
    return all < maxCreates && counts.acceptedWrongly + rejected < maxCreates - forValid;
  }

  return {
    created: () => counts,
    async take(mustBeRejected) {
      while (!hasRoom(mustBeRejected, inFlight) && hasRoom(mustBeRejected, { valid: 0, rejected: 0 })) {
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
      if (!hasRoom(mustBeRejected, inFlight)) return `the write budget of ${maxCreates} animals is spent; --max-creates raises it`;
      inFlight[mustBeRejected ? 'rejected' : 'valid'] += 1;
      return undefined;
    },
    settle(mustBeRejected, received) {
      inFlight[mustBeRejected ? 'rejected' : 'valid'] -= 1;
      if (received !== undefined) {
        const accepted = mustBeRejected ? 'acceptedWrongly' : 'accepted';
        const became = isSuccess(received.response?.status) ? accepted : mayHaveArrived(received) ? 'lost' : 'rejected';
        counts = { ...counts, [became]: counts[became] + 1 };
      }
      const all = waiting;
      waiting = [];
      for (const goOn of all) goOn();
    },
  };
}
