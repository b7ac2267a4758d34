import type { PetView } from '../schema/pet.ts';
import type { Event } from './event.ts';
import { viewOf } from './view.ts';
import type { World } from './world.ts';

export const isCreation = ({ intent }: Event): boolean => intent.operation === 'createPet' && intent.credential === 'valid';
/** Whether both were under way at some moment. */
export const overlap = (one: Event, other: Event): boolean => one !== other && one.sent < other.done && other.sent < one.done;

/** An animal that was created, the creations that were under way at the same time, and how the 201 and reads show it. */
export type Creation = {
  readonly event: Event;
  readonly id: bigint;
  readonly beside: readonly Event[];
  readonly shown: readonly { readonly event: Event; readonly pet: PetView }[];
};

const made = new WeakMap<World, readonly Creation[]>();

/** The creations that made an animal from nothing but a NewPet of which the document says what is stored. */
export function creationsIn(world: World): readonly Creation[] {
  const known = made.get(world);
  if (known !== undefined) return known;
  const { reads, lists } = viewOf(world);
  const all = world.events.filter(isCreation);
  const creations = all.flatMap((event): Creation[] => {
    const { pet, intent } = event;
    if (pet === undefined || intent.sent === undefined || (intent.body !== 'plain' && intent.body !== 'unusual')) return [];
    const { id } = pet;
    // Lists show it where nothing can be read. Which of several animals with one id a response shows, nobody can tell.
    const isShared = all.some((other) => other !== event && other.pet?.id === id);
    const looks = (isShared ? [] : reads.size === 0 ? lists : (reads.get(id) ?? [])).flatMap((look) => {
      const seen = look.shown.get(id);
      return seen === undefined ? [] : [{ event: look.event, pet: seen }];
    });
    return [{ event, id, beside: all.filter((other) => overlap(event, other)), shown: [{ event, pet }, ...looks] }];
  });
  made.set(world, creations);
  return creations;
}

const turns = new WeakMap<World, ReadonlyMap<Event['asker'], readonly Event[]>>();

/** The creations of each part of a clause, in the order of sending. */
export function creationsByAsker(world: World): ReadonlyMap<Event['asker'], readonly Event[]> {
  const known = turns.get(world);
  if (known !== undefined) return known;
  const all = world.events.filter(isCreation).toSorted((a, b) => a.sent - b.sent);
  const byAsker = Map.groupBy(all, ({ asker }) => asker);
  turns.set(world, byAsker);
  return byAsker;
}
