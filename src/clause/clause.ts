import type { Exchange, Operation } from '../wire/exchange.ts';
import type { CatalogClauseId, CheckId, ClauseId, OwnClauseId } from './clause-ids.ts';
import type { Unsent } from './halt.ts';
import type { Finding, Observation } from './outcome.ts';
import type { SuiteVersion } from './since.ts';

/** `required`: stated. `implied`: follows from what is stated. `advised`: a standard says it. `open`: left open. */
export const LEVELS = ['required', 'implied', 'advised', 'open'] as const;
/** How binding a clause is, one of LEVELS. */
export type Level = (typeof LEVELS)[number];

/** Whether a broken clause of that level fails the run, strict or not. */
export function isBinding({ level }: { readonly level: Level }): boolean {
  return level === 'required' || level === 'implied';
}

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
 * When a check runs: reading what is there; creating only the first animals, so that lists are searched for them while the first page is nearly
 * empty; creating others; many reads for rare defects, which creations need not wait for; what must run alone; filling the store; properties;
 * looking back.
 */
export const STEPS = ['read', 'first-page', 'write', 'more-reads', 'alone', 'large-store', 'property', 'final'] as const;
/** When a check runs, one of STEPS. */
export type Step = (typeof STEPS)[number];

/** What a check sends: a probe runs `read` checks only; `intrusive` ones put the key where it does not belong. */
export const EFFECTS = ['read', 'intrusive', 'write'] as const;
/** What a check sends, one of EFFECTS. */
export type Effect = (typeof EFFECTS)[number];

/** The preconditions of sending requests, in words. */
export const NEEDS = {
  pets: 'an animal that a list shows or that was created',
  petList: 'a list that shows an animal',
  readable: 'an animal that getPet returns',
  creation: 'a plain NewPet that is accepted',
} as const;
export type Need = keyof typeof NEEDS;

export type { CatalogClauseId, CheckId, ClauseId, OwnClauseId };

/**
 * What a rule looks at, from the response as a whole (no response, a crash, a rejected API key) to how it agrees with other responses: a
 * breach of a lower layer may explain one of a higher layer. After a breach of `transport`, `failure`, `credential`, `status`, or `JSON` by
 * a clause of the interface, no higher layer is judged on that exchange.
 *
 * @example
 * ```ts
 * import { LAYERS } from '@petstore-conformance/cli';
 *
 * console.log(`from below: ${LAYERS.join(', ')}`);
 * ```
 */
export const LAYERS = ['transport', 'failure', 'credential', 'status', 'media type', 'JSON', 'schema', 'values', 'history'] as const;
/** What a rule looks at, one of LAYERS. */
export type Layer = (typeof LAYERS)[number];

/** The judgment of a rule on an exchange, with what is wrong, if anything is. */
export type Case<Event> = {
  readonly event: Event;
  readonly breach?: Breach;
  /** The animal that it is about, if it is about one. */
  readonly animal?: bigint;
  /** All other exchanges that are wrong the same way. */
  readonly others?: readonly Event[];
  /** Clauses that are broken too, and that the history rules out as the reason. */
  readonly cleared?: readonly ClauseId[];
};

/** What is wrong. Without `exchanges`, the exchange of the case alone shows it. */
export type Breach = InvariantFinding & {
  /** Breaches with the same symptom may have the same reason; the received status by default. */
  readonly symptom?: string;
  /** The rejected creation that did what the exchange of the case shows: such creations then show when the clause is broken. */
  readonly origin?: Exchange;
  /** All animals that the response shows otherwise than they were created: if each response does, such animals show when the clause is broken. */
  readonly animals?: readonly bigint[];
};

type Blame<Event> = {
  readonly layer: Layer;
  /**
   * Whether the rule is about the form of a response: a breach of it counts whatever else is wrong with the exchange, so no lower layer
   * explains it.
   */
  readonly letter?: boolean;
  /** Clauses whose breach on the same exchange, or on the same animal, explains a breach of this rule. */
  readonly after?: readonly ClauseId[];
  /**
   * Clauses of simpler requests, simplest first: if the nearest such request before or after is broken with the same symptom, that explains
   * the breach. `isTwin`: which of their requests are simpler ones of the same kind; by default those of the same operation. `isCloser`:
   * which of the twins differ by less; if there are any, the others don't count. `isKin`: a substitute when there is no twin. `explains`:
   * replaces the comparison of symptoms.
   */
  readonly simpler?: {
    readonly clauses: readonly ClauseId[];
    readonly isTwin?: (simpler: Event, own: Event) => boolean;
    readonly isCloser?: (simpler: Event, own: Event) => boolean;
    readonly isKin?: (simpler: Event, own: Event) => boolean;
    readonly explains?: (simpler: Case<Event>, own: Case<Event>) => boolean;
  };
  /** If the nearest valid request with the API key gets the same error, the breach has nothing to do with what this rule is about. */
  readonly contrasted?: boolean;
};

/**
 * A sentence of the document as a predicate. `judge` judges one exchange, given everything that the run has shown; it returns `holds` only
 * if the exchange could have broken the rule. `judgeAll` judges the whole history. Both are pure, and may be called at any time.
 */
export type Rule<Event, World> = Blame<Event> &
  (
    | {
        readonly judge: (event: Event, world: World) => 'not-applicable' | 'holds' | Breach;
        readonly judgeAll?: never;
        /** Whether it also judges undocumented requests: other spellings of a path, headers that ask for something else. */
        readonly undocumented?: boolean;
        /** The only part that has its cases, if the rule belongs to one part alone. */
        readonly part?: CheckId;
      }
    | { readonly judgeAll: (world: World) => readonly Case<Event>[]; readonly judge?: never; readonly part?: never }
  );

/** Which cases belong to a part of a clause, and what else must have been seen for the part to pass. */
export type Kind<Event, World> = {
  /** By default, the cases of the requests that the part sent itself; for a part that sends nothing, all cases. */
  readonly cases?: (one: Case<Event>, world: World) => boolean;
  /**
   * A rejection proves something only if something else was accepted: the operation of which the run must have seen an accepted request.
   */
  readonly accepts?: Operation;
  /** Why there was no such case, if there was none: what the document leaves open. */
  readonly unmet?: string;
  /** Says that this service has no such thing, if there was no case: the part is then not applicable. */
  readonly absent?: string;
  /** Whether the shortest request is shown first, for cases that are drawn and shrunk. */
  readonly shortestFirst?: boolean;
  /** For an open clause, which has no rules: the answers of the part's exchanges to its question; empty if they give none. */
  readonly observe?: (events: readonly Event[], world: World) => readonly Observation[];
};

/** A kind of cases with its own requests: data and one function that only sends and knows no test runner. The rules of the clause judge. */
export type Check<Session, Event = never, World = never> = Kind<Event, World> & {
  readonly id: CheckId;
  /** What holds, in a full sentence. */
  readonly title: string;
  readonly step: Step;
  readonly needs: readonly Need[];
  /** Resolves to the reason why something could not be sent; undefined if everything was sent. */
  readonly send: (session: Session) => Promise<Unsent | undefined>;
  readonly effect: Effect;
  /** Whether it is in the probe's selection: cheap, and worth sending continuously. */
  readonly smoke: boolean;
  /** Many requests for a rare defect: skipped at depth quick unless it is selected by name. */
  readonly exhaustive: boolean;
  /** Whether it mixes requests of all kinds, for the benefit of every clause: it is skipped if only its own clause is selected. */
  readonly mixing?: boolean;
  /** Whether it also puts the key where it does not belong, in addition to its effect. */
  readonly intrusive?: boolean;
  /** The version of the suite that first sent it; by default that of its clause. */
  readonly since?: SuiteVersion;
};

/** What an invariant says about one exchange: that it does not apply, that it holds, or what is wrong. */
export type InvariantJudgement = 'not-applicable' | 'holds' | InvariantFinding;

export type InvariantFinding = Omit<Finding, 'exchanges'> & {
  /** Given if the exchange is not shown as it was judged. */
  readonly exchanges?: Finding['exchanges'];
  /**
   * Everything that is wrong comes from values that earlier runs of the suite left in the store: it counts if this run shows that the
   * service still stores such values.
   */
  readonly leftBy?: readonly ClauseId[];
};

/** A kind of cases that sends nothing: all cases of the clause's rules in the run, whoever sent the requests. */
export type Invariant<Event = never, World = never> = Kind<Event, World> & {
  readonly id: CheckId;
  readonly title: string;
  /** The version of the suite that first had it; by default that of its clause. */
  readonly since?: SuiteVersion;
};

/** The sentences or table rows of the interface document that a clause rests on, verbatim. */
export type Quote = readonly [string, ...string[]];

/** What a clause says, and where it comes from. */
export type Wording = {
  readonly id: ClauseId;
  readonly chapter: Chapter;
  /** The version of the suite that first judged it; 3.0 by default. */
  readonly since?: SuiteVersion;
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
export type Clause<Session, Event = never, World = never> = Wording & {
  readonly checks: readonly Check<Session, Event, World>[];
  readonly invariants: readonly Invariant<Event, World>[];
  /** The rules that judge its parts; an open clause has none. */
  readonly rules: readonly Rule<Event, World>[];
};

type Title = Pick<Check<never>, 'id' | 'title' | 'since'>;

/** A clause as plain data: what the record of a run needs to know about it. */
export type ListedClause = Wording & { readonly checks: readonly Title[]; readonly invariants: readonly Title[] };
