import { type CheckId, type Effect, STEPS } from '../clause/clause.ts';
import type { Unsent } from '../clause/halt.ts';
import type { CheckRecord } from '../clause/run-record.ts';
import type { BlamedCase } from '../oracle/blame.ts';
import { type Event, eventOf } from '../oracle/event.ts';
import { settle } from '../oracle/obligations.ts';
import { type History, type JudgedPart, judgeHistory } from '../oracle/oracle.ts';
import type { Rule, SessionCheck, SessionClause } from '../oracle/rule.ts';
import { type World, worldOf } from '../oracle/world.ts';
import type { OpenSession } from '../session/open-session.ts';
import type { RunState } from '../session/state/run-state.ts';
import type { Exchange } from '../wire/exchange.ts';
import { type AskAgain, isGone } from './ask-again.ts';
import { decide } from './decide.ts';
import { InternalError, type Redaction, recordPart, sendFor } from './judge-check.ts';
import { settleRecords } from './settle-records.ts';

export type Planned = { readonly clause: SessionClause; readonly check: SessionCheck };

/** Checks in groups: those of a group run together, the groups one after the other. */
export type Plan = readonly (readonly Planned[])[];

export type PlanOptions = {
  readonly clauses: readonly SessionClause[];
  /** Effects that are allowed; a check with another one is left out. */
  readonly effects: readonly Effect[];
  /** Only the checks of the probe's selection. */
  readonly smoke?: boolean;
};

/** The checks of one selection, in the order of steps; checks of one step run together. */
export function planOf({ clauses, effects, smoke = false }: PlanOptions): Plan {
  const all = clauses.flatMap((clause) => clause.checks.map((check) => ({ clause, check })));
  const wanted = all.filter(({ check }) => effects.includes(check.effect) && (!smoke || check.smoke));
  return STEPS.map((step) => wanted.filter(({ check }) => check.step === step)).filter((group) => group.length > 0);
}

export type JudgingOptions = {
  /** Those whose rules judge every exchange from the making of the judging on, until it is closed or stopped. */
  readonly clauses: readonly SessionClause[];
  /** Those whose rules explain what is broken; by default the ones that are judged. */
  readonly registry?: readonly SessionClause[];
  readonly plan: Plan;
  /** Ends what is under way as inconclusive, and the judging of exchanges: what is cut off is not the service's doing. */
  readonly stop?: AbortSignal;
  /** Asks once more for what fails, to see whether it comes again. */
  readonly again?: AskAgain;
  /** Asks when a clause is broken, where the run does not tell: never in a run that only reads. */
  readonly decides?: boolean;
  /** Says when a clause is broken; true by default. */
  readonly contrasts?: boolean;
  /** Called with each check that has its verdict. */
  readonly onRecord?: (record: CheckRecord) => void;
};

/** The verdicts of a judging as far as it has come. */
export type Judged = {
  /** Of the checks that were judged, in the order of the plan, and of all invariants. */
  readonly records: readonly CheckRecord[];
  /** Exceptions of our own code: what broke has no record, and takes nothing else with it. */
  readonly errors: readonly InternalError[];
};

/** Verdicts of a session, settled by what only the whole of it can tell. */
export function settleIn(open: OpenSession, records: readonly CheckRecord[]): readonly CheckRecord[] {
  const { lockedOut, outage } = open.conduct();
  return settleRecords(records, { recognized: open.session.knowledge.credible, lockedOut, outage });
}

/** What the sending of a check has come to: how long it took, and why some of its requests were not sent. */
export type Sent = { readonly outcome: Unsent | undefined; readonly duration: number };

/** Everything from which rules have their verdicts. */
export type RunHistory = {
  readonly events: readonly Event[];
  /** What came before the judging began: nothing of it is judged, but it shows what the service accepts. */
  readonly earlier?: readonly Event[];
  readonly known: RunState;
  readonly sent: ReadonlyMap<CheckId, Sent>;
};

/** The run as rules look at it. */
export function historyOf({ events, earlier = [], known, sent }: RunHistory): History {
  const unsent = new Map([...sent].map(([id, { outcome }]) => [id, outcome]));
  return { events, earlier, known, unsent };
}

/**
 * What the rules say of the history, of the clauses of the plan and of those that are judged, or of `only` some of their parts; with `contrasts`,
 * when those that fail are broken. Pure.
 */
export function judgeByRules(
  run: RunHistory,
  { clauses, registry = clauses, plan }: Pick<JudgingOptions, 'clauses' | 'registry' | 'plan'>,
  { only, contrasts = false }: { readonly only?: ReadonlySet<CheckId> | undefined; readonly contrasts?: boolean } = {},
): readonly JudgedPart[] {
  const planned = plan.flat().map(({ clause }) => clause);
  const judged = [...new Set([...clauses, ...planned])];
  return judgeHistory([...new Set([...registry, ...judged])], historyOf(run), { judged, only, contrasts });
}

/** Whether one response shows what is wrong, and no earlier run has left it: then another response to its request tells whether it comes again. */
function shownAlone({ rule, breach }: BlamedCase): boolean {
  return rule.judge !== undefined && breach?.leftBy === undefined && (breach?.exchanges?.length ?? 1) === 1;
}

/** The record of a part that rules have judged. Throws InternalError where a rule threw, or an open question is failed. */
export function recordJudged(
  redaction: Redaction,
  { id, clause, title, sends, outcome, evidence, thrown, contrast }: JudgedPart,
  { sent, flaky = false }: { readonly sent: RunHistory['sent']; readonly flaky?: boolean },
): CheckRecord {
  if (thrown !== undefined) throw new InternalError(`${id} broke in our own code; this is a defect of the suite`, { cause: thrown });
  const part = {
    id,
    clause,
    title,
    outcome,
    duration: sent.get(id)?.duration ?? 0,
    flaky,
    ...(contrast === undefined ? {} : { contrast }),
  };
  return recordPart(redaction, sends ? { ...part, kind: 'check' } : { ...part, kind: 'invariant', evidence });
}

/** Asks the laws of single parts about an exchange as it comes, with what the run knows by then: they keep what they say. */
function askLaws(clauses: readonly SessionClause[], { event, known }: { readonly event: Event; readonly known: RunState }): void {
  for (const law of clauses.flatMap(({ rules }) => rules.filter(({ part }) => part !== undefined))) {
    try {
      law.judge?.(event, worldOf([], known));
    } catch {
      // It throws again when the verdict is made, which then says so.
    }
  }
}

/** The verdicts in the order of the plan, those that are not in it at the end. */
export function inOrderOf(plan: Plan, records: readonly CheckRecord[]): readonly CheckRecord[] {
  const byId = new Map(records.map((record) => [record.id, record]));
  const inPlan = new Set(plan.flat().map(({ check }) => check.id));
  return [...plan.flat().flatMap(({ check }) => byId.get(check.id) ?? []), ...[...byId.values()].filter(({ id }) => !inPlan.has(id))];
}

/** The checks of a plan, judged in a session together with every exchange of it. */
export type Judging = {
  /** Judges the whole plan, once. Never rejects: what breaks is among the errors. */
  run(): Promise<void>;
  /** The verdicts so far: may be asked for at any moment, and as often as wanted. */
  judged(): Judged;
  /** What the checks have sent. */
  sent(): ReadonlyMap<CheckId, Sent>;
  /** What is sent from now on is judged by somebody else. */
  close(): void;
};

/**
 * The one loop that judges: for the gate, the library, the probe, its turns and its canary, `replay`, and the proof. What differs between them is
 * the plan, and what becomes of the verdicts. Nothing is sent before `run`. Rules judge the whole history, at any moment.
 */
export function createJudging(open: OpenSession, options: JudgingOptions): Judging {
  const { clauses, plan, stop, again, decides = false, contrasts = true, onRecord } = options;
  const closed = new AbortController();
  const ended = stop === undefined ? closed.signal : AbortSignal.any([stop, closed.signal]);
  const sent = new Map<CheckId, Sent>();
  const flaky = new Set<CheckId>();
  const errors: InternalError[] = [];
  const { exchanges } = open.history;
  const from = exchanges.length;
  let until = Number.POSITIVE_INFINITY;
  ended.addEventListener('abort', () => {
    until = exchanges.length;
  });
  open.recorder.onExchange((exchange) => {
    if (!ended.aborted) askLaws(clauses, { event: eventOf(exchange), known: open.session.knowledge });
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

  /** Asks again what the clauses that rules judge can't be judged by yet. */
  async function settleOwed(): Promise<void> {
    const judged = new Set(plan.flat().map(({ clause }) => clause.id));
    const world = (): World => worldOf(exchanges.slice(from, until).map(eventOf), open.session.knowledge);
    try {
      if (!ended.aborted) await settle({ session: open.session, world, clauses: judged, again: open.again });
    } catch (cause) {
      errors.push(new InternalError('what was owed could not be asked again; this is a defect of the suite', { cause }));
    }
  }

  let last:
    | { readonly exchanges: number; readonly sent: number; readonly contrasts: boolean; readonly parts: readonly JudgedPart[] }
    | undefined;

  /** The run so far. */
  function history(): RunHistory {
    const [earlier, events] = [exchanges.slice(0, from).map(eventOf), exchanges.slice(from, until).map(eventOf)];
    return { events, earlier, known: open.session.knowledge, sent };
  }

  /** What the rules say so far: once for as much as there is. Without a failed part there is nothing to contrast. */
  function byRules(asked: { readonly contrasts: boolean } = { contrasts: false }): readonly JudgedPart[] {
    const isSame = last?.exchanges === Math.min(exchanges.length, until) && last.sent === sent.size;
    if (last !== undefined && isSame && (!asked.contrasts || last.contrasts || last.parts.every(({ outcome }) => outcome.kind !== 'fail')))
      return last.parts;
    const parts = judgeByRules(history(), options, asked);
    last = { exchanges: Math.min(exchanges.length, until), sent: sent.size, contrasts: asked.contrasts, parts };
    return parts;
  }

  function recordOf(part: JudgedPart): CheckRecord | InternalError {
    try {
      return recordJudged(open, part, { sent, flaky: flaky.has(part.id) });
    } catch (cause) {
      return cause instanceof InternalError ? cause : new InternalError(`${part.id} could not be judged`, { cause });
    }
  }

  /** Tells of the checks of a group: with what all of them have shown, they have a first verdict. */
  function tell(group: Plan[number]): void {
    const sending = new Set(group.filter(({ check }) => sent.has(check.id)).map(({ check }) => check.id));
    if (sending.size === 0) return;
    // After the last group, all parts are asked for next.
    const parts = group === plan.at(-1) ? byRules() : judgeByRules(history(), options, { only: sending });
    for (const record of parts.map(recordOf)) {
      if (record instanceof InternalError || !sending.has(record.id)) continue;
      if (record.verdict === 'fail') open.noteBroken(record.clause);
      onRecord?.(record);
    }
  }

  /** Asks once more for the first case of each part that rules found broken. */
  async function askAgain(): Promise<void> {
    if (again === undefined) return;
    for (const { id, clause, outcome, first } of byRules()) {
      if (outcome.kind !== 'fail' || first === undefined) continue;
      // What applies to a wrong response alone has nothing to say of a right one.
      const isRight = shownAlone(first) ? (second: Exchange) => typeof sayNow(second, first.rule) === 'string' : undefined;
      if (await isGone(outcome.findings[0], { clause: clause.id, again, isRight })) flaky.add(id);
    }
  }

  /** Asks when clauses are broken of which the run does not tell. */
  async function decideOpen(): Promise<void> {
    if (!decides || ended.aborted || open.session.options.readOnly) return;
    try {
      const isBroken = (exchange: Exchange, { first }: JudgedPart): boolean =>
        first !== undefined && typeof sayNow(exchange, first.rule) === 'object';
      await decide(byRules({ contrasts: true }), { open, stop: ended, isBroken });
    } catch (cause) {
      errors.push(new InternalError('what the run does not tell could not be asked; this is a defect of the suite', { cause }));
    }
  }

  /** What the rule says of the exchange, with all that the run has shown; undefined where it takes several exchanges to tell. */
  function sayNow(exchange: Exchange, rule: Rule) {
    return rule.judge?.(eventOf(exchange), worldOf(exchanges.slice(from, until).map(eventOf), open.session.knowledge));
  }

  return {
    async run() {
      for (const group of plan) {
        // Where requests are sent one after the other, so are checks: each then finds what the one before it left.
        if (open.session.options.concurrency === 1) for (const planned of group) await send(planned);
        else await Promise.all(group.map(send));
        await settleOwed();
        tell(group);
      }
      await askAgain();
      await decideOpen();
    },
    judged() {
      const all = byRules({ contrasts }).map(recordOf);
      const made = all.flatMap((one) => (one instanceof InternalError ? [] : [one]));
      return { records: inOrderOf(plan, made), errors: [...errors, ...all.filter((one) => one instanceof InternalError)] };
    },
    sent: () => sent,
    close: () => closed.abort(),
  };
}
