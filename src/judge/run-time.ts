// How long a run of rows may take: until its deadline, or until somebody interrupts it.

import { setTimeout as pause } from 'node:timers/promises';
import { SHORT_OF_TIME } from '../plan/choose.ts';
import type { ReasonNotSent } from '../session/history.ts';

/** Of the time until a deadline, what the requests of the plan may take: the rest is for its end, and for asking again. */
const SHARE_OF_TIME = 0.8;

const OUT_OF_TIME: ReasonNotSent = { why: 'choice', missing: SHORT_OF_TIME };
export const INTERRUPTED: ReasonNotSent = { why: 'choice', missing: 'the time to send it: the run was interrupted' };

type Bounds = {
  /** Milliseconds since the beginning. */
  readonly elapsed: () => number;
  readonly deadline?: number;
  /** Whether the plan may take all of the time, since what comes after it has bounds of its own. */
  readonly isAllForPlan?: boolean;
  readonly interruption?: AbortSignal;
};

export class RunTime {
  /** The end of a run may take what is kept of its time. */
  isEnd = false;
  private readonly elapsed: () => number;
  private readonly deadline: number;
  private readonly planEnd: number;
  private readonly interruption: AbortSignal | undefined;
  private readonly stopping = new AbortController();
  private readonly timer: NodeJS.Timeout | undefined;

  constructor({ elapsed, deadline = Number.POSITIVE_INFINITY, isAllForPlan = false, interruption }: Bounds) {
    this.elapsed = elapsed;
    this.deadline = deadline;
    this.planEnd = isAllForPlan ? deadline : deadline * SHARE_OF_TIME;
    this.interruption = interruption;
    if (deadline !== Number.POSITIVE_INFINITY) this.timer = setTimeout(() => this.stopping.abort(OUT_OF_TIME), deadline);
    if (interruption?.aborted === true) this.interrupt();
    interruption?.addEventListener('abort', this.interrupt, { once: true });
  }

  /** Why nothing more is sent; undefined as long as something is. */
  readonly reasonToStop = (): ReasonNotSent | undefined => {
    const { aborted, reason } = this.stopping.signal;
    if (aborted) return reason as ReasonNotSent;
    return this.elapsed() > (this.isEnd ? this.deadline : this.planEnd) ? OUT_OF_TIME : undefined;
  };

  /** Settles once nothing more is sent. */
  whenStopped(): Promise<undefined> {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const { signal } = this.stopping;
    if (signal.aborted) resolve(undefined);
    else signal.addEventListener('abort', () => resolve(undefined), { once: true });
    return promise;
  }

  async wait(milliseconds: number): Promise<void> {
    await pause(milliseconds, undefined, { signal: this.stopping.signal }).catch(() => undefined);
  }

  /** How many requests fit into the time that is left for the plan, if each takes so many milliseconds. */
  requestsLeft(each: number): number {
    return Number.isFinite(this.planEnd) ? Math.floor((this.planEnd - this.elapsed()) / Math.max(1, each)) : Number.POSITIVE_INFINITY;
  }

  close(): void {
    clearTimeout(this.timer);
    this.interruption?.removeEventListener('abort', this.interrupt);
  }

  private readonly interrupt = (): void => this.stopping.abort(INTERRUPTED);
}
