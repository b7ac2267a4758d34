// The verdicts of rules on a history: the cases of each clause, those that other clauses explain, and the outcome of each part.

import type { CheckId, ClauseId } from '../clause/clause.ts';
import { isOwnClause } from '../clause/clause-ids.ts';
import { notApplicable, type Unsent } from '../clause/halt.ts';
import { type Finding, NOT_RECOGNIZED, type Outcome, passNote } from '../clause/outcome.ts';
import { mayBeRemoved } from '../clause/removal.ts';
import { isCrash } from '../session/read-exchange.ts';
import type { RunState } from '../session/state/run-state.ts';
import type { Operation } from '../wire/exchange.ts';
import { once, oncePer } from '../wire/once.ts';
import { type BlamedCase, type Broken, brokenIn, type CasesByClause, CLOSING, explainCases, isLower } from './blame.ts';
import type { Unit } from './contrast/conditions.ts';
import { type Contrast, type Contrasts, contrastsIn } from './contrast/contrast.ts';
import { contrastOfFollowUps, FOLLOW_UP, idleBefore, isFollowUp } from './contrast/follow-up-evidence.ts';
import { contrastOfNames, isRefutedByNames } from './contrast/name-evidence.ts';
import {
  type Case,
  type Event,
  isReadThrough,
  isUnread,
  type Kind,
  type Rule,
  type SessionClause,
  SUCCESS,
  type World,
  worldOf,
} from './world.ts';

/** The result of a part of a clause that rules judge. */
export type JudgedPart = {
  readonly id: CheckId;
  readonly clause: SessionClause;
  readonly title: string;
  readonly sends: boolean;
  readonly outcome: Outcome;
  /** Judged cases without those that another clause explains, and how many of them are broken. */
  readonly evidence: { readonly judged: number; readonly broken: number };
  /** When its clause is broken, if that was requested and the cases show it. */
  readonly contrast?: Contrast;
  /** What our own code, or that of a clause from outside, threw instead of a judgment: then there is no verdict. */
  readonly thrown?: unknown;
  readonly first?: BlamedCase;
  /** The wrong responses, simple ones first, if the cases do not show when the clause is broken, or only for which whole names. */
  readonly undecided?: readonly Wrong[];
};

/** A wrong response, what is special about it, in words that complete "Only …", and the milliseconds without any request before it. */
export type Wrong = { readonly event: Event; readonly says: ReadonlySet<string>; readonly idle: number };

export type History = {
  /** Includes follow-up requests, which only contrasts use. */
  readonly events: readonly Event[];
  /** Earlier events: they are not judged, but show what the service accepts. */
  readonly earlier?: readonly Event[];
  readonly known: RunState;
  /** Why parts could not send all of their requests, undefined if they did; without an entry, a part has not begun. */
  readonly unsent: ReadonlyMap<CheckId, Unsent | undefined>;
};

export type Asked = {
  readonly judged?: readonly SessionClause[];
  readonly only?: ReadonlySet<CheckId> | undefined;
};

type Part = Kind & {
  readonly id: CheckId;
  readonly title: string;
  readonly sends: boolean;
  /** Whether a rule of the clause is about it alone. */
  readonly hasRuleOfPart?: boolean;
};

function partsOf({ checks, invariants, rules }: SessionClause): readonly Part[] {
  const sending = checks.map((check) => ({ ...check, sends: true }));
  const ofParts = new Set(rules.map(({ part }) => part));
  const silent = invariants.map((one) => ({ ...one, sends: false, hasRuleOfPart: ofParts.has(one.id) }));
  return [...sending, ...silent];
}

type Known = { readonly events: readonly Event[]; readonly cases: readonly BlamedCase[] };

/** By run, the cases of rules that need no world: they never change for an exchange, so each judging adds those of what was sent since the last one. */
const knownCases = new WeakMap<RunState, Map<Rule, Known>>();

const isContinued = (events: readonly Event[], now: readonly Event[]): boolean => events.every((event, index) => event === now[index]);

type SingleRule = Extract<Rule, { readonly judge: unknown }>;

function casesAmong(rule: SingleRule, events: readonly Event[], world: World): readonly BlamedCase[] {
  // A loop, because most rules do not apply to most exchanges, and all of them run after every step.
  const cases: BlamedCase[] = [];
  for (const event of events) {
    if (event.intent.undocumented === true && rule.undocumented !== true) continue;
    if (isUnread(event) && !isLower(rule.layer, 'JSON')) continue;
    const judgement = rule.judge(event, world);
    if (judgement !== 'not-applicable') cases.push(judgement === 'holds' ? { event, rule } : { event, rule, breach: judgement });
  }
  return cases;
}

function casesOf(rule: Rule, world: World): readonly BlamedCase[] {
  const { all: events, known } = world;
  if (rule.judgeAll !== undefined) return rule.judgeAll(world).map((one) => ({ ...one, rule }));
  if (rule.judge.length !== 1) return casesAmong(rule, events, world);
  const byRule = knownCases.get(known) ?? new Map<Rule, Known>();
  knownCases.set(known, byRule);
  const before = byRule.get(rule) ?? { events: [], cases: [] };
  const cases = isContinued(before.events, events)
    ? [...before.cases, ...casesAmong(rule, events.slice(before.events.length), world)]
    : casesAmong(rule, events, world);
  byRule.set(rule, { events, cases });
  return cases;
}

/** The length of path, query and body: short requests are shown first. */
function lengthOf({ event: { exchange } }: Pick<Case, 'event'>): number {
  const { path, query, body } = exchange.request;
  return path.length + query.length + (body?.length ?? 0);
}

function findingOf({ event, breach }: Case): Finding | undefined {
  if (breach === undefined) return undefined;
  const { symptom: _symptom, leftBy: _leftBy, origin: _origin, exchanges = [event.exchange], ...parts } = breach;
  return { ...parts, exchanges };
}

function isOf({ id, sends, cases, hasRuleOfPart = false }: Part, one: Case & { readonly rule?: Rule }, world: World): boolean {
  if (hasRuleOfPart || one.rule?.part !== undefined) return one.rule?.part === id;
  if (cases !== undefined) return cases(one, world);
  return !sends || one.event.asker === id || (one.others !== undefined && askersOf(one.others).has(id));
}

const askers = new WeakMap<readonly Event[], ReadonlySet<string | undefined>>();

/** Who sent these: found out once, because each part of a clause asks. */
function askersOf(events: readonly Event[]): ReadonlySet<string | undefined> {
  const known = askers.get(events);
  if (known !== undefined) return known;
  const all = new Set<string | undefined>();
  for (const { asker } of events) all.add(asker);
  askers.set(events, all);
  return all;
}

/** `broken` returns what the whole history breaks: it is used if a part has no result from its own cases. */
type Circumstances = {
  readonly world: World;
  readonly unsent: Outcome | undefined;
  readonly broken: () => Broken;
  /** The clause that is broken in a response so that nothing else can be judged in it: found without judging the whole history. */
  readonly closedBy: (event: Event) => ClauseId | undefined;
  /** Whether the clause has a verdict as well: if not, it is not said elsewhere what it explains. */
  readonly isJudged: (clause: ClauseId) => boolean;
};

const NO_VERDICT: Outcome = { kind: 'inconclusive', missing: 'it broke in our own code', why: 'circumstance' };

const UNREAD: Outcome = {
  kind: 'inconclusive',
  missing: 'responses to its requests are larger than what the suite reads or keeps',
  why: 'circumstance',
};

const REMOVED = notApplicable("getPet has been removed as announced, so animals can't be read by id");

/** Whether the operation has been removed as announced: it may be, and nothing shows that it still works. */
function isRemoved({ known, accepts }: World, operation: Operation): boolean {
  return operation === 'getPet' && mayBeRemoved(known.now) && !accepts(operation);
}

/** The clause that a response breaks by leaving nothing for others to judge. */
function closingClause({ intent, response, status = 0 }: Event): ClauseId | undefined {
  if (response === undefined) return 'errors.answers';
  if (status === 401 && intent.credential === 'valid') return 'auth.valid-key';
  if (isCrash(status)) return 'errors.no-server-error';
  // There may be no such animal.
  if (status === 404 && intent.operation === 'getPet') return undefined;
  return status === (intent.operation === 'createPet' ? 201 : 200) ? undefined : SUCCESS[intent.operation];
}

/** Why the requests of a part led to no case: what their responses show about the service as a whole. */
function stoppedBy(events: readonly Event[], world: World): Outcome | undefined {
  if (events.every(({ intent }) => isRemoved(world, intent.operation))) return REMOVED;
  const closing = events.map(closingClause);
  const [blockedBy] = closing;
  if (blockedBy === undefined || closing.includes(undefined)) return undefined;
  return { kind: 'inconclusive', missing: `none of ${events.length} responses can be judged`, why: 'waits', blockedBy };
}

function settledUnsent(unsent: Unsent | undefined, { world, broken }: Pick<Circumstances, 'world' | 'broken'>): Outcome | undefined {
  if (unsent?.kind !== 'stopped') return unsent;
  const { missing, exchange: number } = unsent;
  const event = world.events.find((one) => one.number === number);
  const { byExchange, closed } = broken();
  const [first] = byExchange.get(number) ?? [];
  const blockedBy = closed.get(number)?.clause ?? first ?? (event === undefined ? undefined : closingClause(event));
  return blockedBy === undefined
    ? { kind: 'inconclusive', missing, why: 'circumstance' }
    : { kind: 'inconclusive', missing, why: 'waits', blockedBy };
}

function firstDefined<One, Result>(all: readonly One[], find: (one: One) => Result | undefined): Result | undefined {
  for (const one of all) {
    const found = find(one);
    if (found !== undefined) return found;
  }
  return undefined;
}

function unmet({ id, sends, absent, unmet: missing }: Part, { world, closedBy }: Pick<Circumstances, 'world' | 'closedBy'>): Outcome {
  const own = sends ? world.events.filter(({ asker }) => asker === id) : [];
  if (sends && world.all.some((event) => event.asker === id && isUnread(event))) return UNREAD;
  const owner = firstDefined(own, closedBy);
  if (owner !== undefined) return { kind: 'inconclusive', missing: `what it sent broke ${owner}`, why: 'waits', blockedBy: owner };
  const stopped = own.length === 0 ? undefined : stoppedBy(own, world);
  if (stopped !== undefined) return stopped;
  if (!sends && !world.known.credible) return { kind: 'inconclusive', missing: NOT_RECOGNIZED, why: 'circumstance' };
  if (absent !== undefined || !sends) return notApplicable(absent ?? 'no exchange to which it applies');
  return { kind: 'inconclusive', missing: missing ?? 'no exchange to which it applies', why: 'circumstance' };
}

/** The outcome of a part of an open clause: what it observed. Undefined for other parts. */
function observedBy(part: Part, { world, unsent, closedBy }: Circumstances): Outcome | undefined {
  if (part.observe === undefined) return undefined;
  if (unsent !== undefined) return unsent;
  const events = world.events.filter((event) => isOf(part, { event }, world));
  const observations = events.length === 0 ? [] : part.observe(events, world);
  return observations.length === 0 ? unmet(part, { world, closedBy }) : { kind: 'observed', observations };
}

/** The cases that no other clause explains, as reports show them: in the order of sending, because the order of responses is chance. */
function countedIn(cases: readonly BlamedCase[], { shortestFirst = false }: Part): readonly BlamedCase[] {
  const counted = cases.filter(({ explainedBy }) => explainedBy === undefined).toSorted((a, b) => a.event.number - b.event.number);
  return shortestFirst ? counted.toSorted((one, other) => lengthOf(one) - lengthOf(other)) : counted;
}

function explainedNote(reasons: readonly ClauseId[], clause: ClauseId): string {
  const { length } = reasons.filter((one) => one === clause);
  return `${length === 1 ? '1 case is' : `${length} cases are`} explained by ${clause}`;
}

function besideNote(reasons: readonly ClauseId[]): string {
  return reasons.length === 0
    ? ''
    : `; ${reasons.length} more ${reasons.length === 1 ? 'is' : 'are'} explained by ${[...new Set(reasons)].join(', ')}`;
}

function outcomeOf(
  part: Part,
  { cases, counted }: { readonly cases: readonly BlamedCase[]; readonly counted: readonly BlamedCase[] },
  { world, unsent, closedBy, isJudged }: Circumstances,
): Outcome {
  const [first, ...rest] = counted.map(findingOf).filter((finding) => finding !== undefined);
  if (first !== undefined) return { kind: 'fail', findings: [first, ...rest] };
  // An explanation of the cases that exist says more than why there are no others.
  const reasons = cases.flatMap(({ explainedBy }) => explainedBy ?? []);
  const [blockedBy] = reasons;
  if (counted.length === 0 && blockedBy !== undefined)
    return { kind: 'inconclusive', missing: explainedNote(reasons, blockedBy), why: 'waits', blockedBy };
  const unselected = reasons.find((clause) => !isJudged(clause));
  if (unselected !== undefined)
    return { kind: 'inconclusive', missing: `${explainedNote(reasons, unselected)}, which is not selected`, why: 'choice' };
  // A request that was not sent may be the one that would have been wrong.
  if (unsent?.kind === 'inconclusive') return unsent;
  if (counted.length > 0) {
    const { accepts } = part;
    if (accepts !== undefined && !world.accepts(accepts)) {
      if (isRemoved(world, accepts)) return REMOVED;
      const missing = `no ${accepts} request was seen to be accepted, so that a rejection proves nothing`;
      return { kind: 'inconclusive', missing, why: 'waits', blockedBy: SUCCESS[accepts] };
    }
    return { kind: 'pass', evidence: `${passNote(counted.length)}${besideNote(reasons)}` };
  }
  return unsent ?? unmet(part, { world, closedBy });
}

/** The case; without its breach if only values of earlier runs are wrong in it, and this run does not show that the service still stores such values. */
function unlessLeftOver(one: BlamedCase, { known }: World): BlamedCase {
  if (one.breach?.leftBy === undefined || !known.leftovers.areOld(one.breach.leftBy)) return one;
  const { breach: _breach, ...rest } = one;
  return rest;
}

const rethrow = (_rule: Rule, error: unknown): never => {
  throw error;
};

/** The cases of clauses in a world. A clause is judged when its cases are needed: after each group of a plan, those of few are. */
type JudgedCases = {
  of(id: ClauseId): readonly BlamedCase[];
  all(): CasesByClause;
  broken(): Broken;
};

type Judging = { readonly onThrown: (rule: Rule, error: unknown) => void };

function casesInWorld(clauses: readonly SessionClause[], world: World, { onThrown }: Judging): JudgedCases {
  const casesIn = (rule: Rule): readonly BlamedCase[] => {
    try {
      return casesOf(rule, world).map((one) => unlessLeftOver(one, world));
    } catch (error) {
      onThrown(rule, error);
      return [];
    }
  };
  const judged = new Map(clauses.map(({ id, rules }) => [id, once(() => rules.flatMap(casesIn))]));
  const unexplained = once(() => new Map([...judged].map(([id, cases]) => [id, cases()])));
  const explained = once(() => explainCases(unexplained(), world));
  return {
    of(id) {
      const cases = judged.get(id)?.() ?? [];
      // Only broken cases have an explanation.
      return cases.some(({ breach }) => breach !== undefined) ? (explained().get(id) ?? []) : cases;
    },
    all: explained,
    broken: once(() => brokenIn(unexplained(), world.events)),
  };
}

/** For single events, the clause of the lowest closing layer that is broken in it, as in `Broken.closed`. */
function closingIn(clauses: readonly SessionClause[], world: World): (event: Event) => ClauseId | undefined {
  const rules = once(() => clauses.flatMap((clause) => (isOwnClause(clause.id) ? [] : closingRulesOf(clause))));
  return oncePer((event: Event) => {
    if (isReadThrough(event)) return undefined;
    let lowest: { readonly clause: ClauseId; readonly rule: SingleRule } | undefined;
    for (const { clause, rule } of rules()) {
      if (lowest !== undefined && !isLower(rule.layer, lowest.rule.layer)) continue;
      if (isBrokenIn(rule, event, world)) lowest = { clause, rule };
    }
    return lowest?.clause;
  });
}

function closingRulesOf({ id, rules }: SessionClause): readonly { readonly clause: ClauseId; readonly rule: SingleRule }[] {
  return rules.flatMap((rule) => (rule.judge !== undefined && CLOSING.includes(rule.layer) ? [{ clause: id, rule }] : []));
}

function isBrokenIn(rule: SingleRule, event: Event, world: World): boolean {
  try {
    return casesAmong(rule, [event], world).some((one) => unlessLeftOver(one, world).breach !== undefined);
  } catch {
    // It throws again when the verdict is made, which then reports it.
    return false;
  }
}

/** All cases of the clauses, marked if another clause explains them. */
export function judgeCases(clauses: readonly SessionClause[], history: History): CasesByClause {
  const events = history.events.filter((event) => !isFollowUp(event));
  return casesInWorld(clauses, worldOf(events, history.known, history.earlier), { onThrown: rethrow }).all();
}

export type Judgment = {
  readonly parts: readonly JudgedPart[];
  /** The same with what the run shows of when clauses are broken, and what follow-up requests are compared with; computed once. */
  contrasted(): { readonly parts: readonly JudgedPart[]; readonly contrasts: Contrasts; readonly cases: CasesByClause };
};

/**
 * The verdicts of rules on a history. A pure function, which may be called at any time: what can't be decided yet is inconclusive. It returns the parts
 * of the `judged` clauses, or `only` some of them; the rules of all `clauses` explain breaches. With `contrasts`, parts that fail say when their clause
 * is broken.
 */
export function judgeHistory(
  clauses: readonly SessionClause[],
  history: History,
  { contrasts = false, ...asked }: Asked & { readonly contrasts?: boolean } = {},
): readonly JudgedPart[] {
  const judgment = judgeWithoutFollowUps(clauses, history, asked);
  return contrasts ? withContrasts(judgment, clauses, history) : judgment.parts;
}

/** The verdicts of `judgeHistory`, which follow-up requests do not change. */
export function judgeWithoutFollowUps(
  clauses: readonly SessionClause[],
  history: History,
  { judged = clauses, only, ...asked }: Asked = {},
): Judgment {
  const events = history.events.filter((event) => !isFollowUp(event));
  const world = worldOf(events, history.known, history.earlier);
  const thrown = new Map<Rule, unknown>();
  const cases = casesInWorld(clauses, world, { ...asked, onThrown: (rule, error) => thrown.set(rule, error) });
  const { broken } = cases;
  const closedBy = closingIn(clauses, world);

  const judgedIds = new Set(judged.map(({ id }) => id));
  const isJudged = (clause: ClauseId): boolean => judgedIds.has(clause);

  function judge(part: Part, all: readonly BlamedCase[]): Pick<JudgedPart, 'outcome' | 'evidence' | 'first'> {
    const own = all.filter((one) => isOf(part, one, world));
    const unsent = settledUnsent(history.unsent.get(part.id), { world, broken });
    const told = { world, broken, closedBy, unsent, isJudged };
    const counted = countedIn(own, part);
    const outcome = observedBy(part, told) ?? outcomeOf(part, { cases: own, counted }, told);
    const breaches = counted.filter(({ breach }) => breach !== undefined);
    const [first] = breaches;
    return {
      ...{ outcome, evidence: { judged: counted.length, broken: breaches.length } },
      ...(first === undefined ? {} : { first }),
    };
  }

  const isAsked = ({ id, sends }: Part): boolean => (!sends || history.unsent.has(id)) && (only === undefined || only.has(id));
  const parts = judged.flatMap((clause) =>
    partsOf(clause)
      .filter(isAsked)
      .map((part): JudgedPart => {
        const base = { id: part.id, clause, title: part.title, sends: part.sends };
        try {
          const all = cases.of(clause.id);
          const threw = clause.rules.find((rule) => thrown.has(rule) && (rule.part ?? part.id) === part.id);
          if (threw !== undefined) throw thrown.get(threw);
          return { ...base, ...judge(part, all) };
        } catch (error) {
          return { ...base, outcome: NO_VERDICT, evidence: { judged: 0, broken: 0 }, thrown: error };
        }
      }),
  );
  const contrasted = once(() => {
    const all = cases.all();
    const contrasts = contrastsIn(world, all);
    return { parts: contrastedBy(parts, contrasts, all), contrasts, cases: all };
  });
  return { parts, contrasted };
}

const ownCases = (all: CasesByClause, { clause }: JudgedPart): readonly BlamedCase[] =>
  (all.get(clause.id) ?? []).filter(({ explainedBy }) => explainedBy === undefined);

/** Tells something about each clause that fails, once for all of its parts that do. */
function oncePerClause<Told>(parts: readonly JudgedPart[], tell: (part: JudgedPart) => Told): (part: JudgedPart) => Told | undefined {
  const failing = parts.filter(({ outcome }) => outcome.kind === 'fail');
  const told = new Map([...new Map(failing.map((part) => [part.clause.id, part])).values()].map((part) => [part.clause.id, tell(part)]));
  return ({ outcome, clause }) => (outcome.kind === 'fail' ? told.get(clause.id) : undefined);
}

/** Wrong responses for which the run does not show when they occur: plain creations and short requests first. */
function undecidedIn(units: readonly Unit[]): readonly Wrong[] {
  const oddity = ({ intent }: Event): number => (intent.body === 'unusual' || intent.body === 'open' ? 1 : 0);
  return units
    .filter(({ broken }) => broken)
    .toSorted((a, b) => oddity(a.event) - oddity(b.event) || lengthOf(a) - lengthOf(b) || a.event.number - b.event.number)
    .map((unit) => ({ event: unit.event, says: new Set(unit.circumstances.values().map(({ says }) => says)), idle: idleBefore(unit) }));
}

/** The parts; those that fail with the contrast of their clause, and with the wrong responses if the run shows none, a doubtful one, or one about whole names. */
function contrastedBy(parts: readonly JudgedPart[], { contrastOf, responsesOf }: Contrasts, all: CasesByClause): readonly JudgedPart[] {
  const told = oncePerClause(parts, (part): Pick<JudgedPart, 'contrast' | 'undecided'> => {
    const cases = ownCases(all, part);
    const contrast = contrastOf(cases);
    const isOpen = contrast === undefined || contrast.doubtful === true || contrast.ofWholeName === true;
    const undecided = isOpen ? { undecided: undecidedIn(responsesOf(cases)) } : {};
    return contrast === undefined ? undecided : { contrast, ...undecided };
  });
  return parts.map((part) => ({ ...part, ...told(part) }));
}

/**
 * The verdicts, with what the run shows of when clauses are broken; for those of which it does not decide that, with what the follow-up requests in
 * the history show.
 */
export function withContrasts(
  judgment: Judgment,
  clauses: readonly SessionClause[],
  { events, known, earlier }: History,
): readonly JudgedPart[] {
  if (judgment.parts.every(({ outcome }) => outcome.kind !== 'fail')) return judgment.parts;
  const { parts, contrasts, cases } = judgment.contrasted();
  if (!events.some(isFollowUp) || parts.every(({ undecided }) => undecided === undefined)) return parts;
  const world = worldOf(events, known, earlier);
  // A rule that throws has thrown when the verdicts were made, and is reported there.
  const all = casesInWorld(clauses, world, { onThrown: () => {} }).all();
  const { responsesOf } = contrastsIn(world, all);
  const shown = oncePerClause(parts, (part): Contrast | 'refuted' | undefined => {
    if (part.contrast?.ofWholeName === true) {
      const own = ownCases(all, part);
      return contrastOfNames(own, world) ?? (isRefutedByNames(own, world) ? 'refuted' : undefined);
    }
    const again = responsesOf(ownCases(all, part)).filter(({ event }) => event.asker === FOLLOW_UP.again);
    const own = ownCases(cases, part);
    if (part.undecided === undefined) return undefined;
    const contrast = contrastOfFollowUps(again, contrasts.responsesOf(own), { areAnimals: contrasts.areAnimals(own) });
    // A creation stands for its animal.
    return contrast && contrasts.areStored(own) ? { ...contrast, unit: 'animal' as const } : contrast;
  });
  return parts.map((part) => {
    const { contrast, ...silent } = part;
    const told = shown(part) ?? contrast;
    return told === undefined || told === 'refuted' ? silent : { ...silent, contrast: told };
  });
}
