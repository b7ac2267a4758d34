import type { CreatedAnimal } from '../../clause/run-record.ts';
import type { NewPetInput, PetView } from '../../schema/pet.ts';
import type { Exchange, PetStatus } from '../../wire/exchange.ts';
import type { Leftovers } from './leftovers.ts';
import type { Remember } from './run-memory.ts';

/** An animal that the suite created: what was sent and what came back. */
export type KnownAnimal = {
  readonly id: bigint;
  readonly sent: NewPetInput;
  /** The 201 body, when it was a valid Pet. */
  readonly answered: PetView;
  /** In the plain domain; unusual ones may be refused, but not changed. */
  readonly plain: boolean;
  /** Milliseconds since the run began at which the 201 was complete. */
  readonly createdAt: number;
  readonly exchange: Exchange;
};

/** An animal that an earlier run created. It proves nothing of this run by itself: what this run asks shows what became of it. */
export type RememberedAnimal = {
  readonly id: bigint;
  readonly sent: NewPetInput;
  /** The day of its creation, as a date. */
  readonly createdOn: string;
};

/** What the run knows of the service so far. */
export type RunState = {
  /** Animals created by the suite, by the decimal digits of their id. */
  readonly created: ReadonlyMap<string, KnownAnimal>;
  /** Animals that earlier runs created and that this one looks after, by the decimal digits of their id. */
  readonly remembered: ReadonlyMap<string, RememberedAnimal>;
  /** Every animal that the service has created for this run, also from bodies that are invalid: each entry is one creation. */
  readonly entries: readonly CreatedAnimal[];
  /** Names, or what stands for one that was not sent, of creations without a response of which it is not known whether anything came. */
  readonly ambiguous: readonly string[];
  /** What a list of all animals has left of these, the last time that there was one: another value each time. */
  readonly lookedUp: { readonly left: number };
  /** Animals that any valid answer showed, by id; the latest sighting. */
  readonly seen: ReadonlyMap<string, PetView>;
  /** Ids, as digits, of created animals that a list has shown. */
  readonly listed: ReadonlySet<string>;
  /** A list showed an animal, or a creation came back with its own name: without it no check and no invariant passes. */
  readonly credible: boolean;
  /** Names of this run in creations with the right key that were refused, and how; no other creation had the same name. */
  readonly refusedNames: ReadonlyMap<string, Exchange>;
  /** Creations that were answered 503 though the suite had come back when it was told to, at most 20. */
  readonly turnedAway: readonly Exchange[];
  /** The status that creations are rejected with since a quota is used up. */
  readonly creationQuota: number | undefined;
  /** Ids, as digits, that the service assigned to more than one creation. */
  readonly sharedIds: ReadonlySet<string>;
  /** What earlier runs left in the store. */
  readonly leftovers: Leftovers;
  /** How many invalid bodies were accepted, by the clause that calls them invalid. */
  readonly acceptedInvalid: ReadonlyMap<string, number>;
  /** Milliseconds until a creation is seen everywhere. */
  readonly consistencyWindow: number;
  readonly baseUrl: string;
  readonly now: Date;
  /** What else a check or an invariant remembers of the run, each under a function of its own. */
  readonly remember: Remember;
};

/** What is known of the status of a created animal: as sent, else as the 201 said. */
export function knownStatus(animal: KnownAnimal): PetStatus | undefined {
  return animal.sent.status ?? animal.answered.status;
}
