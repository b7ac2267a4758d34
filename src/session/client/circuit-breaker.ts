import { haltAt } from '../../clause/halt.ts';
import type { Exchange, TransportFailure, TransportReason } from '../../wire/exchange.ts';
import { inSeconds } from '../../wire/wording.ts';

const CEASED_AFTER = 5;
/** Timeouts of one kind of request after which it is not sent again, if it has had fewer responses. */
const SITUATION_TIMEOUTS = 3;
/** The same if that kind never had a response. */
const TIMEOUTS_OF_SILENCE = 2;
/** The same for all failures: a connection that is closed or reset costs little, and other bodies or parameters may get a response. */
const SITUATION_FAILURES = 8;
/** A service that lets every other request hang costs as much as one that lets all hang. */
const MOST_TIMEOUTS = 40;
const MOST_PROBES = 40;
const RETURN_PATIENCE = 10_000;
const RETURN_PAUSE = 250;

/** Stops sending to a service that has stopped responding, and stops sending what it never responds to. */
export type Breaker = {
  /** Halts if the service has stopped responding, altogether or to requests of that situation; waits first if it may be restarting. */
  check(situation: string, wider?: string): Promise<void>;
  /** `wider`: a situation that includes many; nothing more is sent in it if it only had timeouts. */
  note(situation: string, exchange: Noted, wider?: string): void;
  /** Forgets all failures so far: a service that was waited for has not stopped responding. */
  reset(): void;
};

export type BreakerParts = {
  /** One unrecorded request on a separate connection: whether the service still responds (a half-open probe). */
  readonly aliveRequest: () => Promise<Exchange>;
  readonly notice: (sentence: string) => void;
  readonly elapsed: () => number;
};

type Tally = { failures: number; timeouts: number; responses: number };
type Noted = Pick<Exchange, 'outcome' | 'number'>;

const untried = (): Tally => ({ failures: 0, timeouts: 0, responses: 0 });

/**
 * Five transport failures of one kind in a row: if a probe request gets a response, only what fails is not sent again; if it does not,
 * nothing is. A service that responded before, and now accepts no connections or breaks off whatever it is sent, has ten seconds to come
 * back, once per run: it may have been restarted. After forty timeouts in all, nothing more is sent.
 */
export function createBreaker(parts: BreakerParts): Breaker {
  const situations = new Map<string, Tally>();
  let row = 0;
  let kind: TransportReason | undefined;
  /** Whose doing the latest failure is, and in what words; undefined for the service's. */
  let foreign: Pick<TransportFailure, 'party' | 'message'> | undefined;
  let timeouts = 0;
  /** The latest failure: each of them shows why nothing more is sent. */
  let failed: Pick<Exchange, 'number'> = { number: 0 };
  let hasResponded = false;
  let probes = 0;
  let probing: Promise<boolean> | undefined;
  let returned: Promise<boolean> | undefined;

  async function waitForReturn(): Promise<boolean> {
    const begin = parts.elapsed();
    const who = foreign?.party === 'proxy' ? 'The proxy' : 'The service';
    const what = kind === 'connect' ? 'accepted no connection' : 'returned no complete response';
    while (parts.elapsed() - begin < RETURN_PATIENCE) {
      const exchange = await parts.aliveRequest();
      if (exchange.outcome.kind === 'answered') {
        parts.notice(
          `${who} ${what} for ${inSeconds(parts.elapsed() - begin)} from ${inSeconds(begin)} after the start of the run on: ${kind === 'connect' ? 'it was restarted' : 'it was down'}`,
        );
        row = 0;
        probing = undefined;
        return true;
      }
      await new Promise((resolve) => setTimeout(resolve, RETURN_PAUSE));
    }
    parts.notice(
      `${who} has ${kind === 'connect' ? 'accepted no connections' : 'returned no complete response'} since ${inSeconds(begin)} after the start of the run`,
    );
    return false;
  }

  async function probe(): Promise<boolean> {
    probes += 1;
    const exchange = await parts.aliveRequest();
    if (exchange.outcome.kind === 'failed') return false;
    row = 0;
    probing = undefined;
    return true;
  }

  async function stillResponds(): Promise<boolean> {
    if (!hasResponded) return false;
    if (kind === 'connect') {
      returned ??= waitForReturn();
      return (await returned) && row < CEASED_AFTER;
    }
    if (probing === undefined && probes >= MOST_PROBES) return false;
    probing ??= probe();
    if (await probing) return true;
    if (kind === 'timeout') return false;
    returned ??= waitForReturn();
    return (await returned) && row < CEASED_AFTER;
  }

  function count(situation: string, outcome: Exchange['outcome']): void {
    const tally = situations.get(situation) ?? untried();
    situations.set(situation, tally);
    if (outcome.kind === 'answered') tally.responses += 1;
    else if (!outcome.failure.stale) {
      tally.failures += 1;
      if (outcome.failure.reason === 'timeout') tally.timeouts += 1;
    }
  }

  return {
    async check(situation, wider) {
      if (timeouts >= MOST_TIMEOUTS) haltAt(failed, `${timeouts} requests timed out; sending stopped`);
      const { failures, timeouts: late, responses } = situations.get(situation) ?? untried();
      const mostTimeouts = responses === 0 ? TIMEOUTS_OF_SILENCE : SITUATION_TIMEOUTS;
      if ((failures >= SITUATION_FAILURES || late >= mostTimeouts) && failures > responses)
        haltAt(failed, `${failures} requests of this kind got no complete response (${situation}); no more are sent`);
      const all = wider === undefined ? undefined : situations.get(wider);
      if (all !== undefined && all.timeouts >= TIMEOUTS_OF_SILENCE && all.responses === 0)
        haltAt(failed, `${all.timeouts} requests of this kind timed out, and none got a response (${wider}); no more are sent`);
      if (row < CEASED_AFTER || (await stillResponds())) return;
      haltAt(failed, foreign?.message ?? `the service has stopped responding: ${row} transport failures in a row (${kind})`);
    },
    note(situation, { outcome, number }, wider) {
      for (const one of wider === undefined ? [situation] : [situation, wider]) count(one, outcome);
      // A body beyond our limit is a response.
      if (outcome.kind === 'answered' || outcome.failure.reason === 'too_large') {
        row = 0;
        hasResponded = true;
        return;
      }
      const { reason, stale, party, message } = outcome.failure;
      if (stale) return;
      foreign = party === undefined ? undefined : { party, message };
      failed = { number };
      if (reason === 'timeout') timeouts += 1;
      row = reason === kind ? row + 1 : 1;
      kind = reason;
    },
    reset() {
      situations.clear();
      row = 0;
      timeouts = 0;
    },
  };
}
