// One run of the canary: in a session of its own, settled in the ledger, merged with the reads.

import { clauses } from '../../../suites/index.ts';
import { haltInconclusive } from '../../clause/halt.ts';
import { passNote, type Verdict } from '../../clause/outcome.ts';
import type { CheckRecord, OperationStatistics, RunRecord } from '../../clause/run-record.ts';
import { describeInternalError } from '../../judge/check.ts';
import { createJudging } from '../../judge/judging.ts';
import type { SessionClause } from '../../oracle/world.ts';
import { isInt64 } from '../../schema/validators.ts';
import { type OpenSession, openSession } from '../../session/open-session.ts';
import type { SessionOptions } from '../../session/session.ts';
import { suspectOf } from '../../session/state/creation-limits.ts';
import type { Exchange } from '../../wire/exchange.ts';
import { isJsonObject } from '../../wire/json.ts';
import { sessionOptions, type TargetRun, targetRecord } from '../judge-target.ts';
import type { Target } from '../target.ts';
import { type CanaryPlan, type CanaryPost, canaryPlan } from './checks.ts';
import type { Settlement } from './ledger.ts';

export type RunCanaryOptions = {
  readonly target: Target;
  /** The remaining milliseconds of the run. */
  readonly deadline: number;
  readonly now: Date;
  readonly settle: (number: number, settlement: Settlement) => void;
};

/** The run with its planned canary, judged by all clauses. */
export async function runCanary(run: TargetRun, plan: CanaryPlan, options: RunCanaryOptions): Promise<TargetRun> {
  const { target, deadline, now, settle } = options;
  const canary = await judgeCanary(plan, { clauses, session: sessionOptions(target, now), deadline, settle });
  return mergeRuns(run, canary, { target, clauses, now });
}

type CanaryRun = Pick<RunRecord, 'animals' | 'operations' | 'traits' | 'notices'> & {
  readonly checks: readonly CheckRecord[];
  readonly errors: readonly string[];
  /** Whether the deadline cut it short. */
  readonly late: boolean;
};

export type CanaryOptions = {
  readonly clauses: readonly SessionClause[];
  /** Options of the target; those about creations are set here. */
  readonly session: SessionOptions;
  /** Milliseconds. */
  readonly deadline: number;
  /** Called once for each creation that was reserved. */
  readonly settle: (number: number, settlement: Settlement) => void;
};

/** Milliseconds within which a lagging store must show what was created. */
const CONSISTENCY_WINDOW = 2_000;
/**
 * The fraction of the time that one request may take: a hanging list and a hanging creation both end before the run does, and are judged.
 */
const REQUEST_SHARE = 0.4;

function sessionOf({ session, deadline }: CanaryOptions, plan: CanaryPlan): SessionOptions {
  return {
    ...session,
    readOnly: plan.kind === 'read',
    maxCreates: plan.kind === 'read' ? 0 : 1,
    timeout: Math.min(session.timeout, Math.floor(deadline * REQUEST_SHARE)),
    consistencyWindow: CONSISTENCY_WINDOW,
    createdEarlier: plan.kind === 'create' && plan.createdEarlier,
    remembered: plan.kind === 'read' ? [plan.animal] : [],
  };
}

/** The only way to send a POST: reserved on disk first, sent once, and settled whatever its result. */
function createPost(open: OpenSession, plan: CanaryPlan, settle: CanaryOptions['settle']) {
  let creation: Exchange | undefined;
  let settled = Promise.resolve();
  open.recorder.onExchange((exchange) => {
    if (exchange.request.intent.operation === 'createPet') creation = exchange;
  });
  const post: CanaryPost = async (s, sent) => {
    const reserved = plan.kind === 'create' ? plan.reserve(sent) : { ok: false as const, reason: 'no creation is due' };
    if (!reserved.ok) haltInconclusive(reserved.reason, 'choice');
    const { promise, resolve } = Promise.withResolvers<void>();
    settled = promise;
    try {
      return await s.api.create({ value: sent }, { domain: 'plain', once: true });
    } finally {
      settle(reserved.number, settlementOf(creation, { createdEarlier: plan.kind === 'create' && plan.createdEarlier }));
      resolve();
    }
  };
  return { post, settled: () => settled };
}

/** Carries out the plan, in a separate session and within the deadline, and judges every exchange by the clauses. Never rejects. */
async function judgeCanary(plan: CanaryPlan, options: CanaryOptions): Promise<CanaryRun> {
  const { deadline } = options;
  const stop = new AbortController();
  const open = await openSession(sessionOf(options, plan));
  const { post, settled } = createPost(open, plan, options.settle);
  const judging = createJudging(open, { ...canaryPlan(plan, { clauses: options.clauses, post }), stop: stop.signal });
  const timer = setTimeout(() => stop.abort(), deadline);
  await judging.run();
  clearTimeout(timer);
  await open.session.close();
  // An aborted request fails at once, and its creation is settled by that.
  await settled();
  const { records, errors } = judging.judged();
  const described = errors.map((error) => open.redactText(describeInternalError(error)));
  return { ...open.summary(), checks: records, errors: described, late: stop.signal.aborted };
}

const AMBIGUOUS: Settlement = { state: 'ambiguous' };

const TOO_MANY = 429;

/**
 * The result of a creation for the ledger: unless it is a success with an id, a plain rejection, or a quota, it is unknown whether an
 * animal exists. A service that created animals earlier may have a quota, which the document does not mention.
 */
function settlementOf(exchange: Exchange | undefined, { createdEarlier }: { createdEarlier: boolean }): Settlement {
  if (exchange === undefined || exchange.outcome.kind === 'failed') return AMBIGUOUS;
  const { status, json } = exchange.outcome.answer;
  if (createdEarlier && (status === TOO_MANY || suspectOf(exchange) !== undefined)) return { state: 'quota' };
  if (status >= 400 && status < 500) return { state: 'refused' };
  if (status < 200 || status > 299 || !json.ok || !isJsonObject(json.value)) return AMBIGUOUS;
  const { id } = json.value;
  return isInt64(id) ? { state: 'created', id: BigInt(id) } : AMBIGUOUS;
}

export type MergeContext = { readonly target: Target; readonly clauses: readonly SessionClause[]; readonly now: Date };

/** Which of two verdicts on one invariant says more. */
const WEIGHT: Readonly<Record<Verdict, number>> = { 'not-applicable': 0, inconclusive: 1, observed: 2, pass: 3, waived: 4, fail: 5 };

/** One invariant, judged on the exchanges of two sessions. */
function mergeRecord(read: CheckRecord, canary: CheckRecord): CheckRecord {
  const [heavier, lighter] = WEIGHT[canary.verdict] > WEIGHT[read.verdict] ? [canary, read] : [read, canary];
  if (heavier.evidence === undefined || lighter.evidence === undefined) return heavier;
  const judged = heavier.evidence.judged + lighter.evidence.judged;
  const broken = heavier.evidence.broken + lighter.evidence.broken;
  const note = heavier.verdict === 'pass' ? passNote(judged) : heavier.note;
  return { ...heavier, note, evidence: { judged, broken } };
}

/** Checks of the canary come first: its own row explains a defect better than an invariant that the same defect breaks. */
function mergeChecks(read: readonly CheckRecord[], canary: readonly CheckRecord[]): CheckRecord[] {
  const known = new Set(read.map(({ id }) => id));
  const others = new Map(canary.map((record) => [record.id, record]));
  const merged = read.map((record) => {
    const other = others.get(record.id);
    return other === undefined ? record : mergeRecord(record, other);
  });
  // Invariants that no exchange of the canary concerned say nothing, and are not part of what the probe judges.
  const added = canary.filter(({ id, evidence }) => !known.has(id) && evidence?.judged !== 0);
  return [...added, ...merged];
}

function mergeOperations(read: readonly OperationStatistics[], canary: readonly OperationStatistics[]): OperationStatistics[] {
  return read.map((one) => {
    const other = canary.find(({ operation }) => operation === one.operation);
    if (other === undefined) return one;
    const statuses: Record<string, number> = { ...one.statuses };
    for (const [status, count] of Object.entries(other.statuses)) statuses[status] = (statuses[status] ?? 0) + count;
    return { ...one, requests: one.requests + other.requests, statuses, durations: [...one.durations, ...other.durations] };
  });
}

/** The reads of a run and what its canary did, as one run. */
function mergeRuns(run: TargetRun, canary: CanaryRun, { target, clauses, now }: MergeContext): TargetRun {
  const { record, evidence } = run;
  const errors = [...run.errors, ...canary.errors];
  const late = run.late || canary.late;
  const { startedAt, duration, tool, options, traits } = record;
  const merged = targetRecord(mergeChecks(record.checks, canary.checks), {
    ...{ target, clauses, now, errors, late, evidence, startedAt, duration, version: tool.version, unreachable: undefined },
    ...{ strict: options.strict, reference: record.target.reference, readOnly: options.readOnly && canary.animals.budget === 0 },
    summary: {
      animals: canary.animals,
      operations: mergeOperations(record.operations, canary.operations),
      traits: {
        headers: { ...canary.traits.headers, ...traits.headers },
        members: { ...canary.traits.members, ...traits.members },
      },
      departures: record.departures,
      notices: [...new Set([...record.notices, ...canary.notices])],
    },
  });
  return { ...run, late, errors, record: merged };
}
