// Stops sending to a service that has stopped responding, and what it never responds to; waits for one that is down for some seconds.

import { setTimeout as pause } from 'node:timers/promises';
import { isSuccess } from '../wire/exchange.ts';
import { postponement } from '../wire/rate-limit.ts';
import { LEAST_SERVER_ERROR } from '../wire/statuses.ts';
import { inSeconds } from '../wire/wording.ts';
import type { Received } from './history.ts';

/** Why something is not sent, and the exchange that shows it. */
export type Refusal = { readonly missing: string; readonly needs: number };

export type EndedRequest = Pick<Received, 'number' | 'at' | 'response' | 'failure'>;

export type CircuitParts = {
  /** One request that is not recorded: whether the service is back. */
  readonly ask: () => Promise<EndedRequest>;
  readonly elapsed: () => number;
  readonly notice: (sentence: string) => void;
};

/** So many requests in a row without a response, or with a server error: the service may be down. */
const DOWN_AFTER = 5;
/** So many timeouts of one kind and no response, or so many failures and fewer responses: that kind is not sent any more. */
const [MOST_HANGS, MOST_FAILURES] = [3, 8];
/** A service that lets every other request hang costs as much as one that lets all hang. */
const MOST_TIMEOUTS = 40;
/** Milliseconds that a run waits, in all, for a service to come back, and between two questions. */
const PATIENCE = 15_000;
const BETWEEN = 250;

/** A body beyond our limit is a response. */
const hasResponded = ({ response, failure }: EndedRequest): boolean => response !== undefined || failure?.reason === 'too_large';
/** It says nothing: a kept connection that was closed at that moment, or a busy machine of ours. */
const isUndecisive = ({ failure }: EndedRequest): boolean => failure?.stale === true || failure?.heldUp === true;
const isServerError = ({ response }: EndedRequest): boolean =>
  response !== undefined && response.status >= LEAST_SERVER_ERROR && response.status !== 501 && postponement(response, 0) === undefined;
const isWrong = (one: EndedRequest): boolean => !hasResponded(one) || isServerError(one);
const isRefused = ({ failure }: EndedRequest): boolean => failure?.reason === 'connect';

function whatItDid(last: EndedRequest): string {
  if (isServerError(last)) return `returned ${last.response?.status}`;
  return isRefused(last) ? 'accepted no connection' : 'returned no complete response';
}

type Tally = { readonly hangs: number; readonly failures: number; readonly responses: number; readonly last: number };
const untried = (): Tally => ({ hangs: 0, failures: 0, responses: 0, last: 0 });

function tallied({ hangs, failures, responses, last }: Tally, one: EndedRequest): Tally {
  const isHang = one.failure?.reason === 'timeout' ? 1 : 0;
  if (hasResponded(one)) return { hangs: hangs + isHang, failures, responses: responses + 1, last };
  return { hangs: hangs + isHang, failures: failures + 1, responses, last: one.number };
}

const isGivenUp = ({ hangs, failures, responses }: Tally): boolean =>
  (hangs >= MOST_HANGS && responses === 0) || (failures >= MOST_FAILURES && failures > responses);

/** A service that returns server errors to everything, and was not waited for any longer. */
type Outage<One> = {
  readonly begin: number;
  readonly last: One;
  readonly failed: One[];
  /** Whether anything succeeded since the last question, and when that was asked. */
  hasServed: boolean;
  asked: number;
};

export class Circuit<One extends EndedRequest> {
  private readonly parts: CircuitParts;
  private readonly tallies = new Map<string, Tally>();
  private wrongSinceRight: One[] = [];
  private lost: readonly One[] = [];
  private timeouts = 0;
  private lastTimeout = 0;
  private patience = PATIENCE;
  private wasRight = false;
  private returning: Promise<void> | undefined;
  private dead: Refusal | undefined;
  /** A service that fails all the time is not waited for again. */
  private failsAllTheTime = false;
  private outage: Outage<One> | undefined;

  constructor(parts: CircuitParts) {
    this.parts = parts;
  }

  /** Why nothing of these kinds is sent any more. Waits first where the service may come back. */
  async admit(kinds: readonly string[]): Promise<Refusal | undefined> {
    while (this.mayBeDown()) await this.oneAtATime(() => this.waitForReturn());
    const { outage } = this;
    if (outage !== undefined && this.mayHaveEnded(outage)) await this.oneAtATime(() => this.askWhetherEnded(outage));
    const { dead, timeouts, lastTimeout: needs } = this;
    if (dead !== undefined) return dead;
    if (timeouts >= MOST_TIMEOUTS) return { missing: `${timeouts} requests timed out; sending stopped`, needs };
    for (const kind of kinds) {
      const tally = this.tallies.get(kind) ?? untried();
      if (isGivenUp(tally))
        return { missing: `requests of this kind got no complete response (${kind}); no more are sent`, needs: tally.last };
    }
    return undefined;
  }

  note(kinds: readonly string[], one: One): void {
    if (isUndecisive(one)) return;
    if (one.failure?.reason === 'timeout') [this.timeouts, this.lastTimeout] = [this.timeouts + 1, one.number];
    for (const kind of kinds) this.tallies.set(kind, tallied(this.tallies.get(kind) ?? untried(), one));
    if (isWrong(one)) {
      this.wrongSinceRight.push(one);
      this.outage?.failed.push(one);
      return;
    }
    this.wasRight = true;
    if (this.outage !== undefined && isSuccess(one.response?.status)) this.outage.hasServed = true;
    // What was sent before the first one that went wrong says nothing about the time since.
    if (one.at >= (this.wrongSinceRight[0]?.at ?? 0)) this.wrongSinceRight = [];
  }

  /** Forgets what failed so far: a service that was waited for has not stopped responding. */
  reset(): void {
    this.tallies.clear();
    this.wrongSinceRight = [];
    this.timeouts = 0;
  }

  /** What failed while the service was down, once it is back; each once. */
  takeLost(): readonly One[] {
    const taken = this.lost;
    this.lost = [];
    return taken;
  }

  /** Whoever comes while others ask or wait, waits with them. */
  private async oneAtATime(ask: () => Promise<void>): Promise<void> {
    this.returning ??= ask().finally(() => {
      this.returning = undefined;
    });
    await this.returning;
  }

  private mayHaveEnded({ hasServed, asked }: Outage<One>): boolean {
    return hasServed && this.parts.elapsed() - asked >= BETWEEN;
  }

  /** What succeeds may be what never failed: so what has shown that the service is down is asked again. */
  private async askWhetherEnded(outage: Outage<One>): Promise<void> {
    const { ask, elapsed } = this.parts;
    outage.hasServed = false;
    outage.asked = elapsed();
    if (isWrong(await ask())) return;
    this.outage = undefined;
    this.goOn(outage.failed);
    this.tellOfOutage(outage.last, outage.begin, outage.failed.length);
  }

  private mayBeDown(): boolean {
    const { wrongSinceRight, dead, failsAllTheTime } = this;
    return wrongSinceRight.length >= DOWN_AFTER && dead === undefined && !(failsAllTheTime && wrongSinceRight.some(isServerError));
  }

  /** Asks whether the service still responds, and waits where it does not. */
  private async waitForReturn(): Promise<void> {
    const { ask, elapsed } = this.parts;
    const [begin, last] = [elapsed(), this.wrongSinceRight.at(-1)];
    if (last === undefined) return;
    for (let asked = 0; asked === 0 || (this.wasRight && elapsed() - begin < this.patience); asked += 1) {
      if (asked > 0) await pause(BETWEEN);
      if (isWrong(await ask())) continue;
      // Where it responds at once, it fails for what was asked; connections that were not accepted are not, whatever is asked.
      const failed = asked === 0 ? this.wrongSinceRight.filter(isRefused) : this.wrongSinceRight;
      this.goOn(failed);
      if (asked > 0) this.tellOfOutage(last, begin, failed.length);
      return;
    }
    this.patience -= elapsed() - begin;
    if (isServerError(last)) {
      this.failsAllTheTime = true;
      this.outage ??= { begin, last, failed: this.wrongSinceRight, hasServed: false, asked: elapsed() };
    } else this.dead = this.deadBy(last, begin);
    this.wrongSinceRight = [];
  }

  private deadBy({ failure, number: needs }: One, begin: number): Refusal {
    if (failure?.party !== 'proxy') return { missing: `the service has stopped responding: ${failure?.message}`, needs };
    this.parts.notice(`The proxy has accepted no connections since ${inSeconds(begin)} after the start of the run`);
    return { missing: `the proxy accepts no connections any more: ${failure.message}`, needs };
  }

  private goOn(more: readonly One[]): void {
    this.lost = [...this.lost, ...more];
    this.wrongSinceRight = [];
    this.tallies.clear();
  }

  private tellOfOutage(last: One, begin: number, failed: number): void {
    const { elapsed, notice } = this.parts;
    const lasted = elapsed() - begin;
    this.patience -= lasted;
    const who = last.failure?.party === 'proxy' ? 'The proxy' : 'The service';
    const when = `for ${inSeconds(lasted)} from ${inSeconds(begin)} after the start of the run on`;
    const repeated = failed === 1 ? '1 request that failed was sent once more' : `${failed} requests that failed were sent once more`;
    notice(`${who} ${whatItDid(last)} ${when}: it was down; after that, ${repeated}`);
  }
}
