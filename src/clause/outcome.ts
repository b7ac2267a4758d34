import type { Exchange } from '../wire/exchange.ts';
import type { ClauseId } from './clause.ts';

/** A break of a clause, with what shows it. */
export type Finding = {
  /** One line that can stand in a CI list. */
  readonly summary: string;
  /** Every alternative that would have been accepted. */
  readonly expected: readonly string[];
  readonly received: string;
  /** JSON pointer to the broken part of the (last) answer's body, when there is one. */
  readonly pointer?: string;
  /** The exchanges that show it, in order: the last one is the answer that is wrong. */
  readonly exchanges: readonly Exchange[];
};

/** What the server does where the document is silent: a stable key and a value that can be compared. */
export type Observation = { readonly question: string; readonly answer: string };

export type Outcome =
  | { readonly kind: 'pass' /** What was seen that makes it one. */; readonly evidence: string }
  | { readonly kind: 'fail'; readonly findings: readonly [Finding, ...Finding[]] }
  | { readonly kind: 'inconclusive' /** What was missing. */; readonly missing: string; readonly blockedBy?: ClauseId }
  | { readonly kind: 'observed'; readonly observations: readonly Observation[] };

export const VERDICTS = ['pass', 'fail', 'inconclusive', 'observed', 'waived'] as const;
export type Verdict = (typeof VERDICTS)[number];
