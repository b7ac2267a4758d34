import { type PetView, petViews } from '../../schema/pet.ts';
import type { Exchange } from '../../wire/exchange.ts';

/** The largest page: it shows all animals of a store with fewer. */
export const LARGEST_PAGE = 100;

/** A creation without a response, and when it ended, in milliseconds since the start of the run. */
type Lost = { readonly name: string; readonly at: number };

/** Creations that got no response: the service may have created the animal. They count against the budget until a list shows otherwise. */
export type LostCreations = {
  add(name: string, exchange: Exchange): void;
  /** Their names, or a substitute for one that was not sent. */
  names(): readonly string[];
  /** The animal with that name has been found. */
  found(name: string): void;
  /** An animal that no known creation explains is seen for the first time. */
  meet(id: bigint): void;
  /** Removes those that a list of all animals, requested since, does not show. `isOwn`: no other animal has that name. */
  strikeOut(exchange: Exchange, isOwn: (name: string) => boolean): void;
  /** The number that the last such list has left; a new object for each list. */
  lookedUp(): { readonly left: number };
};

/** The animals of a list that has room for more. */
function completeList({ request, outcome }: Exchange): readonly PetView[] | undefined {
  const { operation, limit, status } = request.intent;
  if (operation !== 'listPets' || limit !== LARGEST_PAGE || status !== 'absent' || outcome.kind === 'failed') return undefined;
  const { json } = outcome.answer;
  if (!json.ok || !Array.isArray(json.value) || json.value.length >= LARGEST_PAGE) return undefined;
  const pets = petViews(json.value);
  return pets.every((pet) => pet !== undefined) ? pets : undefined;
}

export function createLostCreations(): LostCreations {
  const lost: Lost[] = [];
  const strangers = new Set<bigint>();
  let lookedUp = { left: 0 };
  return {
    add(name, { timings }) {
      lost.push({ name, at: timings.startedAt + timings.duration });
    },
    names: () => lost.map(({ name }) => name),
    found(name) {
      const index = lost.findIndex((one) => one.name === name);
      if (index >= 0) lost.splice(index, 1);
    },
    meet(id) {
      if (lost.length > 0) strangers.add(id);
    },
    strikeOut(exchange, isOwn) {
      const pets = lost.length === 0 ? undefined : completeList(exchange);
      if (pets === undefined) return;
      const shown = new Set(pets.map(({ name }) => name));
      const unexplained = pets.some(({ id }) => strangers.has(id));
      const stays = ({ name, at }: Lost): boolean => at > exchange.timings.startedAt || shown.has(name) || (unexplained && !isOwn(name));
      lost.splice(0, lost.length, ...lost.filter(stays));
      lookedUp = { left: lost.length };
    },
    lookedUp: () => lookedUp,
  };
}
