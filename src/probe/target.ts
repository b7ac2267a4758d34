import type { Waiver } from '../judge/waiver-file.ts';
import type { ExtraHeaders } from '../wire/extra-headers.ts';
import type { Route } from '../wire/route.ts';
import type { AlertRule } from './alerts/target-state.ts';
import type { ChangeKind } from './changes/change.ts';
import type { TurnLimits } from './turn-state.ts';

/** What a run sends and how, with the names and the meaning of the options of `run`. */
export type Checks = {
  /** Chapters and clauses, as patterns; empty for all. */
  readonly only: readonly string[];
  readonly skip: readonly string[];
  /** Whether broken advised clauses, and what is undecided because of the service, fail the run. */
  readonly strict: boolean;
  /** The version of the suite whose verdicts count: what is newer warns at most. */
  readonly asOf: string | undefined;
  /** Milliseconds that a single request may take before the run counts as degraded. */
  readonly latencyLimit: number;
  /** Milliseconds for one request, which never exceeds the deadline of the run. */
  readonly timeout: number;
  /** Concurrent requests within a run. */
  readonly concurrency: number;
  /** Maximum number of requests per second; 0 for no limit. */
  readonly rate: number;
  /** What a run may send after the requests of every run. */
  readonly turns: Omit<TurnLimits, 'now'>;
};

/** A resolved target, with nothing optional; only the configuration reader sees another form. */
export type Target = Checks &
  Route & {
    /** The only property of a target that is ever a label. */
    readonly name: string;
    /** Without a trailing slash. */
    readonly baseUrl: string;
    /** The current key: a key in a file may be rotated while the probe runs. */
    readonly apiKey: () => string;
    /** The current headers that each request gets in addition: their values may be in files too. */
    readonly headers: () => ExtraHeaders;
    /** Milliseconds. */
    readonly interval: number;
    /** Milliseconds for a whole run, from DNS to the last body byte; at most 0.8 of the interval. */
    readonly deadline: number;
    /** When it is down, and when it is up again. */
    readonly alertRule: AlertRule;
    /** For clauses that are known to be broken: until they expire they do not make the target fail. */
    readonly waivers: readonly Waiver[];
    /** Kinds of changes that are sent to the webhooks; all others are only shown. */
    readonly alertOnChanges: readonly ChangeKind[];
  };

/** The largest fraction of the interval that a run may take, which keeps runs from overlapping. */
export const DEADLINE_SHARE = 0.8;

/** The size of a body in bytes from which on a run gives up on it. */
export const MAX_BODY = 1024 * 1024;

export const TARGET_DEFAULTS = {
  interval: 60_000,
  deadline: 30_000,
  latencyLimit: 2_000,
  alertRule: { failures: 3, window: 5, passes: 2 },
  concurrency: 2,
  turns: { budget: 20, nearMisses: false },
  only: [],
  skip: [],
  strict: false,
  asOf: undefined,
  timeout: Number.POSITIVE_INFINITY,
  rate: 0,
  alertOnChanges: [],
} as const;
