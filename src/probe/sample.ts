// The result of one run for a target: what everything else in the probe is made from.

import type { ClauseId } from '../clause/clause.ts';
import type { Verdict } from '../clause/outcome.ts';
import type { Impression } from './changes/change.ts';
import type { FailureReason, SampleFailure } from './failure.ts';

/** The result of one run for a target. `unknown` is the probe's own fault; it never counts for or against the target. */
export const PROBE_VERDICTS = ['pass', 'degraded', 'fail', 'unknown'] as const;
export type ProbeVerdict = (typeof PROBE_VERDICTS)[number];

/** In seconds; undefined if the phase did not take place. */
export type Phases = {
  readonly resolve?: number;
  readonly connect?: number;
  readonly tls?: number;
};

/** The result of one scheduled run: the raw fact, recorded whatever follows from it. */
export type Sample = {
  readonly target: string;
  /** Wall clock, milliseconds since 1970, at the start of the run. */
  readonly at: number;
  /** Milliseconds on the monotonic clock. */
  readonly duration: number;
  readonly verdict: ProbeVerdict;
  /** Of the first failure; also for `unknown`. */
  readonly reason?: FailureReason;
  readonly clause?: ClauseId;
  /** One line: why the verdict is what it is. */
  readonly note: string;
  readonly failures: readonly SampleFailure[];
  /** What shows that there is nothing to judge, such as the 401 that every request gets: no clause is blamed for that. */
  readonly shown?: Pick<SampleFailure, 'exchange' | 'command'>;
  readonly clauses: Readonly<Record<Verdict, number>>;
  /** Responses by operation and status code; requests without a response are under `none`. */
  readonly responses: readonly { readonly operation: string; readonly code: string; readonly count: number }[];
  readonly requests: number;
  /** A response took longer than the target's limit, whatever the verdict. */
  readonly slow: boolean;
  /** Status of the first complete response; 0 if there was none. */
  readonly httpStatus: number;
  readonly phases: Phases;
  readonly impressions: readonly Impression[];
  /** The process was delayed or overloaded during the run, which may be why it did not pass. */
  readonly ownFault?: true;
  /** It repeats the run before it, ahead of the interval, to see whether what that one found stays. */
  readonly confirms?: true;
  /** The reason of the maintenance window that the target was in. */
  readonly maintenance?: string;
  /** The earliest end of validity in the chain that the service showed, in seconds since 1970. */
  readonly certificateExpiry?: number;
  /** The earliest end of validity in the file of the client certificate, in seconds since 1970. */
  readonly clientCertificateExpiry?: number;
};

export const SMOKE_FORMATS = ['text', 'json', 'junit', 'prometheus'] as const;
export type SmokeFormat = (typeof SMOKE_FORMATS)[number];
