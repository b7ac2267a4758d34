// What a clause is made of: rules over an exchange in the light of the whole history, by mechanism.

import type { ClauseId, Layer, Wording } from '../clause/clause.ts';
import type { StatedKind } from '../clause/failure-kind.ts';
import type { Observation } from '../clause/outcome.ts';
import type { Vector } from '../session/vector.ts';
import type { Operation } from '../wire/exchange.ts';
import type { Exchange } from './exchange.ts';
import type { Standing } from './standing.ts';
import type { World } from './world.ts';

export type Breach = {
  readonly summary: string;
  readonly expected: readonly string[];
  readonly received: string;
  readonly pointer?: string;
  /** Which kinds of failures it is, all of them; by default one, by the statuses that are expected and received, or by the pointer. */
  readonly failureKinds?: readonly StatedKind[];
  /** Breaches with the same symptom may have the same reason: by default, the status. */
  readonly symptom?: string;
  /** The exchanges that show it; by default, the one of the case. */
  readonly shown?: readonly Exchange[];
  /** All that is wrong are values that earlier runs left, each forbidden by one of these clauses. */
  readonly leftBy?: readonly ClauseId[];
};

/** Sent too early, or too seldom, to tell: the same request counts if it is sent after that moment, in milliseconds since the run began. */
export type TooEarly = { readonly countsAfter: number };

/** An exchange of which a rule holds, or that breaks it. */
export type Case = {
  readonly exchange: Exchange;
  readonly breach?: Breach;
  readonly animal?: bigint;
  /** All others that are wrong the same way. */
  readonly others?: readonly Exchange[];
  /** Clauses that are broken too, and that the history rules out as the reason. */
  readonly cleared?: readonly ClauseId[];
};

/** One that may not count yet. */
export type CaseInTime = Case & Partial<TooEarly>;

export type RequestClass = (exchange: Exchange, standing: Standing, world: World) => boolean;

/** Undefined where the rule does not apply. */
export type Judgement = 'holds' | Breach | undefined;

export type Rule = {
  readonly layer: Layer;
  /** It judges the letter, so that no lower layer explains a breach. */
  readonly letter?: true;
  readonly judgesUndocumented?: true;
  readonly blame?: Blame;
  /** The requests that it judges, whatever their response is; where that is not said, any. */
  readonly of?: RequestClass;
} & (
  | {
      readonly judge: (exchange: Exchange, standing: Standing, world: World) => Judgement;
      readonly judgeAll?: never;
      readonly early?: never;
    }
  | {
      readonly judgeAll: (world: World) => readonly CaseInTime[];
      /** Of its cases, at least those that do not count yet: asked after each phase, when nobody needs the others. */
      readonly early?: (world: World) => readonly CaseInTime[];
      readonly judge?: never;
    }
);

/** What may explain a breach, apart from a lower layer. */
export type Blame = {
  /** Clauses that are broken on the same exchange, or for the same animal. */
  readonly after?: readonly ClauseId[];
  /** Whether the nearest right request with the key that gets the same error explains it. */
  readonly contrasted?: true;
  /** Clauses of simpler requests, simplest first: the nearest one with the same symptom explains it. */
  readonly simpler?: Simpler;
};

export type Simpler = {
  readonly clauses: readonly ClauseId[];
  /** Which of their requests are simpler ones of the same kind; by default, those of the same operation. */
  readonly isTwin?: (simpler: Exchange, own: Exchange, world: World) => boolean;
  /** Which of the twins differ by less: if there are any, the others do not count. */
  readonly isCloser?: (simpler: Exchange, own: Exchange) => boolean;
  /** In place of twins, where there is none. */
  readonly isFallback?: (simpler: Exchange, own: Exchange, world: World) => boolean;
  /** In place of the same symptom. */
  readonly explains?: (simpler: Case, own: Case) => boolean;
};

/** A named predicate over a case, and the operation of which something must have been accepted for a rejection to prove anything. */
export type Must = {
  readonly title: string;
  readonly meets: (one: Case, world: World) => boolean;
  readonly accepts?: Operation;
  /** Where no case meets it: why, or that this service has nothing that it is about. */
  readonly unmet?: string;
  readonly absent?: string;
};

export type JudgedClause = {
  readonly id: ClauseId;
  readonly rules: readonly Rule[];
  /** At most six. */
  readonly must: readonly Must[];
  /** What a clause from outside sends. */
  readonly rows?: readonly Vector[];
  /** Of a clause that asks what the document leaves open, which nothing judges. */
  readonly open?: Open;
};

/** How a service answers what the document leaves open. */
export type Open = {
  /** The operation of which something must have been accepted for a rejection to be an answer; undefined where anything is one. */
  readonly accepts?: Operation;
  /** The answers of these exchanges, each question once; none where nothing asks. An exchange without a response shows what it would ask. */
  readonly observe: (exchanges: readonly Exchange[], world: World) => readonly Observation[];
};

export type Clause = JudgedClause & Wording;
