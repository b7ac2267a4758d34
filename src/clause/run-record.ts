import type { PetStatus } from '../wire/exchange.ts';
import type { ClauseId } from './clause.ts';
import type { ClauseRecord } from './clause-record.ts';

/** Version of the run record's shape (schemas/run-record.schema.json). */
export const RUN_RECORD_VERSION = 3;

export type CreatedAnimal = { readonly id: string; readonly name: string; readonly status?: PetStatus };

export type OperationStatistics = {
  readonly operation: string;
  readonly requests: number;
  /** Responses by status; the key `failed` counts requests without a response. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Every duration in milliseconds, rounded to 0.1, in the order of sending (at most 5,000 kept). */
  readonly durations: readonly number[];
};

/** Features of the responses of the run, for behavior.json. */
export type Traits = {
  /** Header names seen per operation and status, `getPet 200` to sorted names. */
  readonly headers: Readonly<Record<string, readonly string[]>>;
  /** Member names seen in the bodies, by message: pet, error. */
  readonly members: Readonly<Record<string, readonly string[]>>;
};

/**
 * A departure from the document that is the same everywhere: its clause reports it once, and all others read responses as if it were not
 * there.
 */
export type Departure = {
  /** The kind of response that departs. */
  readonly place: string;
  readonly clause: ClauseId;
  /** How such responses are read, as a sentence. */
  readonly description: string;
};

export type Share = { readonly judged: number; readonly of: number };

/**
 * When the requests of a run were in flight, as columns: each has one number a request, in the order of sending. Where a run had more requests than
 * columns hold, those that break nothing are thinned out evenly.
 */
export type RunTimeline = {
  /** How many requests there were. */
  readonly requests: number;
  /** Whole milliseconds: since the run began until it was sent, and from then to the last byte of its response. */
  readonly starts: readonly number[];
  readonly durations: readonly number[];
  /** Requests in flight at the same time have different ones: each has the lowest that was free, from 0. */
  readonly lanes: readonly number[];
  /** The place of its operation: 0 listPets, 1 createPet, 2 getPet. */
  readonly operations: readonly number[];
  /** The first digit of the status; 0 without a response. */
  readonly classes: readonly number[];
  /** Which requests break which clause, as places in the columns; and how many did, where that are more. */
  readonly broken: readonly { readonly clause: ClauseId; readonly places: readonly number[]; readonly of?: number }[];
  /** In the order of sending. */
  readonly phases: readonly { readonly title: string; readonly from: number }[];
};

/** Exit codes: the conclusion of the whole run. */
export const EXIT_CODES = { conformant: 0, broken: 1, usage: 2, unjudged: 3, hungUp: 129, interrupted: 130, terminated: 143 } as const;
export type ExitCode = (typeof EXIT_CODES)[keyof typeof EXIT_CODES];

/** The signals that end a run, each with its exit code. */
export const SIGNAL_CODES = { SIGHUP: EXIT_CODES.hungUp, SIGINT: EXIT_CODES.interrupted, SIGTERM: EXIT_CODES.terminated } as const;
export type StopSignal = keyof typeof SIGNAL_CODES;

/** One run as one value: the source of every report. */
export type RunRecord = {
  readonly version: typeof RUN_RECORD_VERSION;
  readonly tool: { readonly name: 'petstore-conformance'; readonly version: string };
  /** `name`: what the service is called where results are shown; missing, like `document`, in records of earlier versions. */
  readonly target: { readonly baseUrl: string; readonly reference: boolean; readonly name?: string };
  /** The interface document that it was judged by, as the digest of its bytes. */
  readonly document?: { readonly digest: string };
  /** ISO 8601 in UTC. */
  readonly startedAt: string;
  /** Milliseconds. */
  readonly duration: number;
  readonly options: {
    readonly depth: string;
    readonly seed: number;
    readonly readOnly: boolean;
    readonly strict: boolean;
    /** The version of the suite whose verdicts count. */
    readonly asOf?: string;
    readonly only: readonly string[];
    readonly skip: readonly string[];
    readonly now: string;
  };
  /** Why the exit code is what it is, in words. */
  readonly conclusion: { readonly exitCode: ExitCode; readonly headline: string; readonly reasons: readonly string[] };
  readonly interrupted: boolean;
  /** How much of the selection reached a verdict; what is not applicable counts as judged. */
  readonly judged: { readonly clauses: Share; readonly musts: Share };
  /** How many pairs of values that may stand together met in a request. */
  readonly plan?: { readonly pairs: { readonly met: number; readonly of: number } };
  readonly clauses: readonly ClauseRecord[];
  readonly animals: {
    readonly created: readonly CreatedAnimal[];
    /** Names of animals whose POST got no response, or was rejected by a service that stores what it rejects: they may exist. */
    readonly ambiguous: readonly string[];
    readonly budget: number;
    /** About how many animals a next run with the same options creates; only of a whole run that found the store empty. */
    readonly nextRun?: number;
    readonly prefix: string;
  };
  readonly operations: readonly OperationStatistics[];
  readonly traits: Traits;
  readonly departures: readonly Departure[];
  readonly timeline?: RunTimeline;
  /** What was cut short or waited for, in sentences. */
  readonly notices: readonly string[];
};

/** What a record has of a run in addition to its verdicts. */
export type RunSummary = Pick<RunRecord, 'animals' | 'operations' | 'traits' | 'departures' | 'notices'>;
