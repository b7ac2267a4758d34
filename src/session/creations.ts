// Creations: within the budget, each once, looked for where its result is not known, and none any more where a quota rejects all.

import { isSuccess, PET_STATUSES } from '../wire/exchange.ts';
import { LEAST_REJECTION, QUOTAS } from '../wire/statuses.ts';
import { Budget, type Created, mayHaveArrived } from './budget.ts';
import type { Reason, Received } from './history.ts';
import type { Vector } from './vector.ts';

/** Plain creations that show a quota, and how often they are sent to see whether there is one. */
const [PROOFS, MOST_DOUBTS] = [2, 3];
/** A service that gives no response to creations costs so many lists, and one that rejects them as many. */
const MOST_LOOKS = 8;

/** What is known of a creation before it is sent. */
export type Creation = {
  readonly vector: Vector;
  /** Without the key, or with an invalid body. */
  readonly mustBeRejected: boolean;
  /** With the key, as the document has it: a quota rejects it. */
  readonly isRight: boolean;
};

export type CreationsParts = {
  readonly options: { readonly readOnly: boolean; readonly maxCreates: number };
  /** Whether a response says which animal was made. */
  readonly namesAnimal: (received: Received) => boolean;
  /** Why creations are rejected whatever their body is, once plain ones show that. */
  readonly stopped: () => Reason | undefined;
  readonly storesRejected: () => boolean;
  /** Sends a list. */
  readonly list: (vector: Vector) => Promise<Received | undefined>;
  /** Sends a plain creation, which is not asked about a quota again. */
  readonly createPlain: () => Promise<Received | undefined>;
};

export class Creations {
  private readonly parts: CreationsParts;
  private readonly budget: Budget;
  /** The last creation of which it is not known whether it made an animal, and which. */
  private unknown: Vector | undefined;
  private looks = 0;
  private looksForRejected = 0;
  private looking: Promise<unknown> | undefined;
  private stopped: Reason | undefined;
  private doubts = 0;
  private proving: Promise<void> | undefined;

  constructor(parts: CreationsParts) {
    this.parts = parts;
    this.budget = new Budget(parts.options.maxCreates, parts.storesRejected);
  }

  created(): Created {
    return this.budget.created();
  }

  /** Takes the place of a creation; returns why it may not be sent. */
  async take({ mustBeRejected, isRight }: Creation): Promise<Reason | undefined> {
    if (this.parts.options.readOnly) return { why: 'choice', missing: '--read-only' };
    if (this.stopped !== undefined && isRight) return this.stopped;
    if (this.unknown !== undefined && this.looks < MOST_LOOKS) this.looking ??= this.lookFor(this.unknown);
    else if (this.budget.isLookDue() && this.looksForRejected < MOST_LOOKS) this.looking ??= this.lookForRejected();
    await this.looking;
    const spent = await this.budget.take(mustBeRejected);
    return spent === undefined ? undefined : { why: 'choice', missing: spent };
  }

  /** Gives the place back, with its result; undefined if nothing was sent. */
  settle({ vector, mustBeRejected }: Creation, received: Received | undefined): void {
    this.budget.settle(mustBeRejected, received);
    if (received === undefined || mustBeRejected) return;
    const { status = LEAST_REJECTION } = received.response ?? {};
    if (mayHaveArrived(received) || (status < LEAST_REJECTION && !this.parts.namesAnimal(received))) this.unknown = vector;
    if (QUOTAS.includes(status)) this.stopped ??= this.parts.stopped();
  }

  /** Where a quota may have rejected a creation, plain ones are sent until one is accepted, or enough were rejected. */
  async consider({ response }: Received): Promise<void> {
    if (!QUOTAS.includes(response?.status ?? 0) || this.stopped !== undefined || this.doubts >= MOST_DOUBTS) return;
    this.proving ??= this.prove().finally(() => {
      this.proving = undefined;
    });
    await this.proving;
  }

  private async prove(): Promise<void> {
    this.doubts += 1;
    for (let proof = 0; proof < PROOFS && this.stopped === undefined; proof += 1) {
      const received = await this.parts.createPlain();
      if (received === undefined || this.parts.namesAnimal(received)) return;
    }
  }

  /** A list that shows whether the creation left an animal, and which. */
  private async lookFor(creation: Vector): Promise<void> {
    const status = creation.op === 'create' ? PET_STATUSES.find((one) => one === creation.status) : undefined;
    this.looks += 1;
    this.unknown = undefined;
    await this.parts.list({ op: 'list', limit: 100, ...(status === undefined ? {} : { status }) });
    this.looking = undefined;
  }

  /** A list that shows whether the service stores what it rejects, before that has used up the budget. */
  private async lookForRejected(): Promise<void> {
    this.looksForRejected += 1;
    const received = await this.parts.list({ op: 'list', limit: 100 });
    // One that came too late, or with an error, shows nothing.
    if (isSuccess(received?.response?.status)) this.budget.look();
    this.looking = undefined;
  }
}
