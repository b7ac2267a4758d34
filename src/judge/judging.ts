import { type CheckId, type Effect, STEPS } from '../clause/clause.ts';
import { inconclusive, type Unsent } from '../clause/halt.ts';
import type { PartRecord } from '../clause/part-record.ts';
import type { BlamedCase } from '../oracle/blame.ts';
import { isFollowUp } from '../oracle/contrast/follow-up-evidence.ts';
import { settle } from '../oracle/obligations.ts';
import {
  type Asked,
  type History,
  type JudgedPart,
  type Judgment,
  judgeHistory,
  judgeWithoutFollowUps,
  withContrasts,
} from '../oracle/oracle.ts';
import { type Event, eventOf, type Rule, type SessionCheck, type SessionClause, type World, worldOf } from '../oracle/world.ts';
import type { OpenSession } from '../session/open-session.ts';
import type { RunState } from '../session/state/run-state.ts';
import { type Exchange, unreadReason } from '../wire/exchange.ts';
import { inSeconds } from '../wire/wording.ts';
import { newerParts } from './as-of.ts';
import { type AskAgain, isGone } from './ask-again.ts';
import { InternalError, type Redaction, recordPart, sendFor } from './check.ts';
import { askClosing } from './closing-requests.ts';
import { sendFollowUps } from './follow-up-requests.ts';
import { settleRecords } from './settle-records.ts';
import { createTimekeeper } from './time-limit.ts';

export type Planned = { readonly clause: SessionClause; readonly check: SessionCheck };

/** Checks in groups: those of a group run concurrently, the groups one after the other. */
export type Plan = readonly (readonly Planned[])[];

export type PlanOptions = {
  readonly clauses: readonly SessionClause[];
  /** Allowed effects; a check with another one is left out. */
  readonly effects: readonly Effect[];
  readonly smoke?: boolean;
};

/** The checks of one selection, in the order of steps; checks of one step run concurrently. */
export function planOf({ clauses, effects, smoke = false }: PlanOptions): Plan {
  const all = clauses.flatMap((clause) => clause.checks.map((check) => ({ clause, check })));
  const wanted = all.filter(({ check }) => effects.includes(check.effect) && (!smoke || check.smoke));
  return STEPS.map((step) => wanted.filter(({ check }) => check.step === step)).filter((group) => group.length > 0);
}

export type JudgingOptions = {
  /** The clauses whose rules judge every exchange from the creation of the judging until it is closed or stopped. */
  readonly clauses: readonly SessionClause[];
  /** The clauses whose rules explain breaches; by default the judged ones. */
  readonly registry?: readonly SessionClause[];
  readonly plan: Plan;
  /** Ends requests in flight as inconclusive, and the judging of exchanges: an aborted request is not the service's doing. */
  readonly stop?: AbortSignal;
  readonly again?: AskAgain;
  /**
   * Whether it sends more than the plan: after an outage, what waits for it; and follow-up requests if the run does not show when a clause is
   * broken, unless it only reads. Not in the probe, whose requests are counted.
   */
  readonly followsUp?: boolean;
  /** Seconds after which the run must have ended: a service that allows few requests per second then gets fewer. By default, no limit. */
  readonly timeLimit?: number | undefined;
  /** What is newer than this version of the suite is marked. */
  readonly asOf?: string | undefined;
  /** Whether the verdicts say when a clause is broken; true by default. */
  readonly contrasts?: boolean;
  /** Whether the run ends with requests that ask if what held during it still holds: a whole run does, a part of one does not. */
  readonly closes?: boolean;
  readonly onRecord?: (record: PartRecord) => void;
};

export type Judged = {
  /** Of the judged checks, in the order of the plan, and of all invariants. */
  readonly records: readonly PartRecord[];
  /** Exceptions of the suite: a part that broke has no record, and affects no other. */
  readonly errors: readonly InternalError[];
};

export function settleIn(open: OpenSession, records: readonly PartRecord[]): readonly PartRecord[] {
  const { lockedOut, outage } = open.conduct();
  return settleRecords(records, { recognized: open.session.knowledge.credible, lockedOut, outage });
}

export type Sent = { readonly outcome: Unsent | undefined; readonly duration: number };

export type RunHistory = {
  readonly events: readonly Event[];
  /** Events before the judging began: they are not judged, but show what the service accepts. */
  readonly earlier?: readonly Event[];
  readonly known: RunState;
  readonly sent: ReadonlyMap<CheckId, Sent>;
};

export function historyOf({ events, earlier = [], known, sent }: RunHistory): History {
  const unsent = new Map([...sent].map(([id, { outcome }]) => [id, outcome]));
  return { events, earlier, known, unsent };
}

function clausesOf({ clauses, registry = clauses, plan }: Pick<JudgingOptions, 'clauses' | 'registry' | 'plan'>) {
  // The plan has whole clauses of which only parts may be selected: each part has one verdict.
  const judged = byId([...clauses, ...plan.flat().map(({ clause }) => clause)]);
  return { judged, all: byId([...registry, ...judged]) };
}

/** Each clause once: of two with the same id, the later one. */
const byId = (clauses: readonly SessionClause[]): readonly SessionClause[] => [...new Map(clauses.map((one) => [one.id, one])).values()];

/**
 * The judgment of the rules on the history, for the clauses of the plan and the judged ones, or for `only` some of their parts; with
 * `contrasts`, also when the failing ones are broken. Pure.
 */
export function judgeByRules(
  run: RunHistory,
  options: Pick<JudgingOptions, 'clauses' | 'registry' | 'plan'>,
  asked: Pick<Asked, 'only'> & { readonly contrasts?: boolean } = {},
): readonly JudgedPart[] {
  const { judged, all } = clausesOf(options);
  return judgeHistory(all, historyOf(run), { judged, ...asked });
}

/**
 * Whether one response shows what is wrong, and no earlier run has left it: then another response to its request tells whether the failure
 * recurs.
 */
function shownAlone({ rule, breach }: BlamedCase): boolean {
  return rule.judge !== undefined && breach?.leftBy === undefined && (breach?.exchanges?.length ?? 1) === 1;
}

/** The record of a part that rules have judged. Throws InternalError if a rule threw, or an open question fails. */
export function recordJudged(
  redaction: Redaction,
  { id, clause, title, sends, outcome, evidence, thrown, contrast }: JudgedPart,
  flaky = false,
): PartRecord {
  if (thrown !== undefined) throw new InternalError(`${id} broke in our own code; this is a defect of the suite`, { cause: thrown });
  const part = { id, clause, title, outcome, flaky, ...(contrast === undefined ? {} : { contrast }) };
  return recordPart(redaction, sends ? { ...part, kind: 'check' } : { ...part, kind: 'invariant', evidence });
}

/**
 * A group in three, one after the other: the few requests of the probe, which show which rate the service allows before much is planned, all
 * others but the exhaustive checks, and these.
 */
function mostTellingFirst(group: Plan[number]): Plan {
  const turnOf = ({ check: { smoke, exhaustive } }: Planned): number => (exhaustive ? 2 : smoke ? 0 : 1);
  return [0, 1, 2].map((turn) => group.filter((planned) => turnOf(planned) === turn)).filter(({ length }) => length > 0);
}

/** Milliseconds that a service which failed at whatever it was sent has to be back at the end of the run. */
const RETURN_PATIENCE = 5_000;

function isOfOutage({ outcome }: JudgedPart): boolean {
  return (
    outcome.kind === 'inconclusive' && outcome.why === 'waits' && ['errors.no-server-error', 'errors.answers'].includes(outcome.blockedBy)
  );
}

/** Calls the rules of single parts with an exchange as it arrives, and what the run knows by then: they remember their judgment. */
function judgePartsByRules(rules: readonly Rule[], { event, known }: { readonly event: Event; readonly known: RunState }): void {
  if (rules.length === 0) return;
  const world = worldOf([], known);
  for (const rule of rules) {
    try {
      rule.judge?.(event, world);
    } catch {
      // It throws again when the verdict is made, which then reports it.
    }
  }
}

const isOfHistory = ({ judgeAll }: Rule): boolean => judgeAll !== undefined;

/** The verdicts in the order of the plan, with those that are not in it at the end. */
export function inOrderOf(plan: Plan, records: readonly PartRecord[]): readonly PartRecord[] {
  const byId = new Map(records.map((record) => [record.id, record]));
  const inPlan = new Set(plan.flat().map(({ check }) => check.id));
  return [...plan.flat().flatMap(({ check }) => byId.get(check.id) ?? []), ...[...byId.values()].filter(({ id }) => !inPlan.has(id))];
}

export type Judging = {
  /** Judges the whole plan, once. Never rejects: exceptions are listed in the errors. */
  run(): Promise<void>;
  judged(): Judged;
  sent(): ReadonlyMap<CheckId, Sent>;
  closing(): readonly string[] | undefined;
  /** Requests that are sent from now on are judged elsewhere. */
  close(): void;
};

/**
 * The one loop that judges: for the gate, the library, the probe with its turns, `replay`, and the proof. They differ in the
 * plan, and in the use of the verdicts. Nothing is sent before `run`. Rules judge the whole history, at any moment.
 */
export function createJudging(open: OpenSession, options: JudgingOptions): Judging {
  const { clauses, plan, stop, again, followsUp = false, contrasts = true, closes = false, timeLimit, onRecord, asOf } = options;
  // Not AbortSignal.any: Node keeps a combined signal that has listeners until it is aborted, and the judging with it.
  const closed = new AbortController();
  const ended = closed.signal;
  if (stop?.aborted === true) closed.abort();
  else stop?.addEventListener('abort', () => closed.abort(), { once: true });
  const time = timeLimit === undefined ? undefined : createTimekeeper(open, { ...open.session.options, seconds: timeLimit });
  const sent = new Map<CheckId, Sent>();
  const flaky = new Set<CheckId>();
  const repeats = new Set<number>();
  const errors: InternalError[] = [];
  const { exchanges } = open.history;
  const from = exchanges.length;
  let until = Number.POSITIVE_INFINITY;
  ended.addEventListener('abort', () => {
    until = exchanges.length;
  });
  const isNewer = asOf === undefined ? () => false : newerParts(asOf, clausesOf(options).all);
  const ofParts = clauses.flatMap(({ rules }) => rules.filter(({ part }) => part !== undefined));
  open.recorder.onExchange((exchange) => {
    if (ended.aborted || unreadReason(exchange) !== undefined) return;
    judgePartsByRules(ofParts, { event: eventOf(exchange), known: open.session.knowledge });
  });

  async function send({ check }: Planned): Promise<void> {
    try {
      const begin = performance.now();
      const outcome = await sendFor(check, { open, stop });
      sent.set(check.id, { outcome, duration: Math.round(performance.now() - begin) });
    } catch (cause) {
      errors.push(cause instanceof InternalError ? cause : new InternalError(`${check.id} could not be sent`, { cause }));
    }
  }

  /** If requests are sent one after the other, so are checks: each then finds what the one before it left. */
  async function sendGroup(group: Plan[number]): Promise<void> {
    if (open.session.options.concurrency === 1) for (const planned of group) await send(planned);
    else await Promise.all(group.map(send));
  }

  const groups = time === undefined ? plan : plan.flatMap(mostTellingFirst);

  function fitting(group: Plan[number]): Plan[number] {
    const step = group[0]?.check.step;
    const fit = step === undefined ? undefined : time?.fit(step);
    if (fit === undefined) return group;
    // What shows that each operation works is sent in any case; without that nothing could be concluded.
    const isEarly = STEPS.indexOf(step ?? 'read') <= STEPS.indexOf('write');
    const isFree = ({ check }: Planned): boolean => check.effect === 'write' && open.session.options.readOnly;
    const fits = (planned: Planned): boolean =>
      isFree(planned) || ((isEarly || fit.essential) && (fit.exhaustive || !planned.check.exhaustive));
    for (const { check } of group.filter((planned) => !fits(planned)))
      sent.set(check.id, { outcome: inconclusive(`left out: ${fit.reason}`, 'circumstance'), duration: 0 });
    return group.filter(fits);
  }

  /** Whether something that must be shown was not, however long the session waited. */
  let isInVain = false;

  async function settleOwed(): Promise<void> {
    const judged = new Set(plan.flat().map(({ clause }) => clause.id));
    const world = (): World => worldOf(exchanges.slice(from, until).map(eventOf), open.session.knowledge);
    try {
      if (ended.aborted) return;
      const { isOwed } = await settle({ session: open.session, world, clauses: judged, again: open.again });
      isInVain ||= isOwed;
    } catch (cause) {
      errors.push(new InternalError('what was owed could not be asked again; this is a defect of the suite', { cause }));
    }
  }

  let last: { readonly planned: number; readonly sent: number; readonly judgment: Judgment } | undefined;

  function history(): RunHistory {
    const judged = exchanges.slice(from, until);
    const events = (repeats.size === 0 ? judged : judged.filter(({ number }) => !repeats.has(number))).map(eventOf);
    return { events, earlier: exchanges.slice(0, from).map(eventOf), known: open.session.knowledge, sent };
  }

  function byRules(asked: { readonly contrasts: boolean } = { contrasts: false }): readonly JudgedPart[] {
    const { judged, all } = clausesOf(options);
    const run = historyOf(history());
    const planned = run.events.filter((event) => !isFollowUp(event)).length;
    if (last?.planned !== planned || last.sent !== sent.size)
      last = { planned, sent: sent.size, judgment: judgeWithoutFollowUps(all, run, { judged }) };
    return asked.contrasts ? withContrasts(last.judgment, all, run) : last.judgment.parts;
  }

  function recordOf(part: JudgedPart): PartRecord | InternalError {
    try {
      const record = recordJudged(open, part, flaky.has(part.id));
      return isNewer(part) ? { ...record, newer: true } : record;
    } catch (cause) {
      return cause instanceof InternalError ? cause : new InternalError(`${part.id} could not be judged`, { cause });
    }
  }

  /**
   * Reports the checks of a group: with what all of them have shown, they have a first verdict. Clauses about the whole history are judged at the end
   * of the run only, once: what is known of them before is not final, and costs as much as all others. Unless the session has waited in vain for
   * something to be shown: if one of them is broken, it need not wait as long again.
   */
  function reportGroup(group: Plan[number]): void {
    const isLast = group === groups.at(-1);
    const isReported = ({ clause, check }: Planned): boolean =>
      sent.has(check.id) && (isLast || isInVain || !clause.rules.some(isOfHistory));
    const sending = new Set(group.filter(isReported).map(({ check }) => check.id));
    if (sending.size === 0) return;
    // At the end of the run, all parts are needed next.
    const parts = isLast ? byRules() : judgeByRules(history(), options, { only: sending });
    for (const record of parts.map(recordOf)) {
      if (record instanceof InternalError || !sending.has(record.id)) continue;
      if (record.verdict === 'fail') open.noteBroken(record.clause);
      onRecord?.(record);
    }
  }

  async function sendAgain(): Promise<void> {
    const { accepts, outage, outageSpan, brokeOff } = open.conduct();
    // What never worked is no outage.
    if (!followsUp || ended.aborted || accepts.length === 0 || (outage.length === 0 && !brokeOff)) return;
    const { promise: interrupted, resolve } = Promise.withResolvers<false>();
    ended.addEventListener('abort', () => resolve(false), { once: true });
    if (!(await Promise.race([open.beginAnew(RETURN_PATIENCE), interrupted]))) return;
    const waiting = new Set(
      byRules()
        .filter(isOfOutage)
        .map(({ id }) => id),
    );
    for (const group of groups.map((all) => all.filter(({ check }) => waiting.has(check.id))).filter(({ length }) => length > 0)) {
      await sendGroup(group);
      await settleOwed();
    }
    last = undefined;
    const when =
      outageSpan === undefined
        ? 'After the service was down, the run'
        : `From ${inSeconds(outageSpan.from)} to ${inSeconds(outageSpan.until)} after its start, the run got 5xx to whatever it sent; after that, it`;
    if (waiting.size > 0)
      open.session.notice(`${when} sent the requests of ${waiting.size} ${waiting.size === 1 ? 'situation' : 'situations'} once more`);
  }

  let closing: readonly string[] | undefined;

  async function sendClosing(): Promise<void> {
    if (!closes || ended.aborted || !open.session.knowledge.credible) return;
    try {
      closing = await askClosing(open);
    } catch (cause) {
      errors.push(cause instanceof InternalError ? cause : new InternalError('the run could not be brought to its end', { cause }));
    }
  }

  async function askAgain(): Promise<void> {
    if (again === undefined) return;
    const before = exchanges.length;
    for (const { id, clause, outcome, first } of byRules()) {
      if (outcome.kind !== 'fail' || first === undefined) continue;
      // If the rule only applies to wrong responses, it says nothing about a correct one.
      const isRight = shownAlone(first) ? (second: Exchange) => typeof judgeNow(second, first.rule) === 'string' : undefined;
      if (await isGone(outcome.findings[0], { clause: clause.id, again, isRight })) flaky.add(id);
    }
    // They say only whether failures recur: verdicts stay as they are, and nothing is judged once more.
    for (const { number } of exchanges.slice(before)) repeats.add(number);
  }

  async function decideOpen(): Promise<void> {
    if (!followsUp || ended.aborted || open.session.options.readOnly) return;
    try {
      const isBroken = (exchange: Exchange, { first }: JudgedPart): boolean =>
        first !== undefined && typeof judgeNow(exchange, first.rule) === 'object';
      await sendFollowUps(byRules({ contrasts: true }), { open, stop: ended, isBroken });
    } catch (cause) {
      errors.push(new InternalError('what the run does not tell could not be asked; this is a defect of the suite', { cause }));
    }
  }

  /** The judgment of the rule on the exchange, with all that the run has shown; undefined if it needs several exchanges. */
  function judgeNow(exchange: Exchange, rule: Rule) {
    return rule.judge?.(eventOf(exchange), worldOf(exchanges.slice(from, until).map(eventOf), open.session.knowledge));
  }

  return {
    async run() {
      time?.begin();
      for (const planned of groups) {
        const group = fitting(planned);
        await sendGroup(group);
        await settleOwed();
        if (planned !== groups.at(-1)) reportGroup(planned);
      }
      await sendAgain();
      await sendClosing();
      // After the closing requests, so that the whole history is judged once.
      reportGroup(groups.at(-1) ?? []);
      await askAgain();
      if (time?.fit('final') === undefined) await decideOpen();
      time?.note();
    },
    judged() {
      const all = byRules({ contrasts }).map(recordOf);
      const made = all.flatMap((one) => (one instanceof InternalError ? [] : [one]));
      return { records: inOrderOf(plan, made), errors: [...errors, ...all.filter((one) => one instanceof InternalError)] };
    },
    sent: () => sent,
    closing: () => closing,
    close: () => closed.abort(),
  };
}
