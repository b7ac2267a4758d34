// How many animals a run may create: each stays.

import { isSuccess } from '../wire/exchange.ts';
import { UNAUTHORIZED } from '../wire/statuses.ts';
import type { Received } from './history.ts';

/** Room for requests that must be rejected, once the rest is used up: a service that conforms creates nothing by them. */
const RESERVED_FOR_REJECTIONS = 6;
/** The part that each of the two leaves to the other. */
const QUARTER = 0.25;

/** After so many rejections a list shows whether they left animals: at least and at most, and in proportion to the room that is left. */
const REJECTIONS_BEFORE_LIST = { least: 4, most: 60, ofRoom: 0.5 } as const;

export type CreationResults = {
  /** By requests that had to succeed, or may. */
  readonly accepted: number;
  /** By requests that had to be rejected. */
  readonly acceptedWrongly: number;
  /** Without a response: each may have created an animal. */
  readonly lost: number;
  readonly rejected: number;
};

export const mayHaveArrived = ({ response, failure }: Received): boolean =>
  response === undefined && failure?.reason !== 'connect' && failure?.reason !== 'dns' && failure?.reason !== 'tls';

type InFlight = { readonly valid: number; readonly rejected: number };

export class Budget {
  private readonly maxCreates: number;
  private counts: CreationResults = { accepted: 0, acceptedWrongly: 0, lost: 0, rejected: 0 };
  private inFlight: InFlight = { valid: 0, rejected: 0 };
  private waiting: (() => void)[] = [];
  private readonly storesRejected: () => boolean;
  /** Rejected with the API key: each left an animal if the service stores what it rejects. */
  private mayBeStored = 0;
  private storedAtLastList = 0;

  constructor(maxCreates: number, storesRejected: () => boolean = () => false) {
    this.maxCreates = maxCreates;
    this.storesRejected = storesRejected;
  }

  created(): CreationResults {
    return this.counts;
  }

  isListDue(): boolean {
    const room = this.maxCreates - this.used();
    return (
      this.mayBeStored - this.storedAtLastList >=
      Math.min(REJECTIONS_BEFORE_LIST.most, Math.max(REJECTIONS_BEFORE_LIST.least, room * REJECTIONS_BEFORE_LIST.ofRoom))
    );
  }

  noteList(): void {
    this.storedAtLastList = this.mayBeStored;
  }

  /** Takes the place of a creation before it is sent, once those in flight leave room for it; returns why there is none. */
  async take(mustBeRejected: boolean): Promise<string | undefined> {
    while (!this.hasRoom(mustBeRejected, this.inFlight) && this.hasRoom(mustBeRejected, { valid: 0, rejected: 0 })) {
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    }
    if (!this.hasRoom(mustBeRejected, this.inFlight))
      return `the write budget of ${this.maxCreates} animals is spent; --max-creates raises it`;
    this.note(mustBeRejected, 1);
    return undefined;
  }

  /** Gives the place back, with its result; undefined if nothing was sent. */
  settle(mustBeRejected: boolean, received: Received | undefined): void {
    this.note(mustBeRejected, -1);
    if (received !== undefined) {
      const accepted = mustBeRejected ? 'acceptedWrongly' : 'accepted';
      const became = isSuccess(received.response?.status) ? accepted : mayHaveArrived(received) ? 'lost' : 'rejected';
      this.counts = { ...this.counts, [became]: this.counts[became] + 1 };
      if (became === 'rejected' && received.response !== undefined && received.response.status !== UNAUTHORIZED) this.mayBeStored += 1;
    }
    for (const goOn of this.waiting.splice(0)) goOn();
  }

  private note(mustBeRejected: boolean, change: number): void {
    const which = mustBeRejected ? 'rejected' : 'valid';
    this.inFlight = { ...this.inFlight, [which]: this.inFlight[which] + change };
  }

  private used(): number {
    const { accepted, acceptedWrongly, lost } = this.counts;
    return accepted + acceptedWrongly + lost + (this.mayBeStored > 0 && this.storesRejected() ? this.mayBeStored : 0);
  }

  private hasRoom(mustBeRejected: boolean, { valid, rejected }: InFlight): boolean {
    const { maxCreates } = this;
    const { acceptedWrongly } = this.counts;
    const all = this.used() + valid + rejected;
    if (mustBeRejected) return all < maxCreates && acceptedWrongly + rejected < maxCreates - Math.ceil(maxCreates * QUARTER);
    const forRejections = Math.min(RESERVED_FOR_REJECTIONS, Math.floor(maxCreates * QUARTER));
    return all < maxCreates - Math.max(0, forRejections - acceptedWrongly);
  }
}
