// Clauses from outside: their rules judge the same history as those of the interface, and their rows are sent with the others.

import type { ClauseId, Layer } from '../clause/clause.ts';
import type { StatedKind } from '../clause/failure-kind.ts';
import type { Observation } from '../clause/outcome.ts';
import type { Vector } from '../session/vector.ts';
import type { Operation } from '../wire/exchange.ts';
import type { Exchange } from './exchange.ts';
import { type OwnEvent, type OwnExchange, type OwnKnowledge, type OwnWorld, ownViewOf } from './own-view.ts';
import type { Blame, Breach, Case, Clause, Must, Rule } from './rule.ts';
import type { World } from './world.ts';

/** What is wrong. Without `exchanges`, the exchange of the case alone shows it. */
export type OwnBreach = {
  /** One line. */
  readonly summary: string;
  /** Every alternative that would have been accepted. */
  readonly expected: readonly string[];
  readonly received: string;
  /** JSON pointer to the wrong part of the body. */
  readonly pointer?: string;
  /** What a waiver is bound to. */
  readonly failureKinds?: readonly StatedKind[];
  readonly exchanges?: readonly OwnExchange[];
  /** Breaches with the same symptom may have the same reason; the received status by default. */
  readonly symptom?: string;
  /** All that is wrong are values that earlier runs left, each forbidden by one of these clauses. */
  readonly leftBy?: readonly ClauseId[];
};

/** What a rule says about one exchange: that it does not apply, that it holds, or what is wrong. */
export type OwnJudgement = 'not-applicable' | 'holds' | OwnBreach;

/** An exchange of which a rule holds, or that breaks it. */
export type OwnCase = {
  readonly event: OwnEvent;
  readonly breach?: OwnBreach;
  /** The animal that it is about, if it is about one. */
  readonly animal?: bigint;
  /** All other exchanges that are wrong the same way. */
  readonly others?: readonly OwnEvent[];
  /** Clauses that are broken too, and that the history rules out as the reason. */
  readonly cleared?: readonly ClauseId[];
};

/** A sentence as a pure function of one exchange and the run (`judge`), or of the whole run (`judgeAll`). */
export type OwnRule = {
  readonly layer: Layer;
  /** It judges the letter, so that no lower layer explains a breach. */
  readonly letter?: boolean;
  /** Clauses whose breach on the same exchange, or for the same animal, explains a breach of this rule. */
  readonly after?: readonly ClauseId[];
  /** Whether the nearest right request with the API key that gets the same error explains it. */
  readonly contrasted?: boolean;
  /** Clauses of simpler requests, simplest first: the nearest one of the same operation that is broken with the same symptom explains it. */
  readonly simpler?: { readonly clauses: readonly ClauseId[] };
} & (
  | {
      readonly judge: (event: OwnEvent, world: OwnWorld) => OwnJudgement;
      readonly judgeAll?: never;
      /** Whether it judges undocumented requests, too. */
      readonly undocumented?: boolean;
    }
  | { readonly judgeAll: (world: OwnWorld) => readonly OwnCase[]; readonly judge?: never; readonly undocumented?: never }
);

/** A law about single exchanges. */
export type OwnInvariant = {
  readonly id: string;
  readonly title: string;
  readonly judge: (exchange: OwnExchange, knowledge: OwnKnowledge) => OwnJudgement;
};

/** Which cases a clause has, and what else must have been seen for it to pass. */
export type OwnKind = {
  readonly id: string;
  readonly title: string;
  /** By default, all cases of the rules. */
  readonly cases?: (one: OwnCase, world: OwnWorld) => boolean;
  /** Where the right response is a rejection: the operation of which something must have been accepted. */
  readonly accepts?: Operation;
  /** Why there was no case, if there was none: by circumstance. */
  readonly unmet?: string;
  /** Says that this service has no such thing, if there was no case. */
  readonly absent?: string;
  /** For an open clause: what its exchanges say about its question. */
  readonly observe?: (events: readonly OwnEvent[], world: OwnWorld) => readonly Observation[];
};

/** A clause from outside, as `defineClause` makes it. */
export type OwnClause = Clause & {
  readonly chapter: 'own-rules';
  readonly rows: readonly Vector[];
};

/**
 * Clauses from outside that can't be judged, and what is wrong with them.
 *
 * @example
 * ```ts
 * import { createJudge, OwnClauseError } from '@petstore-conformance/cli';
 *
 * try {
 *   createJudge({ baseUrl: 'http://127.0.0.1:8080/v1', apiKey: 'secret' });
 * } catch (error) {
 *   if (error instanceof OwnClauseError) console.error(error.message);
 * }
 * ```
 */
export class OwnClauseError extends Error {
  override readonly name = 'OwnClauseError';
}

/** Adds clauses from outside to those of the suite. Throws OwnClauseError if an id already exists. */
export function withOwnClauses(registry: readonly Clause[], own: readonly OwnClause[]): readonly Clause[] {
  const known = new Set<string>(registry.map(({ id }) => id));
  for (const { id } of own) {
    if (known.has(id)) throw new OwnClauseError(`there are two clauses with the id ${id}`);
    known.add(id);
  }
  return [...registry, ...own];
}

function breachOf({ exchanges, ...breach }: OwnBreach, world: World): Breach {
  const shown = exchanges?.flatMap(({ number }) => ownViewOf(world).exchangeOf(number) ?? []);
  return shown === undefined ? breach : { ...breach, shown };
}

function ownCaseOf({ exchange, breach, others, ...one }: Case, world: World): OwnCase {
  const { eventOf } = ownViewOf(world);
  return {
    ...{ event: eventOf(exchange), ...one },
    ...(others === undefined ? {} : { others: others.map(eventOf) }),
    ...(breach === undefined ? {} : { breach: ownBreachOf(breach, world) }),
  };
}

function ownBreachOf({ shown, ...breach }: Breach, world: World): OwnBreach {
  return shown === undefined ? breach : { ...breach, exchanges: shown.map((one) => ownViewOf(world).eventOf(one).exchange) };
}

function caseOf({ event, breach, others, ...one }: OwnCase, world: World): readonly Case[] {
  const { exchangeOf } = ownViewOf(world);
  const exchange = exchangeOf(event.number);
  if (exchange === undefined) return [];
  return [
    {
      ...{ exchange, ...one },
      ...(breach === undefined ? {} : { breach: breachOf(breach, world) }),
      ...(others === undefined ? {} : { others: others.flatMap(({ number }) => exchangeOf(number) ?? []) }),
    },
  ];
}

/** What a rule returned, which may be JavaScript. Undefined: it does not apply. */
function judgedBy(judgement: OwnJudgement, world: World): 'holds' | Breach | undefined {
  if (judgement === 'holds' || judgement === 'not-applicable') return judgement === 'holds' ? judgement : undefined;
  if (typeof judgement !== 'object' || judgement === null)
    throw new TypeError(`a rule returned ${String(judgement)}; expected "not-applicable", "holds", or what is wrong`);
  return breachOf(judgement, world);
}

const hasCase = ({ cases }: OwnKind, one: Case, world: World): boolean =>
  cases === undefined || cases(ownCaseOf(one, world), ownViewOf(world).world);

/** A rule of a clause with these kinds: what none of them has is no case. */
export function ruleOf(rule: OwnRule, kinds: readonly OwnKind[]): Rule {
  const { layer, letter, after = [], contrasted, simpler: { clauses } = { clauses: [] } } = rule;
  const blame: Blame = { after, simpler: { clauses }, ...(contrasted === true ? { contrasted } : {}) };
  const base = { layer, blame, ...(letter === true ? { letter } : {}) };
  const isCase = (one: Case, world: World): boolean => kinds.length === 0 || kinds.some((kind) => hasCase(kind, one, world));
  const { judge, judgeAll } = rule;
  if (judgeAll !== undefined)
    return {
      ...base,
      judgeAll: (world) =>
        judgeAll(ownViewOf(world).world)
          .flatMap((one) => caseOf(one, world))
          .filter((one) => isCase(one, world)),
    };
  return {
    ...{ ...base, ...(rule.undocumented === true ? { judgesUndocumented: true as const } : {}) },
    judge(exchange, _standing, world) {
      const view = ownViewOf(world);
      const judged = judgedBy(judge(view.eventOf(exchange), view.world), world);
      if (judged === undefined) return undefined;
      return isCase(judged === 'holds' ? { exchange } : { exchange, breach: judged }, world) ? judged : undefined;
    },
  };
}

/** By the bytes that were sent and the number of the exchange: the same in each history that has it. */
type JudgementCache = WeakMap<Exchange['sent'], Map<number, () => OwnJudgement>>;

/** An invariant as a rule: asked once about each exchange, with what is known when it is first judged, and explained by nothing. */
export function ruleOfInvariant({ judge }: OwnInvariant): Rule {
  const judgements: JudgementCache = new WeakMap();
  const ask = (exchange: OwnExchange, knowledge: OwnKnowledge): (() => OwnJudgement) => {
    try {
      const judgement = judge(exchange, knowledge);
      return () => judgement;
    } catch (error) {
      return () => {
        throw error;
      };
    }
  };
  return {
    ...{ layer: 'history', letter: true },
    judge(exchange, _standing, world) {
      const { eventOf, world: own } = ownViewOf(world);
      const before = judgements.get(exchange.sent) ?? new Map<number, () => OwnJudgement>();
      judgements.set(exchange.sent, before);
      const judgement = before.get(exchange.number) ?? ask(eventOf(exchange).exchange, own.known);
      before.set(exchange.number, judgement);
      return judgedBy(judgement(), world);
    },
  };
}

type RuledCase = Case & { readonly rule?: Rule };

/** What must be met for a clause with this kind to pass. `rules`: those whose cases it has. */
export function mustOf(kind: OwnKind, rules: readonly Rule[], { sends }: { readonly sends: boolean }): Must {
  const { title, accepts, unmet, absent } = kind;
  const isAbsent = unmet === undefined && (absent !== undefined || !sends);
  return {
    title,
    meets: (one: RuledCase, world) => (one.rule === undefined || rules.includes(one.rule)) && hasCase(kind, one, world),
    ...(accepts === undefined ? {} : { accepts }),
    ...(unmet === undefined ? {} : { unmet }),
    ...(isAbsent ? { absent: absent ?? 'no exchange to which it applies' } : {}),
  };
}

/** What the exchanges say about the questions of an open clause. */
export function observe(kinds: readonly OwnKind[], exchanges: readonly Exchange[], world: World): readonly Observation[] {
  const { eventOf, world: own } = ownViewOf(world);
  const events = exchanges
    .filter(({ response, failure }) => response !== undefined || failure !== undefined)
    .map(eventOf)
    .filter(({ intent }) => intent.undocumented !== true);
  return kinds.flatMap(({ observe: ask, cases = () => true }) => {
    const asked = events.filter((event) => cases({ event }, own));
    return asked.length === 0 ? [] : (ask?.(asked, own) ?? []);
  });
}
