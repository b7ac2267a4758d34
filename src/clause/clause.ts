import type { Exchange, Operation } from '../wire/exchange.ts';
import type { CatalogClauseId, CheckId, ClauseId, OwnClauseId } from './clause-ids.ts';
import type { Unsent } from './halt.ts';
import type { Finding, Observation } from './outcome.ts';

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
 * creating others; what must be alone; filling the store; properties; looking back.
 */
export const STEPS = ['read', 'first-page', 'write', 'alone', 'large-store', 'property', 'final'] as const;
/** When a check runs, of STEPS. */
export type Step = (typeof STEPS)[number];

/** What a check sends: a probe runs `read` checks only; `intrusive` ones put the key where it does not belong. */
export const EFFECTS = ['read', 'intrusive', 'write'] as const;
/** What a check sends, of EFFECTS. */
export type Effect = (typeof EFFECTS)[number];

/** What may have to be there before requests are sent, in words. */
export const NEEDS = {
  pets: 'an animal that a list shows or that was created',
  petList: 'a list that shows an animal',
  readable: 'an animal that getPet returns',
  creation: 'a plain NewPet that is accepted',
} as const;
/** What may have to be there before requests are sent, of NEEDS. */
export type Need = keyof typeof NEEDS;

export type { CatalogClauseId, CheckId, ClauseId, OwnClauseId };

/**
 * What a rule looks at, from the response as a whole (no response, a crash, a rejected API key) to what it says beside other responses: a break of a
 * lower layer may explain one of a higher. After a break of `transport`, `failure`, `credential`, `status`, or `JSON` by a clause of the interface,
 * nothing above it is judged on that exchange.
 *
 * @example
 * ```ts
 * import { LAYERS } from '@petstore-conformance/cli';
 *
 * console.log(`from below: ${LAYERS.join(', ')}`);
 * ```
 */
export const LAYERS = ['transport', 'failure', 'credential', 'status', 'media type', 'JSON', 'schema', 'values', 'history'] as const;
/** What a rule looks at, of LAYERS. */
export type Layer = (typeof LAYERS)[number];

/** One exchange in the light of a rule, with what is wrong, if anything is. */
export type Case<Event> = {
  readonly event: Event;
  readonly breach?: Breach;
  /** The animal that it is about, where it is about one. */
  readonly animal?: bigint;
  /** All other exchanges that are wrong the same way. */
  readonly others?: readonly Event[];
  /** Clauses that are broken beside it, and that the history shows not to be the reason. */
  readonly cleared?: readonly ClauseId[];
};

/** What is wrong. Where `exchanges` are not given, the exchange of the case alone shows it. */
export type Breach = InvariantFinding & {
  /** Breaches with the same symptom may have one reason; the status received where it is not given. */
  readonly symptom?: string;
  /** The rejected creation that did what the exchange of the case shows: when the clause is broken is told by such creations then. */
  readonly origin?: Exchange;
};

type Blame<Event> = {
  readonly layer: Layer;
  /** Whether it is about how a response is worded: that is wrong whatever else is wrong with the exchange, so that no lower layer explains it. */
  readonly letter?: boolean;
  /** Clauses of which a breach on the same exchange, or on the same animal, explains a breach of this rule. */
  readonly after?: readonly ClauseId[];
  /**
   * Clauses of simpler requests, simplest first: where the nearest one before or after is broken with the same symptom, that explains the breach.
   * `isTwin`: which of their requests are simpler ones of the same kind; by default those of the same operation. `isCloser`: which of the twins
   * differ by less; where there are any, the others don't count. `isKin`: where there is no twin, these will do. `explains`: where it takes
   * something else than the same symptom.
   */
  readonly simpler?: {
    readonly clauses: readonly ClauseId[];
    readonly isTwin?: (simpler: Event, own: Event) => boolean;
    readonly isCloser?: (simpler: Event, own: Event) => boolean;
    readonly isKin?: (simpler: Event, own: Event) => boolean;
    readonly explains?: (simpler: Case<Event>, own: Case<Event>) => boolean;
  };
  /** Where a right request with the API key, nearest in time, gets the same error, that is no matter of what this rule is about. */
  readonly contrasted?: boolean;
};

/**
 * A sentence of the document as a predicate. `judge`: of one exchange, in the light of everything that the run has shown; `holds` is said only
 * where the rule could have been broken. `judgeAll`: of the whole history. Both are pure, and may be asked at any time.
 */
export type Rule<Event, World> = Blame<Event> &
  (
    | {
        readonly judge: (event: Event, world: World) => 'not-applicable' | 'holds' | Breach;
        readonly judgeAll?: never;
        /** Whether it is asked of undocumented requests too: other spellings of a path, headers that ask for something else. */
        readonly undocumented?: boolean;
        /** The part that its cases are of, and no other, where it is the law of one part alone. */
        readonly part?: CheckId;
      }
    | { readonly judgeAll: (world: World) => readonly Case<Event>[]; readonly judge?: never; readonly part?: never }
  );

/** Which cases a part of a clause consists of, and what must have been seen besides for it to pass. */
export type Kind<Event, World> = {
  /** By default: those of the requests that the part sent itself; of a part that sends nothing, all. */
  readonly cases?: (one: Case<Event>, world: World) => boolean;
  /** A rejection proves something only beside an acceptance: the operation that must have been seen to accept a request of its own. */
  readonly accepts?: Operation;
  /** Why there was no such case, where none was met: what the document leaves open. */
  readonly unmet?: string;
  /** That there is no such thing in this service, where none was met: then it is not applicable. */
  readonly absent?: string;
  /** Whether the shortest request is shown first, of cases that are drawn and shrunk. */
  readonly shortestFirst?: boolean;
  /** Of an open clause, which has no rules: what the exchanges of the part say of its question; nothing where they don't tell. */
  readonly observe?: (events: readonly Event[], world: World) => readonly Observation[];
};

/** A kind of cases that has requests of its own: data and one function that knows no test runner and only sends. The rules of the clause judge. */
export type Check<Session, FaultName extends string = string, Event = never, World = never> = Kind<Event, World> & {
  readonly id: CheckId;
  /** What holds, as a full sentence. */
  readonly title: string;
  readonly step: Step;
  /** What must be there before it sends. */
  readonly needs: readonly Need[];
  /** Resolves to why something could not be sent; undefined where all of it was. */
  readonly send: (session: Session) => Promise<Unsent | undefined>;
  readonly effect: Effect;
  /** In the probe's selection: cheap, and worth asking continuously. */
  readonly smoke: boolean;
  /** Many requests for a rare defect: left out at depth quick unless it is named. */
  readonly exhaustive: boolean;
  /** It mixes requests of all kinds, for the sake of every clause: it is left out where its clause alone is selected. */
  readonly mixing?: boolean;
  /** It puts the key where it does not belong, besides what its effect says. */
  readonly intrusive?: boolean;
  /** The fault of the reference server that must turn this check red. None for a check of an open clause: it only records. */
  readonly fault?: FaultName;
};

/** What an invariant says of one exchange: nothing (it does not apply), that it holds, or what is wrong. */
export type InvariantJudgement = 'not-applicable' | 'holds' | InvariantFinding;

export type InvariantFinding = Omit<Finding, 'exchanges'> & {
  /** Where the exchange is shown in another way than it was judged. */
  readonly exchanges?: Finding['exchanges'];
  /** All that is wrong are values that earlier runs of the suite left in the store: it counts where this run shows that such are stored today. */
  readonly leftBy?: readonly ClauseId[];
};

/** A kind of cases that sends nothing: whatever the rules of the clause meet in the run, whoever sent it. */
export type Invariant<FaultName extends string = string, Event = never, World = never> = Kind<Event, World> & {
  readonly id: CheckId;
  readonly title: string;
  /** The fault of the reference server that must turn this invariant red. */
  readonly fault?: FaultName;
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
export type Clause<Session, FaultName extends string = string, Event = never, World = never> = Wording & {
  readonly checks: readonly Check<Session, FaultName, Event, World>[];
  readonly invariants: readonly Invariant<FaultName, Event, World>[];
  /** What judges its parts; an open clause has none. */
  readonly rules: readonly Rule<Event, World>[];
};

type Title = Pick<Check<never>, 'id' | 'title'>;

/** A clause as plain data: all that a record of a run needs to know of it. */
export type ListedClause = Wording & { readonly checks: readonly Title[]; readonly invariants: readonly Title[] };
