import type { ClauseId } from '../clause/clause.ts';
import { isCrash } from '../session/expect.ts';
import type { RunState } from '../session/state/run-state.ts';
import type { Operation } from '../wire/exchange.ts';
import type { Event } from './event.ts';

/** What the history says of the service: all that rules may know besides the exchange that they judge. */
export type World = {
  /** In the order in which the exchanges ended. */
  readonly events: readonly Event[];
  /** Animals, categories, quotas, and what else follows from all of them. */
  readonly known: RunState;
  /** Whether a request with the API key, sent as the document has it, was seen to get a 2xx: a body that must be rejected is none of them. */
  accepts(operation: Operation): boolean;
};

/** The world as the events leave it, and what was accepted before them. */
export function worldOf(events: readonly Event[], known: RunState, earlier: readonly Event[] = []): World {
  const accepted = new Set(
    [...earlier, ...events]
      .filter(({ intent, status = 0 }) => intent.credential === 'valid' && intent.body !== 'invalid' && status >= 200 && status < 300)
      .map(({ intent }) => intent.operation),
  );
  return { events, known, accepts: (operation) => accepted.has(operation) };
}

const shownFirst = new WeakMap<World, ReadonlyMap<bigint, number>>();

/** When the response was there that showed each animal first, in milliseconds since the run began. */
function shownFirstIn(world: World): ReadonlyMap<bigint, number> {
  const known = shownFirst.get(world);
  if (known !== undefined) return known;
  const first = new Map<bigint, number>();
  for (const { pet, pets = [], done } of world.events)
    for (const { id } of pet === undefined ? pets : [pet, ...pets]) first.set(id, Math.min(done, first.get(id) ?? done));
  shownFirst.set(world, first);
  return first;
}

/** Whether a response has shown that animal before the request was sent, or its own does: what is created later did not exist. */
export function wasShown(petId: bigint, { sent, pet }: Event, world: World): boolean {
  const { seen, created } = world.known;
  if (!seen.has(String(petId)) && !created.has(String(petId))) return false;
  return pet?.id === petId || (shownFirstIn(world).get(petId) ?? sent) <= sent;
}

/**
 * Whether the document answers the request with success, its credential aside: a list with parameters in range, a plain NewPet, or an animal that a
 * response has shown.
 */
export function isRightButForKey(event: Event, world: World): boolean {
  const { intent } = event;
  if (intent.undocumented === true) return false;
  switch (intent.operation) {
    case 'listPets':
      return intent.limit !== 'open' && intent.status !== 'open';
    case 'createPet':
      return intent.body === 'plain';
    case 'getPet':
      return intent.petId !== undefined && wasShown(intent.petId, event, world);
    default:
      return intent.operation satisfies never;
  }
}

/** The clauses of which each says that a right request of an operation succeeds. */
export const SUCCESS = {
  listPets: 'list.success',
  createPet: 'create.success',
  getPet: 'get.success',
} as const satisfies Readonly<Record<Operation, ClauseId>>;

/** The clause of an error that a right request with the API key gets. */
export function clauseOfError(status: number, operation: Operation): ClauseId {
  return isCrash(status) ? 'errors.no-server-error' : SUCCESS[operation];
}
