// Which animals a run of rows has left in the store, and which it may have left: the operator removes them, because there is no delete.

import { LARGEST_LIMIT } from '../clause/limits.ts';
import type { CreatedAnimal } from '../clause/run-record.ts';
import { bodyTextOf, type Exchange, hasKey } from '../oracle/exchange.ts';
import { limitIn, statusIn } from '../oracle/timeline-view.ts';
import { isErrorBody, nameSent, type World } from '../oracle/world.ts';
import type { PetView } from '../schema/pet.ts';
import { mayHaveArrived } from '../session/budget.ts';
import { isSuccess } from '../wire/exchange.ts';
import { LEAST_REJECTION, UNAUTHORIZED } from '../wire/statuses.ts';

export type Animals = {
  readonly created: readonly CreatedAnimal[];
  /** Names of creations without a response, and of rejected ones where the service stores what it rejects: they may exist. */
  readonly ambiguous: readonly string[];
};

/** A 2xx that is a rejection by its body has created nothing. */
const hasCreated = ({ read: { response } }: Exchange): boolean =>
  response !== undefined && isSuccess(response.status) && (response.status === 201 || !isErrorBody(response));
const isRejected = ({ status = 0 }: Exchange): boolean => status >= LEAST_REJECTION && status < 500;

/** What a creation is called where its name is not one. */
const nameOf = (exchange: Exchange): string => nameSent(exchange) ?? (/^\s*\{/.test(bodyTextOf(exchange)) ? '(no name)' : '(not JSON)');

const entryOf = (id: string, name: string, status: PetView['status']): CreatedAnimal => ({
  ...{ id, name },
  ...(status === undefined ? {} : { status }),
});

const showsAllAnimals = (exchange: Exchange): boolean => {
  const { facts, read } = exchange;
  return (
    hasKey(exchange) &&
    limitIn(exchange) === LARGEST_LIMIT &&
    statusIn(exchange) === undefined &&
    facts.list?.status.kind === 'absent' &&
    read.pets !== undefined &&
    read.size < LARGEST_LIMIT &&
    read.pets.length === read.size
  );
};

/**
 * Whether animals exist that creations with the API key were rejected for: by the names that only this run has, or because a list of all animals shows one
 * more than it did before.
 */
export function storesRejected({ creations, exchanges, returned, seen, shownFirst }: World, runTag: string): boolean {
  const isOfService = (one: Exchange): boolean => !hasCreated(one) && isRejected(one) && one.status !== UNAUTHORIZED;
  const first = creations.find(isOfService);
  if (first === undefined) return false;
  const isNew = ({ id }: PetView): boolean => !returned.has(id) && (shownFirst.get(id) ?? 0) > first.at;
  const strangers = [...seen.values()].filter(isNew);
  // Asked before each creation, and mostly there are none.
  if (strangers.length === 0) return false;
  const names = new Set(creations.filter(isOfService).flatMap((one) => nameSent(one) ?? []));
  if (strangers.some(({ name = '' }) => name.toLowerCase().includes(runTag.toLowerCase()) && names.has(name))) return true;
  const complete = exchanges.filter(showsAllAnimals);
  const mayBeOfOthers = creations.some((one) => one.response === undefined && mayHaveArrived(one));
  return (
    !mayBeOfOthers &&
    complete.some(({ done }) => done < first.at) &&
    complete.some(({ at, read }) => at > first.done && read.pets?.some(isNew))
  );
}

/** The animals of a run: `runTag` is in the names of this run and of no other. */
export function animalsOf(world: World, runTag: string): Animals {
  const { creations, exchanges, seen, shownFirst } = world;
  const isOwn = (name: string): boolean => name.toLowerCase().includes(runTag.toLowerCase());
  const made = creations.filter(hasCreated);
  const ids = new Set(made.flatMap(({ read }) => read.pet?.id ?? []));
  const names = new Set(made.flatMap((one) => nameSent(one) ?? []));
  const open = creations.filter((one) => !hasCreated(one) && (one.response === undefined ? mayHaveArrived(one) : isRejected(one)));
  const byName = Map.groupBy(open, nameOf);
  // The service stored what it rejected, or the response was lost.
  const found = [...seen.values()].filter(({ id, name = '' }) => !ids.has(id) && isOwn(name) && byName.has(name) && !names.has(name));
  const foundNames = new Set(found.map(({ name = '' }) => name));
  const keepsRejected = storesRejected(world, runTag) || found.some(({ name = '' }) => byName.get(name)?.some(isRejected) === true);
  const complete = exchanges.filter(showsAllAnimals);
  const isExplained = ({ id, name = '' }: PetView): boolean => ids.has(id) || foundNames.has(name);
  /** Whether a list of all animals since then shows that it created none. */
  const wasNotCreated = (one: Exchange, name: string): boolean =>
    complete.some(({ at, read: { pets = [] } }) => {
      if (at < one.done) return false;
      if (isOwn(name)) return pets.every((pet) => pet.name !== name);
      return pets.every((pet) => isExplained(pet) || (shownFirst.get(pet.id) ?? 0) <= one.at);
    });
  const counted = open.filter((one) => one.response === undefined || keepsRejected);
  return {
    created: [
      ...made.map((one) => entryOf(String(one.read.pet?.id ?? '?'), nameOf(one), one.read.pet?.status)),
      ...found.map(({ id, name = '', status }) => entryOf(String(id), name, status)),
    ],
    ambiguous: counted.flatMap((one) => {
      const name = nameOf(one);
      return foundNames.has(name) || wasNotCreated(one, name) ? [] : [name];
    }),
  };
}
