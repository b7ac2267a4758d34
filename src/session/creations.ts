// Creations: within the budget, each once, looked for where its result is not known, and none any more where a quota rejects all.

import { isSuccess, PET_STATUSES } from '../wire/exchange.ts';
import { LEAST_REJECTION, QUOTAS } from '../wire/statuses.ts';
import { Budget, type CreationResults, mayHaveArrived } from './budget.ts';
import type { ReasonNotSent, Received } from './history.ts';
import type { Vector } from './vector.ts';

/** Plain creations that show a quota, and how often they are sent to see whether there is one. */
const [LEAST_QUOTA_REJECTIONS, MOST_QUOTA_CHECKS] = [2, 3];
/** A service that gives no response to creations costs so many lists, and one that rejects them as many. */
const MOST_LISTS = 8;

export type CreationToSend = {
  readonly vector: Vector;
  readonly mustBeRejected: boolean;
  /** With the key, as the document has it: a quota rejects it. */
  readonly isDocumentedWithKey: boolean;
};

export type CreationsParts = {
  readonly options: { readonly readOnly: boolean; readonly maxCreates: number };
  readonly namesAnimal: (received: Received) => boolean;
  /** Why creations are rejected whatever their body is, once plain ones show that. */
  readonly whyCreationsStopped: () => ReasonNotSent | undefined;
  readonly storesRejected: () => boolean;
  readonly sendList: (vector: Vector) => Promise<Received | undefined>;
  /** Sends a plain creation, which is not asked about a quota again. */
  readonly createPlain: () => Promise<Received | undefined>;
};

export class Creations {
  private readonly parts: CreationsParts;
  private readonly budget: Budget;
  /** The last creation of which it is not known whether it made an animal, and which. */
  private creationWithoutResult: Vector | undefined;
  private lists = 0;
  private listsForRejected = 0;
  private listing: Promise<unknown> | undefined;
  private reasonToStop: ReasonNotSent | undefined;
  private quotaChecks = 0;
  private checkingQuota: Promise<void> | undefined;

  constructor(parts: CreationsParts) {
    this.parts = parts;
    this.budget = new Budget(parts.options.maxCreates, parts.storesRejected);
  }

  created(): CreationResults {
    return this.budget.created();
  }

  /** Takes the place of a creation; returns why it may not be sent. */
  async take({ mustBeRejected, isDocumentedWithKey }: CreationToSend): Promise<ReasonNotSent | undefined> {
    if (this.parts.options.readOnly) return { why: 'choice', missing: '--read-only' };
    if (this.reasonToStop !== undefined && isDocumentedWithKey) return this.reasonToStop;
    if (this.creationWithoutResult !== undefined && this.lists < MOST_LISTS)
      this.listing ??= this.listForAnimalOf(this.creationWithoutResult);
    else if (this.budget.isListDue() && this.listsForRejected < MOST_LISTS) this.listing ??= this.listForRejected();
    await this.listing;
    const spent = await this.budget.take(mustBeRejected);
    return spent === undefined ? undefined : { why: 'choice', missing: spent };
  }

  /** Gives the place back, with its result; undefined if nothing was sent. */
  settle({ vector, mustBeRejected }: CreationToSend, received: Received | undefined): void {
    this.budget.settle(mustBeRejected, received);
    if (received === undefined || mustBeRejected) return;
    const { status = LEAST_REJECTION } = received.response ?? {};
    if (mayHaveArrived(received) || (status < LEAST_REJECTION && !this.parts.namesAnimal(received))) this.creationWithoutResult = vector;
    if (QUOTAS.includes(status)) this.reasonToStop ??= this.parts.whyCreationsStopped();
  }

  /** Where a quota may have rejected a creation, plain ones are sent until one is accepted, or enough were rejected. */
  async checkQuota({ response }: Received): Promise<void> {
    if (!QUOTAS.includes(response?.status ?? 0) || this.reasonToStop !== undefined || this.quotaChecks >= MOST_QUOTA_CHECKS) return;
    this.checkingQuota ??= this.sendPlainCreations().finally(() => {
      this.checkingQuota = undefined;
    });
    await this.checkingQuota;
  }

  private async sendPlainCreations(): Promise<void> {
    this.quotaChecks += 1;
    for (let proof = 0; proof < LEAST_QUOTA_REJECTIONS && this.reasonToStop === undefined; proof += 1) {
      const received = await this.parts.createPlain();
      if (received === undefined || this.parts.namesAnimal(received)) return;
    }
  }

  /** A list that shows whether the creation left an animal, and which. */
  private async listForAnimalOf(creation: Vector): Promise<void> {
    const status = creation.op === 'create' ? PET_STATUSES.find((one) => one === creation.status) : undefined;
    this.lists += 1;
    this.creationWithoutResult = undefined;
    await this.parts.sendList({ op: 'list', limit: 100, ...(status === undefined ? {} : { status }) });
    this.listing = undefined;
  }

  /** A list that shows whether the service stores what it rejects, before that has used up the budget. */
  private async listForRejected(): Promise<void> {
    this.listsForRejected += 1;
    const received = await this.parts.sendList({ op: 'list', limit: 100 });
    // One that came too late, or with an error, shows nothing.
    if (isSuccess(received?.response?.status)) this.budget.noteList();
    this.listing = undefined;
  }
}
