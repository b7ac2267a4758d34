import type { Exchange } from '../wire/exchange.ts';
import type { ClauseId } from './clause.ts';
import type { StatedKind } from './failure-kind.ts';

/** A breach of a clause, with the exchanges that show it. */
export type Finding = {
  /** One line that fits in a CI list. */
  readonly summary: string;
  /** Every alternative that would have been accepted. */
  readonly expected: readonly string[];
  readonly received: string;
  /** JSON pointer to the broken part of the body of the (last) response, if there is one. */
  readonly pointer?: string;
  /**
   * Which kinds of failure it is, all of them, so that a waiver of one does not hide another: by default one, by the statuses that are expected and
   * received, or by the pointer.
   */
  readonly failureKinds?: readonly StatedKind[];
  /** The exchanges that show it, in order: the last one has the wrong response. */
  readonly exchanges: readonly Exchange[];
};

/** What the server does where the document is silent: a stable key and a value that can be compared. */
export type Observation = { readonly question: string; readonly answer: string };

/**
 * Why a check is undecided. `service`: the service asked to wait, timed out, or stopped creating. `choice`: an option of the user's.
 * `circumstance`: what the document leaves open (a full page, a small store). `waits`: it waits for a clause that failed, is waived, or is not judged in this run.
 */
export const WHYS = ['service', 'choice', 'circumstance', 'waits'] as const;
export type Why = (typeof WHYS)[number];

export type Outcome =
  | { readonly kind: 'pass' /** The evidence. */; readonly evidence: string }
  | { readonly kind: 'fail'; readonly findings: readonly [Finding, ...Finding[]] }
  | { readonly kind: 'inconclusive' /** What was missing. */; readonly missing: string; readonly why: Exclude<Why, 'waits'> }
  | {
      readonly kind: 'inconclusive';
      readonly missing: string;
      readonly why: 'waits' /** The clause that failed. */;
      readonly blockedBy: ClauseId;
    }
  | { readonly kind: 'not-applicable' /** What does not exist in this service. */; readonly absent: string }
  | { readonly kind: 'observed'; readonly observations: readonly Observation[] };

export const VERDICTS = ['pass', 'fail', 'inconclusive', 'not-applicable', 'observed', 'waived'] as const;
/** The result of a check, an invariant, or a clause, one of VERDICTS. */
export type Verdict = (typeof VERDICTS)[number];

export function passNote(judged: number): string {
  return judged === 1 ? '1 exchange judged, which does not break it' : `${judged} exchanges judged, none of which breaks it`;
}

/** Why nothing counts where no response showed a valid animal. */
export const NOT_RECOGNIZED = 'no response showed a valid animal, so nothing shows that this is a pet store';
