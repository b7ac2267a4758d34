// One run of the probe on a target, as a record and what a sample has beyond it.

import { setImmediate as breathe } from 'node:timers/promises';
import { WORDING } from '../../suites/plan/narrowing.ts';
import { probeWith } from '../../suites/plan/smoke.ts';
import { versionsOf } from '../../suites/tables/tables.ts';
import type { ClauseId } from '../clause/clause.ts';
import type { ClauseRecord } from '../clause/clause-record.ts';
import type { RunRecord, StopSignal } from '../clause/run-record.ts';
import { createOperations } from '../clause/run-statistics.ts';
import { closingOf } from '../judge/closing.ts';
import type { RunEvidence } from '../judge/conclusion.ts';
import { failingOf, type Redaction, redactionOf, type ShownExchange } from '../judge/findings.ts';
import { runDataOf } from '../judge/judging.ts';
import { emptyRunData, type RunData, runRecordOf } from '../judge/record.ts';
import { broadNotices, coversAll, waiveClauses } from '../judge/waivers.ts';
import { factsOf } from '../oracle/facts.ts';
import type { Verdict } from '../oracle/verdicts.ts';
import type { Received } from '../session/history.ts';
import type { SessionOptions } from '../session/session.ts';
import type { TransportReason } from '../wire/exchange.ts';
import { UnreachableError } from '../wire/meant-service.ts';
import type { RedactedExchange } from '../wire/redacted-exchange.ts';
import { routeOf } from '../wire/route.ts';
import type { Impression } from './changes/change.ts';
import { answersIn, impressionsIn } from './changes/impressions.ts';
import { isOfEveryRun, type ProbeSuite } from './suite.ts';
import { MAX_BODY, type Target } from './target.ts';
import { type AskedTurn, judgeTurn, type ProbeResult } from './turn.ts';
import type { TurnSent } from './turn-state.ts';

/** One run on a target, with what the record does not contain. */
export type TargetRun = {
  readonly record: RunRecord;
  /** Set if there was no response at all to the first request. */
  readonly unreachable: TransportReason | undefined;
  /** Why the first contact left nothing else to judge, in a sentence. */
  readonly mistaken?: string;
  /** The first response of such a run. */
  readonly shown?: RedactedExchange;
  /** Why the last request got no complete response, if none got one. */
  readonly failure?: { readonly reason: TransportReason; readonly message: string };
  readonly late: boolean;
  readonly interrupted: StopSignal | undefined;
  readonly errors: readonly string[];
  /** Status of the first complete response; 0 if there was none. */
  readonly httpStatus: number;
  /** What the conclusion is based on in addition to the verdicts. */
  readonly evidence: RunEvidence;
  /** Broken clauses that do not fail the run: a row of the turn shows them that was not sent again, or was right then. */
  readonly seenOnce: ReadonlySet<ClauseId>;
  /** The result of the turn; undefined if the run did not get to it, or had none. */
  readonly sent?: TurnSent;
  readonly impressions: readonly Impression[];
};

export type JudgeOptions = {
  readonly suite: ProbeSuite;
  /** "Now" for the date of the deprecation. */
  readonly now: Date;
  /** The day by which waivers expire, if it is another one. */
  readonly today?: Date;
  readonly version: string;
  readonly strict: boolean;
  readonly reference: boolean;
  /** Aborted with the name of the signal that ends the run. */
  readonly stop?: AbortSignal;
  /** What is sent after the requests of every run; nothing by default. */
  readonly turn?: AskedTurn;
  /** Receives each exchange, as reports may show it. */
  readonly onExchange?: (exchange: RedactedExchange) => void;
  /** Options of the one-shot command line in addition to the target. */
  readonly session?: Partial<Pick<SessionOptions, 'rate' | 'waitForReady' | 'timeout'>>;
};

/** Seeds are 31 bits wide. */
const SEEDS = 2 ** 31;

/** A session that only reads, for one run on a target: with other values in each of them. */
export function sessionOptions(target: Target, now: Date): SessionOptions {
  return {
    baseUrl: target.baseUrl,
    apiKey: target.apiKey(),
    readOnly: true,
    intrusive: false,
    maxCreates: 0,
    runTag: 'probe',
    leftoverIds: [],
    categoryIds: [],
    depth: 'standard',
    seed: Math.floor(now.getTime() / 1_000) % SEEDS,
    now,
    concurrency: target.concurrency,
    timeout: Math.min(target.timeout, target.deadline),
    consistencyWindow: 0,
    waitForReady: 0,
    rate: target.rate,
    maxBody: MAX_BODY,
    ...routeOf(target),
    headers: target.headers(),
  };
}

/** What came off the wire, also in a run that is not judged. */
class ReceivedExchanges {
  /** In the order in which they came. */
  readonly seen: ShownExchange[] = [];
  httpStatus = 0;
  failure: TargetRun['failure'];
  private readonly apiKey: string;
  private readonly redaction: Redaction;
  private readonly onExchange: JudgeOptions['onExchange'];

  constructor({ apiKey }: SessionOptions, redaction: Redaction, onExchange: JudgeOptions['onExchange']) {
    this.apiKey = apiKey;
    this.redaction = redaction;
    this.onExchange = onExchange;
  }

  readonly add = (received: Received): void => {
    const { response, failure, sent } = received;
    // Only these are shown or counted without a history.
    if (this.httpStatus === 0 || this.onExchange !== undefined) {
      const exchange = { ...received, facts: factsOf(sent, this.apiKey) };
      if (this.httpStatus === 0) this.seen.push(exchange);
      this.onExchange?.(this.redaction.exchange(exchange));
    }
    if (response !== undefined) this.httpStatus ||= response.status;
    else if (this.httpStatus === 0 && failure !== undefined)
      this.failure = { reason: failure.reason, message: this.redaction.text(failure.message) };
  };

  first(): RedactedExchange | undefined {
    const first = this.seen.find(({ response }) => response !== undefined);
    return first === undefined ? undefined : this.redaction.exchange(first);
  }

  operations(): RunRecord['operations'] {
    return createOperations(({ facts, response, at, done }: ShownExchange) => ({
      ...{ operation: facts.operation, response, duration: done - at, isDocumented: true },
    }))(this.seen);
  }
}

/** The end of a run that was judged, or that was not. */
type EndedRun = { readonly data: RunData; readonly result?: ProbeResult; readonly reason?: TransportReason };

type Play = {
  readonly target: Target;
  readonly options: JudgeOptions;
  readonly session: SessionOptions;
  readonly watch: ReceivedExchanges;
};

/** Clauses on which the run is to say something: those of every run, and those on which its turn has reached a verdict. */
const isJudgedByRun = ({ clause, verdict }: Verdict): boolean =>
  isOfEveryRun(clause.id) || (verdict !== 'inconclusive' && verdict !== 'not-applicable');

function dataOf(result: ProbeResult, { session, target }: Play, redaction: Redaction): RunData {
  const verdicts = result.verdicts.filter(isJudgedByRun);
  const data = runDataOf({ ...result, verdicts }, { session, asOf: target.asOf, versionsOf });
  const closing = Number.isFinite(result.closedBy) ? closingOf(result.world, result.closedBy).map(redaction.text) : undefined;
  const { plan: _plan, timeline: _timeline, mistaken, ...rest } = data;
  return { ...rest, evidence: { ...data.evidence, closing }, ...(mistaken === undefined ? {} : { mistaken: redaction.text(mistaken) }) };
}

async function play(all: Play, redaction: Redaction): Promise<EndedRun> {
  const { target, options, session, watch } = all;
  const { suite, stop, turn, today = options.now } = options;
  const only = suite.selected(target);
  const isWaived = ({ clause: { id, chapter }, broken }: Verdict): boolean => {
    if (target.waivers.length === 0) return false;
    const { failureKinds } = failingOf(broken, { chapter, redaction, vectorOf: () => undefined });
    return coversAll({ id, failureKinds }, target.waivers, today);
  };
  try {
    const result = await judgeTurn({
      ...{ ...probeWith(suite.own, session), options: session, deadline: target.deadline, wording: WORDING, isWaived },
      ...(only === undefined ? {} : { only }),
      ...(stop === undefined ? {} : { stop }),
      ...(turn === undefined ? {} : { turn }),
      onReceived: watch.add,
    });
    // A target with long lists must not delay the others.
    await breathe();
    return { result, data: dataOf(result, all, redaction) };
  } catch (error) {
    const nothing = emptyRunData(session);
    const data = { ...nothing, summary: { ...nothing.summary, operations: watch.operations() } };
    if (error instanceof UnreachableError) return { data: { ...data, unreachable: redaction.text(error.message) }, reason: error.reason };
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { data: { ...data, errors: [redaction.text(text)] } };
  }
}

/** A run without any response within its time did not reach the service. */
function withoutResponses({ data, result, reason }: EndedRun, { target, watch, options }: Play): EndedRun {
  const isSilent = result?.isLate === true && watch.httpStatus === 0 && options.stop?.aborted !== true;
  if (!isSilent) return { data, ...(result === undefined ? {} : { result }), ...(reason === undefined ? {} : { reason }) };
  const unreachable = watch.failure?.message ?? `no response within ${target.deadline / 1000} s`;
  return { data: { ...data, clauses: [], unreachable }, result, reason: watch.failure?.reason ?? 'timeout' };
}

/** Known failures are waived until the last day of their waivers; an expired one only causes a warning when the configuration is read. */
function withWaivers(data: RunData, { waivers }: Target, today: Date): RunData {
  if (waivers.length === 0) return data;
  const clauses: readonly ClauseRecord[] = waiveClauses(data.clauses, waivers, today);
  const { summary } = data;
  return { ...data, clauses, summary: { ...summary, notices: [...summary.notices, ...broadNotices(clauses, waivers, today)] } };
}

/** Judges a target once with reads only, on separate connections, within its deadline. Never rejects. */
export async function judgeTarget(target: Target, options: JudgeOptions): Promise<TargetRun> {
  const startedAt = new Date().toISOString();
  const begin = performance.now();
  const { suite, version, strict, reference, now, today = now, stop } = options;
  const session = { ...sessionOptions(target, now), ...options.session };
  const redaction = redactionOf(session);
  const watch = new ReceivedExchanges(session, redaction, options.onExchange);
  const all: Play = { target, options, session, watch };
  const { result, reason, ...played } = withoutResponses(await play(all, redaction), all);
  const data = withWaivers(played.data, target, today);
  const interrupted = stop?.aborted === true ? (stop.reason as StopSignal) : undefined;
  const late = result?.isLate === true && interrupted === undefined;
  const record = runRecordOf({
    options: {
      ...{ session, reference, strict, only: target.only, skip: target.skip, asOf: target.asOf, version, today },
      ...{ registry: suite.clauses, selection: [], waivers: [], drift: () => [] },
    },
    data,
    stopped: late ? { cutShort: `the deadline of ${target.deadline / 1000} s passed` } : interrupted,
    ...{ startedAt, duration: performance.now() - begin },
  });
  const shown = data.mistaken === undefined ? undefined : watch.first();
  return {
    ...{ record, unreachable: reason, late, interrupted, errors: data.errors, httpStatus: watch.httpStatus },
    ...(data.mistaken === undefined ? {} : { mistaken: data.mistaken }),
    ...(shown === undefined ? {} : { shown }),
    ...(watch.failure === undefined || watch.httpStatus !== 0 ? {} : { failure: watch.failure }),
    evidence: data.evidence,
    seenOnce: result?.seenOnce ?? new Set(),
    ...(result === undefined || options.turn === undefined || !Number.isFinite(result.closedBy) ? {} : { sent: result.sent }),
    impressions: result === undefined ? [] : [...impressionsIn(result.world, redaction.text), ...answersIn(record.clauses)],
  };
}
