import type { PetStatus } from '../wire/exchange.ts';
import type { RedactedExchange } from '../wire/redacted-exchange.ts';
import type { Chapter, CheckId, ClauseId, Level } from './clause.ts';
import type { ClauseFailureKind } from './failure-kind.ts';
import type { Observation, Verdict, Why } from './outcome.ts';

/** Version of the run record's shape (schemas/run-record.schema.json). */
export const RUN_RECORD_VERSION = 1;

/** A finding in reports: texts cleaned, exchanges redacted. */
export type ReportedFinding = {
  readonly summary: string;
  readonly expected: readonly string[];
  readonly received: string;
  readonly pointer?: string;
  /** As in ReportedCase. */
  readonly failureKinds?: readonly number[];
  readonly exchanges: readonly RedactedExchange[];
};

/** One exchange that breaks a clause, in one line. */
export type ReportedCase = {
  readonly summary: string;
  /** The number of the exchange with the wrong response; missing if a finding rests on none. */
  readonly exchange?: number;
  /** Which of the `failureKinds` of the check it is; missing if there is only one. */
  readonly failureKinds?: readonly number[];
};

/** The entry of the waivers that covers a failure. */
export type AppliedWaiver = {
  /** Its place in the list, from 1. */
  readonly entry: number;
  readonly reason: string;
  readonly ticket?: string;
  readonly expires: string;
  /** Set if it covers every failure of its clause or check. */
  readonly broad?: true;
};

/** A kind of failure of a check, and how many of its cases are of that kind. */
export type ReportedKind = ClauseFailureKind & { readonly cases: number; readonly waiver?: AppliedWaiver };

/** How many of how many are broken. */
export type ReportedShare = { readonly broken: number; readonly of: number };

/** When a clause is broken, according to the cases of a run. */
export type ReportedContrast = {
  /** Completes "only …"; missing if every case is broken. */
  readonly when?: string;
  readonly unit: 'response' | 'animal';
  /** The cases to which that applies, and all others. */
  readonly there: ReportedShare;
  readonly elsewhere: ReportedShare;
  /** A request to which that applies and that breaks the clause, and the nearest one that does not break it. */
  readonly broken?: RedactedExchange;
  readonly twin?: RedactedExchange;
  /** The request that has to come right before, or how many have to be in flight together, if the clause is not broken otherwise. */
  readonly before?: RedactedExchange;
  readonly atOnce?: number;
  /** Set if requests that were sent again to find out show it; the counts are of these. */
  readonly asked?: true;
};

/** The verdict on one check or invariant. */
export type CheckRecord = {
  readonly id: CheckId;
  readonly clause: ClauseId;
  readonly kind: 'check' | 'invariant';
  readonly title: string;
  readonly verdict: Verdict;
  /** Pass: the evidence. Inconclusive: what was missing. Fail: the first summary. Waived: the reason. */
  readonly note: string;
  /** It, its clause, or all that shows it to be broken is newer than the version of --as-of: it warns at most. */
  readonly newer?: true;
  /** Fail: it did not recur when the request was repeated immediately. */
  readonly flaky?: boolean;
  /** Inconclusive: the reason. */
  readonly why?: Why;
  /** The failed clause that it waits for, if `why` is `waits`. */
  readonly blockedBy?: ClauseId;
  /** Findings of `fail` and `waived` with their exchanges: the first twenty of a clause, different kinds before several of one kind. */
  readonly findings: readonly ReportedFinding[];
  /** Every case of `fail` and `waived`, including those of the findings. Fail: without the cases that a waiver covers. */
  readonly cases?: readonly ReportedCase[];
  /** The kinds of failures of `fail` and `waived`, those that a waiver covers included. */
  readonly failureKinds?: readonly ReportedKind[];
  /** Fail: what waivers cover of the clause, and what this is. */
  readonly besideWaivers?: string;
  /** Fail: when the clause is broken, if the cases of the run show it. */
  readonly contrast?: ReportedContrast;
  readonly observations: readonly Observation[];
  /** Invariants: exchanges that it applied to, and those that broke it. */
  readonly evidence?: { readonly judged: number; readonly broken: number };
  /** Milliseconds that the check took; 0 for invariants. */
  readonly duration: number;
};

/** The verdict on a clause by those on its checks and invariants: a failure before a pass, and a pass before what is undecided. */
export type ClauseRecord = {
  readonly id: ClauseId;
  readonly chapter: Chapter;
  readonly section: string;
  readonly level: Level;
  readonly requirement: string;
  /** Sentences of the interface document that it rests on, verbatim. */
  readonly quote?: readonly string[];
  readonly derivation?: string;
  readonly likelyCause: string;
  readonly verdict: Verdict;
  /** Pass: how many of its checks and invariants are undecided, if any are. */
  readonly undecided?: number;
  /** Newer than the version of --as-of, or broken only by what is: it warns at most. */
  readonly newer?: true;
  /** Fail: all of its failed checks are flaky. */
  readonly flaky?: boolean;
};

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
  /** How much of the selection reached a verdict; not-applicable parts count as judged. */
  readonly judged?: { readonly clauses: Share; readonly checks: Share };
  readonly clauses: readonly ClauseRecord[];
  readonly checks: readonly CheckRecord[];
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
  /** What was cut short or waited for, in sentences. */
  readonly notices: readonly string[];
};
