// When the next request may go, and with how many others: as the user set it, as the service asks for, and as it responds.

import { type AdaptiveConcurrency, createAdaptiveConcurrency, createSemaphore } from './concurrency.ts';
import type { HttpResponse } from './exchange.ts';
import { createStatedLimit, LEAST_WAIT, postponement, RateLimiter } from './rate-limit.ts';
import { inSeconds } from './wording.ts';

const MOST_POSTPONEMENTS = 6;
const TOO_MANY_REQUESTS = 429;

const perSecond = (rate: number): string => `about ${rate < 1.5 ? '1 request' : `${Math.round(rate)} requests`} a second`;

/** How often a request was sent already, and when it was last (on the clock of `performance.now()`). */
type Sent = { readonly sentAt: number; readonly postponed: number };

export class SendingLimits {
  readonly rate: RateLimiter;
  readonly concurrency: AdaptiveConcurrency;
  private readonly enter: ReturnType<typeof createSemaphore>;
  private readonly stated = createStatedLimit();
  private askedToWaitBy = TOO_MANY_REQUESTS;

  constructor({ rate, concurrency }: { readonly rate: number; readonly concurrency: number }) {
    this.rate = new RateLimiter(rate);
    this.concurrency = createAdaptiveConcurrency(concurrency, () => this.rate.allowed());
    this.enter = createSemaphore(this.concurrency.places);
  }

  /** Sends when fewer requests are in flight than may be; `atOnce`: than the user allows, however many the service was seen to serve. */
  withinConcurrency<Result>(send: () => Promise<Result>, { atOnce = false }): Promise<Result> {
    return atOnce ? this.concurrency.withoutLearnedLimit(() => this.enter(send)) : this.enter(send);
  }

  /** Notes a response; whether the request is sent again because the response asks to wait. */
  asksToWait(response: HttpResponse, { sentAt, postponed }: Sent, { once = false }): boolean {
    this.stated.read(response);
    const wait = postponement(response, postponed);
    if (wait === undefined) {
      this.rate.accepted(sentAt, { again: postponed > 0 });
      return false;
    }
    if (once) return false;
    const isOfRate = response.status === TOO_MANY_REQUESTS;
    // A service that accepts another request at once does not limit the rate.
    const limit = isOfRate && wait > LEAST_WAIT ? { limit: { stated: this.stated.rate() } } : {};
    if (postponed >= MOST_POSTPONEMENTS || !this.rate.postpone({ sentAt, wait, ...limit })) {
      this.rate.dropLearnedRate();
      return false;
    }
    this.askedToWaitBy = response.status;
    // The client keeps to a rate from now on: if that is not enough, the number at a time may be too large.
    if (!isOfRate || postponed > 0) this.concurrency.halve();
    return true;
  }

  /** Why requests wait, in words; undefined if they do not. */
  slowBecause(): string | undefined {
    const allowed = this.rate.allowed();
    if (this.rate.waits() > 0) {
      const from = allowed === undefined ? '' : `; ${perSecond(allowed)} from then on`;
      return `waiting ${inSeconds(this.rate.waits())}: the service asks to wait (${this.askedToWaitBy})${from}`;
    }
    return allowed === undefined || !this.rate.holdsBack() ? undefined : `${perSecond(allowed)}: the service limits their rate (429)`;
  }
}
