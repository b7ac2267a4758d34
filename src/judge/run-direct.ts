import { type Effect, STEPS } from '../clause/clause.ts';
import type { CheckRecord } from '../clause/run-record.ts';
import type { OpenSession } from '../session/open-session.ts';
import { askClosing } from './ask-closing.ts';
import { createInvariantJudge } from './invariant-judge.ts';
import { type CheckContext, InternalError, judgeCheck, type SessionCheck, type SessionClause } from './judge-check.ts';
import { evidenceOf, type RunEvidence } from './run-evidence.ts';
import { settleRecords, unreportedDepartures } from './settle-records.ts';
import { undeclaredWait } from './undeclared-wait.ts';

export type DirectOptions = {
  readonly clauses: readonly SessionClause[];
  /** Effects that are allowed; a check with another one is left out. */
  readonly effects: readonly Effect[];
  /** Only the checks of the probe's selection. */
  readonly smoke?: boolean;
  /** Called at the end with what an exit code rests on besides the records. */
  readonly onEvidence?: (evidence: RunEvidence) => void;
};

type Planned = { readonly clause: SessionClause; readonly check: SessionCheck };

/** The checks of one selection, in the order of steps; checks of one step run together. */
export function planOf(options: DirectOptions): readonly (readonly Planned[])[] {
  const all = options.clauses.flatMap((clause) => clause.checks.map((check) => ({ clause, check })));
  const wanted = all.filter(({ check }) => options.effects.includes(check.effect) && (options.smoke !== true || check.smoke));
  return STEPS.map((step) => wanted.filter(({ check }) => check.step === step)).filter((group) => group.length > 0);
}

/** Judges a check that must not wait for anything that it does not declare. */
async function judgeDeclared(check: SessionCheck, context: CheckContext): Promise<CheckRecord> {
  const record = await judgeCheck(check, context);
  const undeclared = undeclaredWait(check, record.blockedBy);
  if (undeclared !== undefined) throw new InternalError(`${undeclared}: ${record.note}`);
  return record;
}

/** Judges without a test runner: the same steps, checks and invariants as the gate. The session must have been started. */
export async function runDirect(open: OpenSession, options: DirectOptions): Promise<readonly CheckRecord[]> {
  const invariants = createInvariantJudge(open, options.clauses);
  const records: CheckRecord[] = [];
  for (const group of planOf(options)) {
    records.push(...(await Promise.all(group.map(({ clause, check }) => judgeDeclared(check, { clause, open })))));
  }
  const recognized = open.session.knowledge.credible;
  const closing = recognized ? await askClosing(open) : undefined;
  options.onEvidence?.(evidenceOf(open, closing));
  const settled = settleRecords([...records, ...invariants.settle()], { recognized, lockedOut: open.conduct().lockedOut });
  const [unreported] = recognized ? unreportedDepartures(settled, open.summary().departures) : [];
  if (unreported !== undefined) throw new InternalError(unreported);
  return settled;
}
