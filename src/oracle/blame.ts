import { type ClauseId, LAYERS, type Layer } from '../clause/clause.ts';
import { isOwnClause } from '../clause/clause-ids.ts';
import { LEAST_ERROR } from '../wire/statuses.ts';
import { keyOf } from './view.ts';
import { type Case, clauseOfError, type Event, isReadThrough, isRightButForKey, type Rule, type World } from './world.ts';

export const isLower = (one: Layer, other: Layer): boolean => LAYERS.indexOf(one) < LAYERS.indexOf(other);

/** A case of a clause, with the clause that explains its breach, where another one does. */
export type BlamedCase = Case & { readonly rule: Rule; readonly explainedBy?: ClauseId };

export type CasesByClause = ReadonlyMap<ClauseId, readonly BlamedCase[]>;

/** Layers of which a breach leaves nothing to read for those above. */
export const CLOSING: readonly Layer[] = ['transport', 'failure', 'credential', 'status', 'JSON'];

const symptomOf = ({ breach, event }: Case): string => breach?.symptom ?? String(event.status);

const isSameOperation = (simpler: Event, own: Event): boolean => simpler.intent.operation === own.intent.operation;

const hasSameSymptom = (simpler: Case, own: Case): boolean => symptomOf(simpler) === symptomOf(own);

/** Of what is in the order of time, the nearest before that exchange and the nearest after it. */
function nearest<One>(all: readonly One[], { number }: Event, numberOf: (one: One) => number): readonly One[] {
  const before = all.findLast((one) => numberOf(one) < number);
  const after = all.find((one) => numberOf(one) > number);
  return [before, after].filter((one) => one !== undefined);
}

const numberOfCase = ({ event }: Case): number => event.number;

const inOrder = (events: readonly Event[]): readonly Event[] => events.toSorted((a, b) => a.number - b.number);

const LEAST_OF_MOST = 3;

/** Whether most of them are so, whatever came between by chance. */
function isMostly<One>(all: readonly One[], is: (one: One) => boolean): boolean {
  return all.length >= LEAST_OF_MOST && 2 * all.filter(is).length > all.length;
}

export type Broken = {
  /** The lowest closing layer of which a rule is broken on the exchange, and its clause. */
  readonly closed: ReadonlyMap<number, { readonly clause: ClauseId; readonly layer: Layer }>;
  readonly byExchange: ReadonlyMap<number, ReadonlySet<ClauseId>>;
  readonly byAnimal: ReadonlyMap<bigint, ReadonlySet<ClauseId>>;
};

function add<Key>(map: Map<Key, Set<ClauseId>>, key: Key, clause: ClauseId): void {
  const known = map.get(key) ?? new Set();
  map.set(key, known.add(clause));
}

/** Which clauses are broken on which exchange and for which animal. What is read all the same closes nothing. */
export function brokenIn(cases: CasesByClause, events: readonly Event[]): Broken {
  const byExchange = new Map<number, Set<ClauseId>>();
  const byAnimal = new Map<bigint, Set<ClauseId>>();
  const closed = new Map<number, { readonly clause: ClauseId; readonly layer: Layer }>();
  const readThrough = new Set(events.filter(isReadThrough).map(({ number }) => number));
  const close = (number: number, clause: ClauseId, layer: Layer): void => {
    if (readThrough.has(number)) return;
    const known = closed.get(number);
    if (known === undefined || isLower(layer, known.layer)) closed.set(number, { clause, layer });
  };
  for (const [clause, all] of cases) {
    // What the document requires is judged whatever the rules of a team say about the same exchange.
    const mayClose = !isOwnClause(clause);
    for (const { event, animal, others = [], breach, rule } of all) {
      if (breach === undefined) continue;
      if (mayClose && rule.judge !== undefined && CLOSING.includes(rule.layer)) close(event.number, clause, rule.layer);
      for (const { number } of [event, ...others]) add(byExchange, number, clause);
      if (animal !== undefined) add(byAnimal, animal, clause);
    }
  }
  return { closed, byExchange, byAnimal };
}

/**
 * Explains breaches by others, case by case: by a closing layer below on the same exchange, unless it is about the letter; by a clause that this one comes `after`, on the same
 * exchange or the same animal; by a right request with the API key nearest in time that gets the same error, where the rule is `contrasted`; or,
 * for the same symptom only, by the `simpler` request nearest in time or by most of those there are, or by any where the same GET gets the right status at
 * another time. A success explains nothing, and whole clauses neither wait nor are moved.
 */
export function explainCases(cases: CasesByClause, world: World): CasesByClause {
  const withKey = inOrder(world.events.filter((event) => event.intent.credential === 'valid' && isRightButForKey(event, world)));
  const { closed, byExchange, byAnimal } = brokenIn(cases, world.events);
  const inTime = new Map([...cases].map(([clause, all]) => [clause, all.toSorted((a, b) => a.event.number - b.event.number)]));

  function byLowerLayer(clause: ClauseId, { rule, event }: BlamedCase): ClauseId | undefined {
    if (rule.letter === true) return undefined;
    const lower = closed.get(event.number);
    return lower !== undefined && lower.clause !== clause && isLower(lower.layer, rule.layer) ? lower.clause : undefined;
  }

  function byOther(clause: ClauseId, { rule, event, animal, others = [], cleared = [] }: BlamedCase): ClauseId | undefined {
    const onExchange = [event, ...others].map(({ number }) => byExchange.get(number));
    const sets = [...onExchange, animal === undefined ? undefined : byAnimal.get(animal)];
    return rule.after?.find((other) => other !== clause && !cleared.includes(other) && sets.some((set) => set?.has(other)));
  }

  function byRightKey({ rule, event }: BlamedCase): ClauseId | undefined {
    const { status = 0, intent } = event;
    if (rule.contrasted !== true || status < LEAST_ERROR) return undefined;
    const twins = withKey.filter((other) => isSameOperation(other, event));
    const isSame = nearest(twins, event, ({ number }) => number).some((other) => other.status === status);
    return isSame ? clauseOfError(status, intent.operation) : undefined;
  }

  /** Whether the very same GET got the right status at another time: nothing that it asks for is what is wrong with it. */
  function isIntermittent(clause: ClauseId, { event, rule }: BlamedCase): boolean {
    if (event.intent.operation === 'createPet' || rule.layer !== 'status') return false;
    return (cases.get(clause) ?? []).some((other) => other.breach === undefined && keyOf(other.event) === keyOf(event));
  }

  function bySimpler(clause: ClauseId, one: BlamedCase): ClauseId | undefined {
    const { clauses = [], isTwin = isSameOperation, isCloser, isKin = () => false, explains = hasSameSymptom } = one.rule.simpler ?? {};
    return clauses.find((other) => {
      if (other === clause) return false;
      const others = (inTime.get(other) ?? []).filter(({ event }) => event.number !== one.event.number);
      const same = others.filter(({ event }) => isTwin(event, one.event));
      const twins = same.length > 0 ? same : others.filter(({ event }) => isKin(event, one.event));
      const closer = isCloser === undefined ? [] : twins.filter(({ event }) => isCloser(event, one.event));
      const told = closer.length > 0 ? closer : twins;
      const isTold = (twin: BlamedCase): boolean => twin.breach !== undefined && explains(twin, one);
      return (
        nearest(told, one.event, numberOfCase).some(isTold) || isMostly(told, isTold) || (told.some(isTold) && isIntermittent(clause, one))
      );
    });
  }

  const explain = (clause: ClauseId, one: BlamedCase): BlamedCase => {
    const explainedBy =
      one.breach === undefined
        ? undefined
        : (byLowerLayer(clause, one) ?? byOther(clause, one) ?? byRightKey(one) ?? bySimpler(clause, one));
    return explainedBy === undefined ? one : { ...one, explainedBy };
  };
  return new Map([...cases].map(([clause, all]) => [clause, all.map((one) => explain(clause, one))]));
}
