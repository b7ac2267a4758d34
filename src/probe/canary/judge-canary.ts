import { haltInconclusive } from '../../clause/halt.ts';
import type { CheckRecord, RunRecord } from '../../clause/run-record.ts';
import { describeInternalError } from '../../judge/check.ts';
import { createJudging } from '../../judge/judging.ts';
import type { SessionClause } from '../../oracle/rule.ts';
import { type OpenSession, openSession } from '../../session/open-session.ts';
import type { SessionOptions } from '../../session/session.ts';
import type { Exchange } from '../../wire/exchange.ts';
import { type CanaryPlan, type CanaryPost, canaryPlan } from './canary-checks.ts';
import type { Settlement } from './ledger.ts';
import { settlementOf } from './settlement.ts';

export type CanaryRun = Pick<RunRecord, 'animals' | 'operations' | 'traits' | 'notices'> & {
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
  let answered: Exchange | undefined;
  let settled = Promise.resolve();
  open.recorder.onExchange((exchange) => {
    if (exchange.request.intent.operation === 'createPet') answered = exchange;
  });
  const post: CanaryPost = async (s, sent) => {
    const reserved = plan.kind === 'create' ? plan.reserve(sent) : { ok: false as const, reason: 'no creation is due' };
    if (!reserved.ok) haltInconclusive(reserved.reason, 'choice');
    const { promise, resolve } = Promise.withResolvers<void>();
    settled = promise;
    try {
      return await s.api.create({ value: sent }, { domain: 'plain', once: true });
    } finally {
      settle(reserved.number, settlementOf(answered, { createdEarlier: plan.kind === 'create' && plan.createdEarlier }));
      resolve();
    }
  };
  return { post, settled: () => settled };
}

/** Carries out the plan, in a separate session and within the deadline, and judges every exchange by the clauses. Never rejects. */
export async function judgeCanary(plan: CanaryPlan, options: CanaryOptions): Promise<CanaryRun> {
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
