import type { Answer } from './exchange.ts';

const LONGEST_POSTPONEMENT = 30_000;
const WAITING_BUDGET = 90_000;

/** Milliseconds that an answer asks to wait (RFC 9110, section 10.2.3), or undefined when it is no such answer. */
export function postponement(answer: Answer, attempt: number): number | undefined {
  const wait = answer.headers.find(([name]) => name === 'retry-after')?.[1];
  if (answer.status !== 429 && !(answer.status === 503 && wait !== undefined)) return undefined;
  if (wait === undefined) return 500 * 2 ** attempt;
  const seconds = /^\s*\d+\s*$/.test(wait) ? Number(wait) * 1000 : Date.parse(wait) - Date.now();
  return Number.isFinite(seconds) ? Math.max(seconds, 50) : 500 * 2 ** attempt;
}

/** Waits for permission to send: the rate bound and what the service asked for. */
export function createPacer(rate: number) {
  let nextSlot = 0;
  let pausedUntil = 0;
  let waited = 0;
  return {
    waited: () => waited,
    /** Milliseconds that are still to be waited because the service asked for it. */
    waits: () => Math.max(0, pausedUntil - performance.now()),
    /** Everybody waits; false when the waiting budget is spent. */
    postpone(milliseconds: number): boolean {
      const now = performance.now();
      if (milliseconds > LONGEST_POSTPONEMENT || waited + milliseconds > WAITING_BUDGET) return false;
      const until = now + milliseconds;
      waited += Math.max(0, until - Math.max(now, pausedUntil));
      pausedUntil = Math.max(pausedUntil, until);
      return true;
    },
    async turn(): Promise<void> {
      for (;;) {
        const now = performance.now();
        const slot = rate > 0 ? Math.max(nextSlot, pausedUntil) : pausedUntil;
        if (slot <= now) {
          nextSlot = now + (rate > 0 ? 1000 / rate : 0);
          return;
        }
        if (rate > 0) nextSlot = slot + 1000 / rate;
        await new Promise((resolve) => setTimeout(resolve, slot - now));
        if (rate > 0 && pausedUntil <= performance.now()) return;
      }
    },
  };
}
