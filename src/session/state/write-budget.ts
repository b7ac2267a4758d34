import { haltInconclusive } from '../../clause/halt.ts';
import { LARGEST_LIMIT } from '../../clause/limits.ts';
import { createSemaphore, MOST_MORE } from '../../wire/concurrency.ts';
import type { Api, CreateOptions, ListParameters } from '../client/api.ts';
import { currentCheck, type SessionOptions } from '../session.ts';
import type { RunState } from './run-state.ts';

/** Reserves room for creations: the run state says what has been created, and what may have been. */
export type WriteBudget = {
  /** Reserves a creation before its POST is sent, once those in flight leave room for it; halts if the budget has none. */
  reserve(options?: Pick<CreateOptions, 'clause'>): Promise<void>;
  /** Returns a reservation: its POST is about to be recorded, or was never sent. */
  release(): void;
  /** The list of all animals, if it should be requested: responses to creations were lost, and it shows their results. */
  lookUp(): ListParameters | undefined;
  /** Animals that may still be created. */
  room(): number;
};

/** The fraction of the budget that invalid bodies leave to other creations, once more than a few of them have been accepted. */
const KEPT = 0.25;
const FEW_ACCEPTED = 4;
/** The number of further lost creations after the last look-up from which on the next one is due. */
const PER_LIST = 8;

const total = (counts: ReadonlyMap<unknown, number>): number => [...counts.values()].reduce((sum, count) => sum + count, 0);

/** The unused budget of a run. */
export function createWriteBudget(
  { readOnly, maxCreates }: { readonly readOnly: boolean; readonly maxCreates: number },
  state: Pick<RunState, 'entries' | 'ambiguous' | 'acceptedInvalid' | 'lookedUp'>,
): WriteBudget {
  let reserved = 0;
  /** Reservations that wait for another to be returned: most invalid bodies create nothing. */
  const waiting: (() => void)[] = [];
  let { lookedUp } = state;
  let lostAtLookUp = 0;
  const room = (): number => (readOnly ? 0 : maxCreates - state.entries.length - state.ambiguous.length - reserved);

  return {
    room,
    async reserve(sending) {
      if (readOnly) haltInconclusive('creating an animal is not allowed in a read-only run', 'choice');
      while (room() <= 0 && reserved > 0) await new Promise<void>((resolve) => waiting.push(resolve));
      if (room() <= 0) {
        haltInconclusive(`the write budget of ${maxCreates} animals is spent; --max-creates raises it`, 'choice');
      }
      if (sending?.clause !== undefined && total(state.acceptedInvalid) > FEW_ACCEPTED && room() <= maxCreates * KEPT) {
        haltInconclusive(
          `invalid bodies were accepted and used up their part of the write budget of ${maxCreates} animals; --max-creates raises it`,
          'choice',
        );
      }
      reserved += 1;
    },
    release() {
      reserved -= 1;
      for (const goOn of waiting.splice(0)) goOn();
    },
    lookUp() {
      if (lookedUp !== state.lookedUp) {
        lookedUp = state.lookedUp;
        lostAtLookUp = lookedUp.left;
      }
      const lost = state.ambiguous.length;
      if (lost < lostAtLookUp + PER_LIST) return undefined;
      lostAtLookUp = lost;
      return { limit: LARGEST_LIMIT };
    },
  };
}

/** The largest number of POSTs in flight, as for a distant service; fewer if the budget is small. */
function mostUnderWay({ concurrency, maxCreates }: Pick<SessionOptions, 'concurrency' | 'maxCreates'>): number {
  return Math.min(MOST_MORE * concurrency, Math.max(concurrency, Math.floor(maxCreates / 8)));
}

/**
 * The operations as checks use them. A table of invalid bodies is sent a few at a time, so that the write budget notices accepted ones
 * before they use up the part that it reserves for other creations.
 */
export function boundCreations(api: Api, options: Pick<SessionOptions, 'concurrency' | 'maxCreates'>, isFar: () => boolean): Api {
  const enter = createSemaphore(() => mostUnderWay(options), isFar);
  return { ...api, create: (body, about) => enter(() => api.create(body, about), currentCheck()) };
}
