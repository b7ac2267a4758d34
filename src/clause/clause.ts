import type { Exchange } from '../wire/exchange.ts';
import type { CatalogClauseId, CheckId, ClauseId, OwnClauseId } from './clause-ids.ts';
import type { Given } from './needs.ts';
import type { Finding, Outcome } from './outcome.ts';

/** `required`: stated. `implied`: follows from what is stated. `advised`: a standard says it. `open`: left open. */
export const LEVELS = ['required', 'implied', 'advised', 'open'] as const;
/** How binding a clause is, of LEVELS. */
export type Level = (typeof LEVELS)[number];

export const CHAPTERS = [
  'versioning',
  'authentication',
  'list-pets',
  'create-pet',
  'get-pet',
  'deprecation',
  'errors',
  'media-type',
  'records',
  // Clauses from outside this package.
  'own-rules',
] as const;
export type Chapter = (typeof CHAPTERS)[number];

/**
 * When a check runs: reading; creating the first animals and no others, so that lists are searched for them while the first page is nearly empty;
 * creating others; filling the store; properties; looking back.
 */
export const STEPS = ['read', 'first-page', 'write', 'large-store', 'property', 'final'] as const;
/** When a check runs, of STEPS. */
export type Step = (typeof STEPS)[number];

/** What a check sends: a probe runs `read` checks only; `intrusive` ones put the key where it does not belong. */
export const EFFECTS = ['read', 'intrusive', 'write'] as const;
/** What a check sends, of EFFECTS. */
export type Effect = (typeof EFFECTS)[number];

export type { CatalogClauseId, CheckId, ClauseId, OwnClauseId };

/** One way to judge a clause: data and one function that knows no test runner. */
export type Check<Session, FaultName extends string = string> = {
  readonly id: CheckId;
  /** What holds, as a full sentence. */
  readonly title: string;
  readonly step: Step;
  /** What the judgment needs, and clauses that it waits for besides; a check that waits for any other is a defect of the suite. */
  readonly given: readonly Given[];
  readonly effect: Effect;
  /** In the probe's selection: cheap, and worth asking continuously. */
  readonly smoke: boolean;
  /** Many requests for a rare defect: left out at depth quick unless it is named. */
  readonly exhaustive: boolean;
  /** The fault of the reference server that must turn this check red. None for a check of an open clause: it only records. */
  readonly fault?: FaultName;
  readonly run: (session: Session) => Promise<Outcome>;
};

/** What an invariant says of one exchange: nothing (it does not apply), that it holds, or what is wrong. */
export type InvariantJudgement = 'not-applicable' | 'holds' | InvariantFinding;

export type InvariantFinding = Omit<Finding, 'exchanges'> & {
  /** Where the exchange is shown in another way than it was judged. */
  readonly exchanges?: Finding['exchanges'];
  /** All that is wrong are values that earlier runs of the suite left in the store: it counts where this run shows that such are stored today. */
  readonly leftBy?: readonly ClauseId[];
};

/** A law that holds for every exchange of a run, whoever caused it. */
export type Invariant<RunState, FaultName extends string = string> = {
  readonly id: CheckId;
  readonly title: string;
  /** The fault of the reference server that must turn this invariant red. */
  readonly fault?: FaultName;
  readonly judge: (exchange: Exchange, knowledge: RunState) => InvariantJudgement;
};

/** The sentences or table rows of the interface document that a clause rests on, verbatim. */
export type Quote = readonly [string, ...string[]];

/** What a clause says, and where it comes from. */
export type Wording = {
  readonly id: ClauseId;
  readonly chapter: Chapter;
  /** Heading of the document that the clause comes from, or the RFC section for an advised one. */
  readonly section: string;
  /** What the service must do, understandable without the document. For an open clause: what is recorded. */
  readonly requirement: string;
  /** What usually causes the failure, for the reader of a report. */
  readonly likelyCause: string;
} & (
  | { readonly level: 'required'; readonly quote: Quote }
  | { readonly level: 'advised' | 'open'; readonly quote?: Quote }
  | { readonly level: 'implied'; readonly quote?: Quote /** From which sentences it follows, and how. */; readonly derivation: string }
);

/** A rule of the document, or a question that it leaves open. */
export type Clause<Session, RunState, FaultName extends string = string> = Wording & {
  readonly checks: readonly Check<Session, FaultName>[];
  readonly invariants: readonly Invariant<RunState, FaultName>[];
};

type Title = Pick<Check<never>, 'id' | 'title'>;

/** A clause as plain data: all that a record of a run needs to know of it. */
export type ListedClause = Wording & { readonly checks: readonly Title[]; readonly invariants: readonly Title[] };
