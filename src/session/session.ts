import type { NewPetInput, PetView } from '../schema/pet.ts';
import type { Exchange, PetStatus } from '../wire/exchange.ts';
import type { Api } from './client/api.ts';
import type { KnownAnimal, RememberedAnimal, RunState } from './state/run-state.ts';

export const DEPTHS = ['quick', 'standard', 'thorough'] as const;
export type Depth = (typeof DEPTHS)[number];

/** Everything that a session is told; resolved once, nothing optional. */
export type SessionOptions = {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly readOnly: boolean;
  /** Whether what the first lists show is enough to choose animals from, if it can be: for runs of few requests. */
  readonly frugal?: boolean;
  /** Whether the key may be sent where it does not belong (query, cookie), to see that it is refused there. */
  readonly intrusive: boolean;
  readonly maxCreates: number;
  readonly namePrefix: string;
  /** Letters that make the names of this run its own. */
  readonly runTag: string;
  /** Ids, as digits, of animals that reports of earlier runs name. */
  readonly leftoverIds: readonly string[];
  /** An earlier run created animals here: a rejection that looks like a quota is one, and nothing more is sent to prove it. */
  readonly createdEarlier?: boolean;
  /** Animals of earlier runs that this one looks after. */
  readonly remembered?: readonly RememberedAnimal[];
  readonly categoryIds: readonly bigint[];
  readonly depth: Depth;
  readonly seed: number;
  /** Milliseconds after which properties draw no new cases. */
  readonly timeBudget: number;
  /** "Now" for the deprecation date. */
  readonly now: Date;
  readonly concurrency: number;
  /** Milliseconds for timeout of one request, from DNS to the last byte of the body. */
  readonly timeout: number;
  readonly consistencyWindow: number;
  readonly waitForReady: number;
  /** Requests a second at most; 0 for no bound. */
  readonly rate: number;
  readonly maxBody: number;
  readonly ca: string | undefined;
  readonly proxy: string | undefined;
  /** Whether requests carry a `traceparent`. */
  readonly trace: boolean;
};

/** What a check is given. */
export type Session = {
  readonly options: SessionOptions;
  readonly api: Api;
  readonly knowledge: RunState;
  readonly fixtures: Fixtures;
  /** Works on all items with at most `concurrency` under way; results in the order of the items. */
  all<Item, Result>(items: readonly Item[], work: (item: Item, index: number) => Promise<Result>): Promise<Result[]>;
  /** The rows that this run judges: all of them, or, in a run of the probe with a small budget, the part whose turn it is. */
  portion<Row>(rows: readonly Row[]): readonly Row[];
  /** How many of the planned property cases the depth, the latency seen and the time budget allow (at least 1). */
  cases(plannedForStandard: number): number;
  /** True when the time budget is spent: draw no new cases. */
  outOfTime(): boolean;
  /** Asks until `done` is true or the consistency window is over; the last exchange. */
  poll(ask: () => Promise<Exchange>, done: (exchange: Exchange) => boolean): Promise<Exchange>;
  /** Waits, and sends nothing: where nothing else is under way, the next request comes after a pause. */
  pause(milliseconds: number): Promise<void>;
  /** Adds a sentence to the report: what was cut short or waited for. Said once only. */
  notice(sentence: string): void;
  close(): Promise<void>;
};

/** A NewPet as it was sent, and the response to it, whatever it is. */
export type Creation = { readonly sent: NewPetInput; readonly exchange: Exchange };

/** Things that checks need, made lazily and once. Each halts the check as inconclusive, with the reason, when it can't be had. */
export type Fixtures = {
  /** A list that the key was admitted to and that has at least one valid animal: the proof that a service is there. */
  admitted(): Promise<{ readonly exchange: Exchange; readonly pets: readonly PetView[] }>;
  /** Animals that were listed or, where no list can be read, created: the proof that a pet store is there. */
  recognized(): Promise<readonly PetView[]>;
  /**
   * The list of a store without animals, in which none can be created: empty with the API key and rejected without it, which nothing that
   * answers the same to everything does. It proves nothing right, but what is wrong is wrong there too. Undefined where that is not so.
   */
  emptyStore(): Promise<Exchange | undefined>;
  /** The answer to the first list without parameters, whatever it is: one request for all who ask. */
  firstList(): Promise<Exchange>;
  /** The answer to the first list with that status, whatever it is. */
  firstFiltered(status: PetStatus): Promise<Exchange>;
  /** The answer to the first read of that animal, whatever it is; a 404 is asked again within the consistency window. */
  firstRead(id: bigint): Promise<Exchange>;
  /** An animal that the list shows or that was created, and that getPet answers. */
  existing(): Promise<PetView>;
  /** An animal of that status as `existing`; created if there is none and writes are allowed. */
  withStatus(status: PetStatus): Promise<PetView>;
  /** A category that the service accepts. */
  category(): Promise<bigint>;
  /** A plain NewPet: a name never used before (ASCII letters, at most 20), an accepted category. */
  plain(status?: PetStatus): Promise<NewPetInput>;
  /** As `plain`, for requests that must be rejected whatever their category: where none is known to be accepted, with any. */
  draft(status?: PetStatus): Promise<NewPetInput>;
  /**
   * One plain NewPet without a status and one of each status, created once for all who look at the first few animals. One after the other, so
   * that a defect that appears only under concurrency does not show here.
   */
  firstCreations(): Promise<readonly Creation[]>;
  /** The first creations, of which one succeeded at least; halts when none did: until one does, a rejection proves nothing. */
  creatable(): Promise<readonly Creation[]>;
  /** Whether this is a store, empty or not, that creates no animals: each plain NewPet is rejected, not with 401, or none may be sent. */
  refusesCreations(): Promise<boolean>;
  /** Creates one plain animal; halts as blocked by create.success when the service does not. */
  create(status?: PetStatus): Promise<KnownAnimal>;
  /** An int64 id that no animal has; a new one at each call. `near` prefers ids beside those known. */
  absentId(): Promise<bigint>;
  /** The distinct animals known to exist once the store holds more than 100: creates the missing ones, once. Halts when it can't. */
  many(): Promise<number>;
  /** Animals that exist, from lists and creation, at most `most`, spread over what is known. */
  sample(most: number): Promise<readonly PetView[]>;
};
