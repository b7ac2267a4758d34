import { haltInconclusive } from '../../clause/halt.ts';
import { LARGEST_LIMIT } from '../../clause/limits.ts';
import { createSemaphore, MOST_MORE } from '../../wire/concurrency.ts';
import type { Api, ListParameters } from '../client/api.ts';
import { currentCheck, type SessionOptions } from '../session.ts';
import type { RunState } from './run-state.ts';

/** Reserves room for creations: the run state says what has been created, and what may have been. */
export type WriteBudget = {
  /**
   * Reserves a creation before its POST is sent, once those in flight leave room for it; halts if the budget has none. `kind`: what is to be rejected,
   * as `kindOfRejection` names it.
   */
  reserve(kind?: string): Promise<void>;
  /** Returns a reservation: its POST is about to be recorded, or was never sent. */
  release(kind?: string): void;
  /**
   * The list of all animals, if it should be requested. It shows the results of creations whose responses were lost and, once in a run, whether
   * rejected creations were stored: before these could have used up the budget.
   */
  lookUp(): ListParameters | undefined;
  /** Animals that may still be created by what is to be accepted. */
  room(): number;
};

/**
 * The room that is kept for what must be rejected, one for each kind until the first of the kind was accepted: a service that conforms creates nothing by
 * it, so all of it is sent, however small the budget; and what accepts one kind does not take the place of the others.
 */
const FOR_REJECTIONS = 6;
const MOST_FOR_REJECTIONS = 0.25;
/** The fraction of the budget that invalid bodies leave to other creations, once more than a few of them have been accepted. */
const KEPT = 0.25;
const FEW_ACCEPTED = 4;
/** The number of further lost creations after the last look-up from which on the next one is due. */
const PER_LIST = 8;

const total = (counts: ReadonlyMap<unknown, number>): number => [...counts.values()].reduce((sum, count) => sum + count, 0);

export function createWriteBudget(
  { readOnly, maxCreates }: { readonly readOnly: boolean; readonly maxCreates: number },
  state: Pick<RunState, 'entries' | 'ambiguous' | 'acceptedInvalid' | 'acceptedKinds' | 'lookedUp' | 'uncheckedRejections'>,
): WriteBudget {
  const forRejections = Math.min(FOR_REJECTIONS, Math.floor(maxCreates * MOST_FOR_REJECTIONS));
  let reserved = 0;
  const inFlight = new Map<string, number>();
  /** Reservations that wait for another to be returned: most invalid bodies create nothing. */
  const waiting: (() => void)[] = [];
  let { lookedUp } = state;
  let lostAtLookUp = 0;
  let rejectionsChecked = false;
  /** The room for a kind, if nothing in flight creates an animal. */
  const roomAtBest = (kind?: string): number => {
    const kept = kind === undefined || state.acceptedKinds.has(kind) ? Math.max(0, forRejections - state.acceptedKinds.size) : 0;
    return readOnly ? 0 : maxCreates - state.entries.length - state.ambiguous.length - kept;
  };
  const room = (): number => roomAtBest() - reserved;
  /** The room that is kept takes one of a kind at a time. */
  const hasRoom = (kind?: string): boolean => room() > 0 || (kind !== undefined && !inFlight.has(kind) && roomAtBest(kind) - reserved > 0);

  return {
    room,
    async reserve(kind) {
      if (readOnly) haltInconclusive('creating an animal is not allowed in a read-only run', 'choice');
      while (!hasRoom(kind) && roomAtBest(kind) > 0 && reserved > 0) await new Promise<void>((resolve) => waiting.push(resolve));
      if (!hasRoom(kind)) haltInconclusive(`the write budget of ${maxCreates} animals is spent; --max-creates raises it`, 'choice');
      const isKnown = kind !== undefined && state.acceptedKinds.has(kind);
      if (isKnown && total(state.acceptedInvalid) > FEW_ACCEPTED && room() <= maxCreates * KEPT) {
        haltInconclusive(
          `--max-creates (${maxCreates}) is nearly used up by invalid bodies that were accepted: once they are rejected, these are sent`,
          'choice',
        );
      }
      reserved += 1;
      if (kind !== undefined) inFlight.set(kind, (inFlight.get(kind) ?? 0) + 1);
    },
    release(kind) {
      reserved -= 1;
      const others = kind === undefined ? 0 : (inFlight.get(kind) ?? 0) - 1;
      if (kind !== undefined && others > 0) inFlight.set(kind, others);
      else if (kind !== undefined) inFlight.delete(kind);
      for (const goOn of waiting.splice(0)) goOn();
    },
    lookUp() {
      if (lookedUp !== state.lookedUp) {
        lookedUp = state.lookedUp;
        lostAtLookUp = lookedUp.left;
      }
      const lost = state.ambiguous.length;
      const isDue = !rejectionsChecked && state.uncheckedRejections >= Math.max(PER_LIST, room());
      if (lost < lostAtLookUp + PER_LIST && !isDue) return undefined;
      lostAtLookUp = lost;
      rejectionsChecked ||= isDue;
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
