import { setTimeout as pause } from 'node:timers/promises';
import { createLearnedRate } from './learned-rate.ts';

/** A minute, a common window length, plus rounding. */
const LONGEST_POSTPONEMENT = 65_000;
/** Milliseconds of waiting without an accepted request afterwards. */
const WAITING_BUDGET = 90_000;
const SECOND = 1_000;
/**
 * Milliseconds by which a late timer or a busy machine may let requests follow each other more closely: a twentieth of a second's requests.
 */
const SLACK = 50;

/** The content of a response that asks to wait. */
export type Postponement = {
  /** When the request was sent. */
  readonly sentAt: number;
  readonly wait: number;
  /** Given if the request was rejected because of the request rate, with the rate that the service says it allows. */
  readonly limit?: { readonly stated: number | undefined };
};

export type PacerClock = { now(): number; sleep(milliseconds: number): Promise<unknown> };

const REAL: PacerClock = { now: () => performance.now(), sleep: pause };

/** Waits for permission to send: the configured rate, what the service asked for, and the rate that it was seen to accept. */
export function createPacer(rate: number, clock = REAL) {
  let learned = createLearnedRate();
  const asked = rate > 0 ? rate : Number.POSITIVE_INFINITY;
  let nextSlot = 0;
  let pausedUntil = 0;
  let waited = 0;
  let inVain = 0;
  let heldBack = 0;
  let queued = 0;
  let last: Promise<void> = Promise.resolve();

  const intervalAt = (now: number): number => SECOND / Math.min(asked, learned.at(now));

  async function takeSlot(): Promise<void> {
    for (;;) {
      const now = clock.now();
      const slot = Math.max(nextSlot, pausedUntil);
      if (slot <= now) {
        nextSlot = Math.max(slot, now - SLACK) + intervalAt(now);
        return;
      }
      const isOurs = pausedUntil <= now && learned.at(now) >= asked;
      await clock.sleep(slot - now);
      if (!isOurs) heldBack += clock.now() - now;
    }
  }

  return {
    /** Milliseconds spent waiting because the service asked for it. */
    waited: () => waited,
    /** Milliseconds still to wait because the service asked for it. */
    waits: () => Math.max(0, pausedUntil - clock.now()),
    /** Requests per second that the service was seen to allow; undefined if it rejected none for their rate. */
    allowed(): number | undefined {
      const rate = learned.at(Math.max(clock.now(), pausedUntil));
      return Number.isFinite(rate) ? rate : undefined;
    },
    /** Whether requests are queued. */
    holdsBack: () => queued > 0,
    /**
     * Milliseconds that requests at the head of the queue waited because of the service: until it asked to retry, or for the rate that it
     * allows.
     */
    heldBack: () => heldBack,
    /** A request was accepted, whatever its status; `again`: after it had been rejected. */
    accepted(sentAt: number, { again }: { readonly again: boolean }): void {
      learned.accepted(sentAt);
      if (again) inVain = 0;
    },
    /** A request was rejected however long it waited: the rate is not the reason, and what such rejections taught is dropped. */
    giveUp(): void {
      learned = createLearnedRate();
    },
    /** Makes all requests wait; false if that is too long, or waiting was in vain. */
    postpone({ sentAt, wait, limit }: Postponement): boolean {
      const now = clock.now();
      const until = now + wait;
      const more = Math.max(0, until - Math.max(now, pausedUntil));
      if (wait > LONGEST_POSTPONEMENT || inVain + more > WAITING_BUDGET) return false;
      if (limit !== undefined) learned.rejected({ sentAt, receivedAt: now, wait, stated: limit.stated });
      waited += more;
      inVain += more;
      pausedUntil = Math.max(pausedUntil, until);
      return true;
    },
    /** One after the other, in the order of the calls. */
    async turn(): Promise<void> {
      if (queued === 0) {
        const now = clock.now();
        if (Math.max(nextSlot, pausedUntil) <= now) {
          nextSlot = now + intervalAt(now);
          return;
        }
      }
      queued += 1;
      const turn = last.then(takeSlot);
      last = turn;
      await turn;
      queued -= 1;
    },
  };
}
