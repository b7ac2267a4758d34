// The verdict on each clause: by its cases, and by which of its `must`s they meet.

import type { ClauseId } from '../clause/clause.ts';
import { isOwnClause } from '../clause/clause-ids.ts';
import { NOT_RECOGNIZED, type Observation, type Why } from '../clause/outcome.ts';
import { mayBeRemoved } from '../clause/removal.ts';
import type { ReasonNotSent } from '../session/history.ts';
import type { Operation } from '../wire/exchange.ts';
import { oncePerObject } from '../wire/once.ts';
import { UNAUTHORIZED } from '../wire/statuses.ts';
import { messageOf } from '../wire/wording.ts';
import { type CasesByClause, casesOf, errorsOfOwnRules, explainBreaches, type JudgedCase } from './blame.ts';
import { conductOf } from './conduct.ts';
import { type Exchange, exchangeWithoutResponse, hasKey, isCreation, isDocumented } from './exchange.ts';
import { factsOf } from './facts.ts';
import { isPostponed, isPutOff } from './mechanisms.ts';
import type { Clause, Must, Open } from './rule.ts';
import { isOfUnknownCategory, isRejectedByStop, standingOf, unknownCategory, whyCreationsStopped } from './standing.ts';
import type { World } from './world.ts';

/** A `must` that no case met, and why: by the exchange or the row that should have. */
export type Unmet = {
  readonly title: string;
  readonly why: Why;
  readonly missing: string;
  /** The clause that explains what would be broken, or whose acceptance is missing. */
  readonly blockedBy?: ClauseId;
};

type Lack = Omit<Unmet, 'title'>;
type Judged = { readonly cases: CasesByClause; readonly world: World };

export type Verdict = {
  readonly clause: Clause;
  readonly verdict: 'fail' | 'pass' | 'inconclusive' | 'not-applicable' | 'observed';
  /** `passed, 2 of 5 not met`, or what was missing, or what was observed. */
  readonly note: string;
  readonly why?: Why;
  readonly blockedBy?: ClauseId;
  /** Titles of its `must`s that cases met. */
  readonly met: readonly string[];
  readonly unmet: readonly Unmet[];
  /** The cases that nothing explains and that break it, and those that do not break it. */
  readonly broken: readonly JudgedCase[];
  /** What the rules of a clause from outside threw instead of a judgement: a mistake in them, so that there is no verdict. */
  readonly thrown?: unknown;
  /** How the service answers what the document leaves open: of `observed` alone. */
  readonly observations: readonly Observation[];
  readonly held: readonly JudgedCase[];
};

/** Judges a history: pure, at any moment. Whole clauses neither wait nor are moved. */
export function judgeHistory(clauses: readonly Clause[], world: World): readonly Verdict[] {
  const cases = explainBreaches(casesOf(clauses, world), world);
  const thrown = errorsOfOwnRules(clauses, world);
  return clauses.map((clause) => (thrown.has(clause.id) ? noVerdictOn(clause, thrown.get(clause.id)) : verdictOn(clause, cases, world)));
}

function noVerdictOn(clause: Clause, thrown: unknown): Verdict {
  const note = `its rules threw an error: ${messageOf(thrown)}`;
  const unmet = clause.must.map(({ title }): Unmet => ({ title, why: 'circumstance', missing: note }));
  return { clause, verdict: 'inconclusive', note, why: 'circumstance', met: [], unmet, broken: [], held: [], observations: [], thrown };
}

const isBroken = ({ breach, explainedBy }: JudgedCase): boolean => breach !== undefined && explainedBy === undefined;

type Missed = { readonly exchange: Exchange; readonly row: ReasonNotSent };

/** What a row was not sent for says less than the result of one that was sent, and the least if a user or the depth left it out. */
const leftOutByUserLast = (unsent: readonly Missed[]): readonly Missed[] =>
  unsent.toSorted((one, other) => Number(one.row.why === 'choice') - Number(other.row.why === 'choice'));

/**
 * Requests that the service put off, creations after it had stopped to take any, or that it may have rejected for their category, and rows that were
 * not sent, as if they had got no response.
 */
const missed = oncePerObject((world: World): readonly Missed[] => {
  const of = (some: readonly Exchange[], row: Missed['row'] | undefined): readonly Missed[] =>
    row === undefined ? [] : some.map((exchange) => ({ exchange, row }));
  const creations = (is: typeof isRejectedByStop): readonly Exchange[] => world.creations.filter((one) => is(one, world));
  return [
    ...of(world.all.filter(isPutOff), { why: 'service', missing: 'the service asked to wait, or gave no response' }),
    ...of(creations(isRejectedByStop), whyCreationsStopped(world)),
    ...of(creations(isOfUnknownCategory), unknownCategory(world)),
    ...leftOutByUserLast(
      world.unsent.map((row) => ({ row, exchange: exchangeWithoutResponse(row.sent, factsOf(row.sent, world.run.apiKey)) })),
    ),
  ];
});

/** By exchange, the clause that it breaks, or by which what it breaks is explained. */
const brokenClauseByExchange = oncePerObject((cases: CasesByClause): ReadonlyMap<number, ClauseId> => {
  const broken = [...cases].flatMap(([clause, all]) =>
    (isOwnClause(clause) ? [] : all).flatMap(({ breach, exchange, explainedBy = clause }) =>
      breach === undefined ? [] : [[exchange.number, explainedBy] as const],
    ),
  );
  return new Map(broken.toReversed());
});

const waitsFor = (blockedBy: ClauseId, missing: string): Lack => ({ why: 'waits', missing, blockedBy });

/** Whether the service may show nothing that a clause applies to, however much it is asked. */
const mayBeAbsent = ({ level, must }: Pick<Clause, 'level' | 'must'>): boolean =>
  level === 'advised' || must.every(({ absent }) => absent !== undefined);

/** Why nothing of an operation was accepted: what is broken on its requests that were not, or why none was sent. */
function whyNotAccepted(operation: Operation, { cases, world }: Judged, unmet?: string): Lack {
  const missing = unmet ?? `no ${operation} request was accepted, so that a rejection proves nothing`;
  const asked = world.all.filter((one) => hasKey(one) && one.facts.operation === operation && one.facts.body?.kind !== 'invalid');
  const blockedBy = asked.map(({ number }) => brokenClauseByExchange(cases).get(number)).find((clause) => clause !== undefined);
  if (blockedBy !== undefined) return waitsFor(blockedBy, missing);
  const row = missed(world).find(({ exchange }) => exchange.facts.operation === operation)?.row;
  return row === undefined ? { why: 'circumstance', missing } : { why: row.why, missing: `${missing}: ${row.missing}` };
}

/** Whether a request would meet the `must` of a clause, as far as that does not depend on its response. */
export const wouldMeet = (exchange: Exchange, { meets }: Must, { rules }: Pick<Clause, 'rules'>, world: World): boolean =>
  rules.some(({ of }) => of === undefined || of(exchange, standingOf(exchange, world), world)) && meets({ exchange }, world);

function whyUnmet(must: Must, clause: Clause, { cases, world }: Judged): Lack {
  const { absent = 'no exchange to which it applies', accepts, meets, unmet } = must;
  const { id, rules } = clause;
  const met = (cases.get(id) ?? []).filter((one) => meets(one, world));
  if (accepts !== undefined && met.some(({ explainedBy }) => explainedBy === undefined))
    return whyNotAccepted(accepts, { cases, world }, unmet);
  const explainedBy = met.find((one) => one.explainedBy !== undefined)?.explainedBy;
  if (explainedBy !== undefined) return waitsFor(explainedBy, `its cases are explained by ${explainedBy}`);
  if (isOwnClause(id)) return whyUnmetByOwn(must, clause, world);
  const find = (is: (exchange: Exchange) => boolean) => missed(world).find(({ exchange }) => is(exchange))?.row;
  // What is shown of animals may need some of the run.
  const needsAnimals = rules.some(({ layer }) => layer === 'values' || layer === 'history') && !world.accepted.has('createPet');
  const row = find((exchange) => wouldMeet(exchange, must, clause, world)) ?? (needsAnimals ? find(isCreation) : undefined);
  // One response that is missing says nothing if the others that could have shown it did not.
  const wasLookedFor = (): boolean =>
    mayBeAbsent(clause) && world.exchanges.some((one) => !isPutOff(one) && wouldMeet(one, must, clause, world));
  if (row === undefined || (row.needs === undefined && wasLookedFor())) {
    const lack = accepts === undefined || world.accepted.has(accepts) ? undefined : whyNotAccepted(accepts, { cases, world });
    if (lack?.blockedBy !== undefined) return waitsFor(lack.blockedBy, `no ${accepts} request was accepted`);
    return { why: 'circumstance', missing: absent };
  }
  const blockedBy = row.needs === undefined ? undefined : brokenClauseByExchange(cases).get(row.needs);
  return blockedBy === undefined ? { why: row.why, missing: row.missing } : waitsFor(blockedBy, row.missing);
}

/** Of a clause from outside: which of its rows was not sent, or what its author says. */
function whyUnmetByOwn({ unmet, absent }: Pick<Must, 'unmet' | 'absent'>, { rows = [] }: Clause, { unsent }: World): Lack {
  const row = unsent.find(({ vector }) => rows.includes(vector));
  if (row !== undefined) return { why: row.why, missing: row.missing };
  return { why: 'circumstance', missing: unmet ?? absent ?? 'no exchange to which it applies' };
}

/** The reason that stands for all: what is waited for, then what the service did. */
const ORDER_OF_REASONS: readonly Why[] = ['waits', 'service', 'choice', 'circumstance'];

/** Why nothing passes: no valid animal was seen, and none was created, or requests with the key and without it are all answered with one status. */
function whyNothingPasses(world: World): string | undefined {
  const { isCredible, exchanges } = world;
  if (!isCredible)
    return [NOT_RECOGNIZED, (whyCreationsStopped(world) ?? unknownCategory(world))?.missing].filter((one) => one !== undefined).join('; ');
  const documented = exchanges.filter((one) => isDocumented(one) && one.status !== undefined);
  const statuses = new Set(documented.map(({ status }) => status));
  const lacksKey = documented.some((one) => !hasKey(one));
  return lacksKey && statuses.size === 1 ? 'all responses have the same status, with the API key and without it' : undefined;
}

const nothingPasses = oncePerObject((world: World): { readonly nothing: Lack | undefined } => {
  const missing = whyNothingPasses(world);
  return { nothing: missing === undefined ? undefined : { why: 'circumstance', missing } };
});

/** Whether the `must` is about getPet, which has been removed as announced. */
const isOfRemoved = ({ accepts }: Pick<Must, 'accepts'>, { chapter }: Clause, { run, accepted }: World): boolean =>
  mayBeRemoved(run.now) && !accepted.has('getPet') && (accepts === 'getPet' || chapter === 'get-pet');

const REMOVED = 'getPet has been removed as announced';

/** What answers an open question: not that the service asks to wait, or that it creates nothing more. */
const answers = oncePerObject((world: World) =>
  world.exchanges.filter((one) => !isPostponed(one) && !isRejectedByStop(one, world) && !isOfUnknownCategory(one, world)),
);

/** Why nothing answers the question: a row that would ask it was not sent, or all of the operation that is not accepted. */
function whyUnanswered({ accepts, observe }: Open, judged: Judged): Lack {
  const { world } = judged;
  if (accepts !== undefined && !world.accepted.has(accepts)) return whyNotAccepted(accepts, judged);
  const rows = missed(world);
  const row =
    rows.find(({ exchange }) => observe([exchange], world).length > 0) ?? rows.find(({ exchange }) => exchange.facts.operation === accepts);
  return row === undefined
    ? { why: 'circumstance', missing: 'no exchange that answers it' }
    : { why: row.row.why, missing: row.row.missing };
}

/** A mistake in a clause from outside leaves all other verdicts as they are. */
function observedIn(clause: Clause, open: Open, judged: Judged): Verdict {
  if (!isOwnClause(clause.id)) return observed(clause, open, judged);
  try {
    return observed(clause, open, judged);
  } catch (thrown) {
    return noVerdictOn(clause, thrown);
  }
}

/** What is open is observed, and never broken. */
function observed(clause: Clause, open: Open, judged: Judged): Verdict {
  const { world } = judged;
  const base = { clause, met: [], unmet: [], broken: [], held: [] };
  const nothing = isOfRemoved(open, clause, world) ? ({ why: 'circumstance', missing: REMOVED } as const) : nothingPasses(world).nothing;
  const observations =
    nothing === undefined && (open.accepts === undefined || world.accepted.has(open.accepts)) ? open.observe(answers(world), world) : [];
  const note = observations.map(({ question, answer }) => `${question}: ${answer}`).join('; ');
  if (observations.length > 0) return { ...base, verdict: 'observed', note, observations };
  const { missing, ...why } = nothing ?? (isOwnClause(clause.id) ? whyUnmetByOwn({}, clause, world) : whyUnanswered(open, judged));
  return { ...base, verdict: 'inconclusive', note: missing, observations, ...why };
}
const LOCKED_OUT = 'from some moment until the end of the run, the service rejected the API key: it was locked out or revoked';

/** Whether all that breaks the clause is that the key is rejected from some moment on: it may have been revoked, and nothing more can be judged. */
const isOfLockOut = ({ id }: Clause, broken: readonly JudgedCase[], world: World): boolean =>
  id === 'auth.valid-key' &&
  broken.length > 0 &&
  broken.every(({ exchange }) => exchange.status === UNAUTHORIZED) &&
  conductOf(world).isLockedOut;

function verdictOn(clause: Clause, cases: CasesByClause, world: World): Verdict {
  if (clause.open !== undefined) return observedIn(clause, clause.open, { cases, world });
  const all = cases.get(clause.id) ?? [];
  const wrong = all.filter(isBroken).toSorted((a, b) => a.exchange.number - b.exchange.number);
  const lockedOut = isOfLockOut(clause, wrong, world);
  const broken = lockedOut ? [] : wrong;
  const held = all.filter(({ breach }) => breach === undefined);
  const { nothing } = nothingPasses(world);
  const isMet = ({ meets, accepts }: Must): boolean =>
    nothing === undefined && (accepts === undefined || world.accepted.has(accepts)) && held.some((one) => meets(one, world));
  const musts = clause.must.filter((must) => !isOfRemoved(must, clause, world));
  const isLockedOut = ({ meets }: Must): boolean => lockedOut && wrong.some((one) => meets(one, world));
  const isJudged = (must: Must): boolean => isMet(must) && !isLockedOut(must);
  const lackOf = (must: Must): Lack => {
    if (isLockedOut(must)) return { why: 'service', missing: LOCKED_OUT };
    if (nothing !== undefined && held.some((one) => must.meets(one, world))) return nothing;
    const lack = whyUnmet(must, clause, { cases, world });
    // What is broken has to be repaired before anything shows what the service is.
    return nothing === undefined || lack.why === 'waits' ? lack : nothing;
  };
  const met = musts.filter(isJudged).map(({ title }) => title);
  const unmet = musts.filter((must) => !isJudged(must)).map((must): Unmet => ({ title: must.title, ...lackOf(must) }));
  const base = { clause, met, unmet, broken, held, observations: [] };
  if (lockedOut) return { ...base, verdict: 'inconclusive', note: LOCKED_OUT, why: 'service' };
  if (broken.length > 0) return { ...base, verdict: 'fail', note: broken[0]?.breach?.summary ?? '' };
  if (musts.length === 0) return { ...base, verdict: 'not-applicable', note: REMOVED };
  if (met.length > 0)
    return { ...base, verdict: 'pass', note: unmet.length === 0 ? 'passed' : `passed, ${unmet.length} of ${musts.length} not met` };
  const [reason] = unmet.toSorted((a, b) => ORDER_OF_REASONS.indexOf(a.why) - ORDER_OF_REASONS.indexOf(b.why));
  const { missing = '', title: _title, ...why } = reason ?? { why: 'circumstance', title: '' };
  const isAbsent = mayBeAbsent({ ...clause, must: musts }) && why.why === 'circumstance' && nothing === undefined;
  return isAbsent ? { ...base, verdict: 'not-applicable', note: missing } : { ...base, verdict: 'inconclusive', note: missing, ...why };
}
