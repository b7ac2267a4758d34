import type { CreatedAnimal } from '../../clause/run-record.ts';
import type { NewPetInput, PetView } from '../../schema/pet.ts';
import type { Exchange, PetStatus } from '../../wire/exchange.ts';
import type { Leftovers } from './leftovers.ts';
import type { Remember } from './run-memory.ts';

/** An animal that the suite created: what was sent and what was returned. */
export type KnownAnimal = {
  readonly id: bigint;
  readonly sent: NewPetInput;
  /** The 201 body, if it was a valid Pet. */
  readonly answered: PetView;
  /** In the plain domain; unusual ones may be rejected, but not changed. */
  readonly plain: boolean;
  /** Milliseconds since the run began at which the 201 was complete. */
  readonly createdAt: number;
  readonly exchange: Exchange;
};

/** An animal that an earlier run created. It proves nothing about this run by itself: requests of this run show whether it still exists. */
export type RememberedAnimal = {
  readonly id: bigint;
  readonly sent: NewPetInput;
  /** The date of its creation. */
  readonly createdOn: string;
};

/** What the run knows about the service so far. */
export type RunState = {
  /** Animals created by the suite, by the decimal digits of their id. */
  readonly created: ReadonlyMap<string, KnownAnimal>;
  /** Animals that earlier runs created and that this run checks, by the decimal digits of their id. */
  readonly remembered: ReadonlyMap<string, RememberedAnimal>;
  /** Every animal that the service has created for this run, including those from invalid bodies: each entry is one creation. */
  readonly entries: readonly CreatedAnimal[];
  /** Names (or a substitute for one that was not sent) of creations without a response whose result is unknown. */
  readonly ambiguous: readonly string[];
  /** How many of these a list of all animals has left, the last time that there was one: a new object each time. */
  readonly lookedUp: { readonly left: number };
  /** Animals that any valid response showed, by id; the latest view. */
  readonly seen: ReadonlyMap<string, PetView>;
  /** Ids, as digits, of created animals that a list has shown. */
  readonly listed: ReadonlySet<string>;
  /** A list showed an animal, or a creation returned its own name: otherwise no check and no invariant passes. */
  readonly credible: boolean;
  /** Names of this run in creations with the API key that were rejected, and the rejections; no other creation had the same name. */
  readonly refusedNames: ReadonlyMap<string, Exchange>;
  /** Creations that got 503 although the suite had waited as asked, at most 20. */
  readonly turnedAway: readonly Exchange[];
  /** The status that creations are rejected with since a quota is exhausted. */
  readonly creationQuota: number | undefined;
  /** Ids, as digits, that the service assigned to more than one creation. */
  readonly sharedIds: ReadonlySet<string>;
  /** What earlier runs left in the store. */
  readonly leftovers: Leftovers;
  /** The number of accepted invalid bodies, by the clause that forbids them. */
  readonly acceptedInvalid: ReadonlyMap<string, number>;
  /** Milliseconds until a creation is visible everywhere. */
  readonly consistencyWindow: number;
  readonly baseUrl: string;
  readonly now: Date;
  /** What else a check or an invariant remembers about the run, each under its own function. */
  readonly remember: Remember;
};

/** What is known about the status of a created animal: as sent, or else as in the 201. */
export function knownStatus(animal: KnownAnimal): PetStatus | undefined {
  return animal.sent.status ?? animal.answered.status;
}
