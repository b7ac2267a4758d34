// Stops sending to a service that has stopped responding, and what it never responds to; waits for one that is down for some seconds.

import { setTimeout as pause } from 'node:timers/promises';
import { postponement } from '../wire/rate-limit.ts';
import { LEAST_SERVER_ERROR } from '../wire/statuses.ts';
import { inSeconds } from '../wire/wording.ts';
import type { Received } from './rows-history.ts';

/** Why something is not sent, and the exchange that shows it. */
export type Refusal = { readonly missing: string; readonly needs: number };

/** What the next requests are told by. */
export type Ended = Pick<Received, 'number' | 'at' | 'response' | 'failure'>;

export type Circuit<One extends Ended> = {
  /** Why nothing of these kinds is sent any more. Waits first where the service may come back. */
  admit(kinds: readonly string[]): Promise<Refusal | undefined>;
  note(kinds: readonly string[], received: One): void;
  /** Forgets what failed so far: a service that was waited for has not stopped responding. */
  reset(): void;
  /** What failed while the service was down, once it is back; each once. */
  takeLost(): readonly One[];
};

export type CircuitParts = {
  /** One request that is not recorded: whether the service is back. */
  readonly ask: () => Promise<Ended>;
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
const hasResponded = ({ response, failure }: Ended): boolean => response !== undefined || failure?.reason === 'too_large';
/** It says nothing: a kept connection that was closed at that moment, or a busy machine of ours. */
const saysNothing = ({ failure }: Ended): boolean => failure?.stale === true || failure?.heldUp === true;
const isServerError = ({ response }: Ended): boolean =>
  response !== undefined && response.status >= LEAST_SERVER_ERROR && response.status !== 501 && postponement(response, 0) === undefined;
const isWrong = (one: Ended): boolean => !hasResponded(one) || isServerError(one);
const isRefused = ({ failure }: Ended): boolean => failure?.reason === 'connect';

type Tally = { hangs: number; failures: number; responses: number; last: number };
const untried = (): Tally => ({ hangs: 0, failures: 0, responses: 0, last: 0 });

export function createCircuit<One extends Ended>({ ask, elapsed, notice }: CircuitParts): Circuit<One> {
  const tallies = new Map<string, Tally>();
  /** What went wrong since the last right response. */
  let wrong: One[] = [];
  let lost: readonly One[] = [];
  let [timeouts, lastTimeout, patience] = [0, 0, PATIENCE];
  let wasRight = false;
  let returning: Promise<void> | undefined;
  let dead: Refusal | undefined;
  /** A service that fails all the time is not waited for again. */
  let isBroken = false;

  function goOn(more: readonly One[]): void {
    lost = [...lost, ...more];
    wrong = [];
    tallies.clear();
  }

  /** Asks whether the service still responds, and waits where it does not. */
  async function waitForReturn(): Promise<void> {
    const [begin, last] = [elapsed(), wrong.at(-1)];
    if (last === undefined) return;
    const what = isServerError(last)
      ? `returned ${last.response?.status}`
      : isRefused(last)
        ? 'accepted no connection'
        : 'gave no complete response';
    const who = last.failure?.party === 'proxy' ? 'The proxy' : 'The service';
    for (let asked = 0; asked === 0 || (wasRight && elapsed() - begin < patience); asked += 1) {
      if (asked > 0) await pause(BETWEEN);
      const answer = await ask();
      if (isWrong(answer)) continue;
      // Where it responds at once, it fails for what was asked; connections that were not accepted are not, whatever is asked.
      goOn(asked === 0 ? wrong.filter(isRefused) : wrong);
      if (asked === 0) return;
      patience -= elapsed() - begin;
      notice(`${who} ${what} for ${inSeconds(elapsed() - begin)} from ${inSeconds(begin)} after the start of the run on: it was down`);
      return;
    }
    patience -= elapsed() - begin;
    if (isServerError(last)) isBroken = true;
    else dead = { missing: last.failure?.message ?? 'the service has stopped responding', needs: last.number };
    wrong = [];
  }

  return {
    async admit(kinds) {
      while (wrong.length >= DOWN_AFTER && dead === undefined && !(isBroken && wrong.some(isServerError))) {
        returning ??= waitForReturn().finally(() => {
          returning = undefined;
        });
        await returning;
      }
      if (dead !== undefined) return { ...dead, missing: `the service has stopped responding: ${dead.missing}` };
      if (timeouts >= MOST_TIMEOUTS) return { missing: `${timeouts} requests timed out; sending stopped`, needs: lastTimeout };
      for (const kind of kinds) {
        const { hangs, failures, responses, last } = tallies.get(kind) ?? untried();
        if ((hangs >= MOST_HANGS && responses === 0) || (failures >= MOST_FAILURES && failures > responses))
          return { missing: `requests of this kind got no complete response (${kind}); no more are sent`, needs: last };
      }
      return undefined;
    },
    note(kinds, one) {
      if (saysNothing(one)) return;
      const responded = hasResponded(one);
      if (one.failure?.reason === 'timeout') [timeouts, lastTimeout] = [timeouts + 1, one.number];
      for (const kind of kinds) {
        const tally = tallies.get(kind) ?? untried();
        tallies.set(kind, tally);
        if (responded) tally.responses += 1;
        else tally.failures += 1;
        if (one.failure?.reason === 'timeout') tally.hangs += 1;
        if (!responded) tally.last = one.number;
      }
      if (isWrong(one)) {
        wrong.push(one);
        return;
      }
      wasRight = true;
      // What was sent before the first one that went wrong says nothing about the time since.
      if (one.at >= (wrong[0]?.at ?? 0)) wrong = [];
    },
    reset() {
      tallies.clear();
      wrong = [];
      timeouts = 0;
    },
    takeLost() {
      const taken = lost;
      lost = [];
      return taken;
    },
  };
}
