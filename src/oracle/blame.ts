// Which breaches others explain, case by case: a success explains nothing, and whole clauses neither wait nor are moved.

import { type ClauseId, LAYERS, type Layer } from '../clause/clause.ts';
import { isOwnClause } from '../clause/clause-ids.ts';
import { oncePerObject } from '../wire/once.ts';
import { LEAST_ERROR } from '../wire/statuses.ts';
import { conductOf } from './conduct.ts';
import { type Exchange, hasKey, isDocumented, isSameOperation } from './exchange.ts';
import { SUCCESS_CLAUSES } from './mechanisms.ts';
import type { Case, CaseInTime, Clause, Rule, Simpler, TooEarly } from './rule.ts';
import { standingOf } from './standing.ts';
import { type Place, placeOf } from './timeline-view.ts';
import { keyOf, type World } from './world.ts';

export type JudgedCase = Case & { readonly rule: Rule; readonly explainedBy?: ClauseId };
export type CasesByClause = ReadonlyMap<ClauseId, readonly JudgedCase[]>;

const SERVER_ERRORS: ClauseId = 'errors.no-server-error';

/** Layers of which a breach leaves nothing to read for those above. */
const ENDING_LAYERS: readonly Layer[] = ['transport', 'failure', 'credential', 'status', 'JSON'];
export const isLower = (one: Layer, other: Layer): boolean => LAYERS.indexOf(one) < LAYERS.indexOf(other);

const symptomOf = ({ breach, exchange }: Case): string => breach?.symptom ?? String(exchange.status);

function nearest<One>(all: readonly One[], at: number, numberOf: (one: One) => number): readonly One[] {
  const found = [all.findLast((one) => numberOf(one) < at), all.find((one) => numberOf(one) > at)];
  return found.filter((one) => one !== undefined);
}

/** Whether most of at least three are so, whatever came between by chance. */
const isMostly = <One>(all: readonly One[], is: (one: One) => boolean): boolean =>
  all.length >= 3 && 2 * all.filter(is).length > all.length;

function add<Key>(map: Map<Key, Set<ClauseId>>, key: Key, clause: ClauseId): void {
  map.set(key, (map.get(key) ?? new Set()).add(clause));
}

function collectBreaches(cases: CasesByClause) {
  const [byExchange, byAnimal] = [new Map<number, Set<ClauseId>>(), new Map<bigint, Set<ClauseId>>()];
  const closed = new Map<number, { readonly clause: ClauseId; readonly layer: Layer }>();
  for (const [clause, all] of cases) {
    for (const { exchange, animal, others = [], breach, rule } of all) {
      if (breach === undefined) continue;
      const known = closed.get(exchange.number);
      const mayClose = rule.judge !== undefined && !isOwnClause(clause);
      const closes = mayClose && ENDING_LAYERS.includes(rule.layer) && !exchange.read.hasDeparture;
      if (closes && (known === undefined || isLower(rule.layer, known.layer))) closed.set(exchange.number, { clause, layer: rule.layer });
      for (const { number } of [exchange, ...others]) add(byExchange, number, clause);
      if (animal !== undefined) add(byAnimal, animal, clause);
    }
  }
  return { closed, byExchange, byAnimal };
}

const NONE: Simpler = { clauses: [] };

/** The cases, each broken one with the clause that explains it. */
export const explainBreaches = (cases: CasesByClause, world: World): CasesByClause => new BreachExplainer(cases, world).explained();

class BreachExplainer {
  private readonly cases: CasesByClause;
  private readonly world: World;
  private readonly broken: ReturnType<typeof collectBreaches>;
  private readonly right: readonly Exchange[];
  private readonly inTime: CasesByClause;

  constructor(cases: CasesByClause, world: World) {
    this.cases = cases;
    this.world = world;
    this.broken = collectBreaches(cases);
    this.right = world.exchanges
      .filter((one) => hasKey(one) && isDocumented(one) && standingOf(one, world).mustSucceed)
      .toSorted((a, b) => a.number - b.number);
    this.inTime = new Map([...cases].map(([clause, all]) => [clause, all.toSorted((a, b) => a.exchange.number - b.exchange.number)]));
  }

  explained(): CasesByClause {
    return new Map(
      [...this.cases].map(([clause, all]) => [
        clause,
        all.map((one) => {
          const explainedBy = one.breach === undefined ? undefined : this.reasonOf(clause, one);
          return explainedBy === undefined ? one : { ...one, explainedBy };
        }),
      ]),
    );
  }

  private reasonOf(clause: ClauseId, one: JudgedCase): ClauseId | undefined {
    const first = this.byOutage(clause, one) ?? this.byLowerLayer(clause, one) ?? this.byOther(clause, one);
    return first ?? this.byRightKey(one) ?? this.bySimpler(clause, one);
  }

  /** An outage is one defect, whatever was sent in it. */
  private byOutage(clause: ClauseId, { exchange, breach }: JudgedCase): ClauseId | undefined {
    const { outage } = conductOf(this.world);
    return clause !== SERVER_ERRORS && outage.has((breach?.shown?.at(-1) ?? exchange).number) ? SERVER_ERRORS : undefined;
  }

  private byLowerLayer(clause: ClauseId, { rule, exchange }: JudgedCase): ClauseId | undefined {
    const lower = rule.letter === true ? undefined : this.broken.closed.get(exchange.number);
    return lower !== undefined && lower.clause !== clause && isLower(lower.layer, rule.layer) ? lower.clause : undefined;
  }

  private byOther(clause: ClauseId, { rule, exchange, animal, others = [], cleared = [] }: JudgedCase): ClauseId | undefined {
    const { byAnimal, byExchange } = this.broken;
    const sets = [exchange, ...others].map(({ number }) => byExchange.get(number));
    if (animal !== undefined) sets.push(byAnimal.get(animal));
    return rule.blame?.after?.find((other) => other !== clause && !cleared.includes(other) && sets.some((set) => set?.has(other)));
  }

  private byRightKey({ rule, exchange }: JudgedCase): ClauseId | undefined {
    const { status = 0, facts, number } = exchange;
    if (rule.blame?.contrasted !== true || status < LEAST_ERROR) return undefined;
    const twins = this.right.filter((other) => isSameOperation(other, exchange));
    const isSame = nearest(twins, number, (one) => one.number).some((other) => other.status === status);
    if (!isSame) return undefined;
    return status >= 500 && status !== 501 ? SERVER_ERRORS : SUCCESS_CLAUSES[facts.operation];
  }

  private bySimpler(clause: ClauseId, one: JudgedCase): ClauseId | undefined {
    const { world } = this;
    const { clauses, isTwin = isSameOperation, isCloser, isFallback = () => false, explains } = one.rule.blame?.simpler ?? NONE;
    return clauses.find((other) => {
      if (other === clause) return false;
      const others = (this.inTime.get(other) ?? []).filter(({ exchange }) => exchange.number !== one.exchange.number);
      const same = others.filter(({ exchange }) => isTwin(exchange, one.exchange, world));
      const twins = same.length > 0 ? same : others.filter(({ exchange }) => isFallback(exchange, one.exchange, world));
      const closer = isCloser === undefined ? [] : twins.filter(({ exchange }) => isCloser(exchange, one.exchange));
      const counted = closer.length > 0 ? closer : twins;
      const isSameBreach = (twin: JudgedCase): boolean =>
        twin.breach !== undefined && (explains?.(twin, one) ?? symptomOf(twin) === symptomOf(one));
      const near = nearest(counted, one.exchange.number, ({ exchange }) => exchange.number);
      return near.some(isSameBreach) || isMostly(counted, isSameBreach) || (counted.some(isSameBreach) && this.isIntermittent(clause, one));
    });
  }

  /** Whether the very same GET got the right status at another time: nothing that it asks for is what is wrong with it. */
  private isIntermittent(clause: ClauseId, { exchange, rule }: JudgedCase): boolean {
    if (exchange.facts.operation === 'createPet' || rule.layer !== 'status') return false;
    return (this.cases.get(clause) ?? []).some((other) => other.breach === undefined && keyOf(other.exchange) === keyOf(exchange));
  }
}

const allCases = oncePerObject((world: World) =>
  oncePerObject((clauses: readonly Clause[]) => {
    const cases = new Map<ClauseId, readonly JudgedCase[]>();
    const thrown = new Map<ClauseId, unknown>();
    for (const { id, rules } of clauses) {
      try {
        cases.set(id, judgedBy(rules, world));
      } catch (error) {
        // What a clause from outside throws says nothing about the others.
        if (!isOwnClause(id)) throw error;
        cases.set(id, []);
        thrown.set(id, error);
      }
    }
    return { cases, thrown };
  }),
);

const judgedBy = (rules: readonly Rule[], world: World): readonly JudgedCase[] =>
  rules.flatMap((rule) => casesOfRule(rule, world).map((one): JudgedCase => withoutLeftovers({ ...one, rule }, world)));

/** By clause from outside, what its rules threw instead of a judgement. */
export const errorsOfOwnRules = (clauses: readonly Clause[], world: World): ReadonlyMap<ClauseId, unknown> =>
  allCases(world)(clauses).thrown;

const isEarly = ({ countsAfter }: CaseInTime): boolean => countsAfter !== undefined;

/** The cases of all rules, before blame: of a breach that only leftovers of earlier runs show, the case without it. */
export const casesOf = (clauses: readonly Clause[], world: World): CasesByClause =>
  new Map([...allCases(world)(clauses).cases].map(([clause, all]) => [clause, all.filter((one) => !isEarly(one))]));

/** A request that does not count yet, after which moment the same one does, and where it looks. */
export type RequestToRepeat = TooEarly & { readonly exchange: Exchange; readonly place: Place };

/**
 * What these clauses need to have sent again before they can tell, the first to count first; nothing for a conforming service that does not lag. Only what is
 * judged of a whole history may be too early.
 */
export function requestsToRepeat(clauses: readonly Clause[], world: World): readonly RequestToRepeat[] {
  const ofHistory = clauses.flatMap(({ id, rules }) => (isOwnClause(id) ? [] : rules.flatMap(({ early }) => early?.(world) ?? [])));
  return [...Map.groupBy(ofHistory.filter(isEarly), ({ exchange }) => exchange)]
    .map(([exchange, all]) => ({
      exchange,
      countsAfter: Math.max(...all.map(({ countsAfter = 0 }) => countsAfter)),
      place: placeOf(exchange),
    }))
    .toSorted((a, b) => a.countsAfter - b.countsAfter || a.exchange.number - b.exchange.number);
}

/** The exchanges with what the history says about each, once for all rules. */
const standingsIn = oncePerObject((world: World) => {
  const all = world.all.map((exchange) => ({ exchange, standing: standingOf(exchange, world) }));
  return { all, documented: all.filter(({ exchange }) => isDocumented(exchange)) };
});

function casesOfRule(rule: Rule, world: World): readonly CaseInTime[] {
  if (rule.judgeAll !== undefined) return rule.judgeAll(world);
  const readsBodies = !isLower(rule.layer, 'JSON');
  const cases: Case[] = [];
  for (const { exchange, standing } of rule.judgesUndocumented === true ? standingsIn(world).all : standingsIn(world).documented) {
    if (exchange.isUnread && readsBodies) continue;
    const judgement = rule.judge(exchange, standing, world);
    if (judgement === 'holds') cases.push({ exchange });
    else if (judgement !== undefined) cases.push({ exchange, breach: judgement });
  }
  return cases;
}

function withoutLeftovers(one: JudgedCase, { leftovers }: World): JudgedCase {
  if (one.breach?.leftBy === undefined || !leftovers.areOld(one.breach.leftBy)) return one;
  const { breach: _breach, ...rest } = one;
  return rest;
}
