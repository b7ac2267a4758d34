import { AsyncLocalStorage } from 'node:async_hooks';
import type { CheckId } from '../clause/clause.ts';
import type { NewPetInput, PetView } from '../schema/pet.ts';
import type { Exchange, PetStatus } from '../wire/exchange.ts';
import type { ExtraHeaders } from '../wire/extra-headers.ts';
import type { Route } from '../wire/route.ts';
import type { Api } from './client/api.ts';
import type { KnownAnimal, RunState } from './state/run-state.ts';

export const DEPTHS = ['quick', 'standard', 'thorough'] as const;
export type Depth = (typeof DEPTHS)[number];

/** All options of a session, resolved once. */
export type SessionOptions = Route & {
  readonly headers: ExtraHeaders;
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly readOnly: boolean;
  /** Whether the animals of the first lists are enough to choose from, if possible: for runs of few requests. */
  readonly frugal?: boolean;
  /** Whether the key may be sent where it does not belong (query, cookie), to see that it is rejected there. */
  readonly intrusive: boolean;
  readonly maxCreates: number;
  /** Letters that make the names of this run unique. */
  readonly runTag: string;
  /** Ids, as digits, of animals that reports of earlier runs name. */
  readonly leftoverIds: readonly string[];
  readonly categoryIds: readonly bigint[];
  readonly depth: Depth;
  readonly seed: number;
  /** Milliseconds after which properties draw no new cases. */
  readonly timeBudget: number;
  /** "Now" for the deprecation date. */
  readonly now: Date;
  readonly concurrency: number;
  /** The timeout of one request in milliseconds, from DNS to the last byte of the body. */
  readonly timeout: number;
  readonly consistencyWindow: number;
  readonly waitForReady: number;
  /** Maximum number of requests per second; 0 for no limit. */
  readonly rate: number;
  readonly maxBody: number;
};

/** What a check gets. */
export type Session = {
  readonly options: SessionOptions;
  readonly api: Api;
  readonly knowledge: RunState;
  readonly fixtures: Fixtures;
  /** Works on all items at once; how many of their requests are in flight, the client decides. Results are in the order of the items. */
  all<Item, Result>(items: readonly Item[], work: (item: Item, index: number) => Promise<Result>): Promise<Result[]>;
  /** The rows that this run sends: all of them or, in a run of the probe with a small budget, the current part. */
  portion<Row>(rows: readonly Row[]): readonly Row[];
  /** How many of the planned property cases the depth, the observed latency, and the time budget allow (at least 1). */
  cases(plannedForStandard: number): number;
  /** Whether the time budget is spent: no new cases are drawn. */
  outOfTime(): boolean;
  /**
   * Sends requests until `done` is true, or until the last one was sent after the consistency window, and at least `least` (1) of them were
   * sent, unless the last one got no response; returns the last exchange.
   */
  poll(ask: () => Promise<Exchange>, done: (exchange: Exchange) => boolean, least?: number): Promise<Exchange>;
  /** How many outages the run has survived; after each, what was prepared is prepared again. */
  beginnings(): number;
  /** Waits, and sends nothing: if nothing else is in flight, the next request follows a pause. */
  pause(milliseconds: number): Promise<void>;
  /** Adds a sentence to the report: what was cut short or waited for. Each sentence is added once. */
  notice(sentence: string): void;
  close(): Promise<void>;
};

/** A NewPet as it was sent, and the response to it, whatever it is. */
export type Creation = { readonly sent: NewPetInput; readonly exchange: Exchange };

/** Preconditions of checks, made lazily and once. Each halts the check as inconclusive, with the reason, if it can't be made. */
export type Fixtures = {
  /** A list for which the key was accepted and that has at least one valid animal: the proof that there is a service. */
  admitted(): Promise<{ readonly exchange: Exchange; readonly pets: readonly PetView[] }>;
  /** Animals that were listed or, if no list can be read, created: the proof that there is a pet store. */
  recognized(): Promise<readonly PetView[]>;
  /**
   * The list of a store without animals, in which none can be created: empty with the API key and rejected without it, which rules out a
   * service that responds the same to everything. It proves nothing right, but what is wrong there is wrong as well. Undefined if the store
   * is not like that.
   */
  emptyStore(): Promise<Exchange | undefined>;
  /** The response to the first list without parameters, whatever it is: one request for all callers. */
  firstList(): Promise<Exchange>;
  /** The response to the first list with that status, whatever it is. */
  firstFiltered(status: PetStatus): Promise<Exchange>;
  /** The response to the first read of that animal, whatever it is; a 404 is repeated within the consistency window. */
  firstRead(id: bigint): Promise<Exchange>;
  /** An animal that the list shows or that was created, and that getPet returns. */
  existing(): Promise<PetView>;
  /** An animal of that status, like `existing`; created if there is none and writes are allowed. */
  withStatus(status: PetStatus): Promise<PetView>;
  /** A category that the service accepts. */
  category(): Promise<bigint>;
  /** A plain NewPet: a name never used before (ASCII letters, at most 20, a capital first or in the letter case that the service requires), an accepted category. */
  plain(status?: PetStatus): Promise<NewPetInput>;
  /** Like `plain`, for requests that must be rejected whatever their category: if none is known to be accepted, with any. */
  draft(status?: PetStatus): Promise<NewPetInput>;
  /**
   * One plain NewPet without a status and one of each status, created once for all callers. They are created one after the other, so that a
   * defect that appears only under concurrency does not show here.
   */
  firstCreations(): Promise<readonly Creation[]>;
  /** The first creations, at least one of which succeeded; halts if none did: until one does, a rejection proves nothing. */
  creatable(): Promise<readonly Creation[]>;
  /** Whether this is a store, empty or not, that creates no animals: each plain NewPet gets 400, or none may be sent. */
  refusesCreations(): Promise<boolean>;
  /** Creates one plain animal; halts as blocked by create.success if the service does not. */
  create(status?: PetStatus): Promise<KnownAnimal>;
  /** An int64 id that no animal has; a new one at each call. */
  absentId(): Promise<bigint>;
  /**
   * The number of distinct animals known to exist once the store holds more than 100: creates the missing ones, once. Halts if it can't.
   */
  many(): Promise<number>;
  /** Existing animals, from lists and creations, at most `most`, spread over all that are known. */
  sample(most: number): Promise<readonly PetView[]>;
};

const checks = new AsyncLocalStorage<CheckId>();

/**
 * Does the work of a check, so that each of its requests is attributed to it. A request that several checks share is attributed to the
 * first.
 */
export function askingAs<Result>(check: CheckId, work: () => Promise<Result>): Promise<Result> {
  return checks.run(check, work);
}

export function currentCheck(): CheckId | undefined {
  return checks.getStore();
}
