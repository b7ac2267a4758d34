import type { Check, Clause, ClauseId } from '../clause/clause.ts';
import { Halt, inconclusive } from '../clause/halt.ts';
import type { Finding, Observation, Outcome, Why } from '../clause/outcome.ts';
import type { CheckRecord, ReportedCase, ReportedFinding } from '../clause/run-record.ts';
import type { OpenSession } from '../session/open-session.ts';
import type { Session } from '../session/session.ts';
import { askingAs } from '../session/state/asking.ts';
import type { RunState } from '../session/state/run-state.ts';
import { type AskAgain, isGone } from './ask-again.ts';
import { undeclaredWait } from './undeclared-wait.ts';
import { checkDeadline, withinBounds } from './within-bounds.ts';

/** A clause that sessions judge. */
export type SessionClause = Clause<Session, RunState>;
export type SessionCheck = Check<Session>;

/** Our own code broke while it judged: never the service's failure, never a green run. */
export class InternalError extends Error {
  override readonly name = 'InternalError';
}

/** An internal error with the stack of what caused it, for whoever repairs the suite. */
export function describeInternalError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? `: ${error.cause.stack ?? error.cause.message}` : '';
  return error instanceof InternalError ? `${error.message}${cause}` : (error.stack ?? error.message);
}

/** Findings of a check or a clause that are kept with their exchanges; of the others the summary is. */
export const MOST_FINDINGS = 20;
const MOST_EXCHANGES = 12;
const LONGEST_CASE = 300;

/** A finding as reports may show it. */
export function reportFinding(open: OpenSession, finding: Finding): ReportedFinding {
  return {
    summary: open.redactText(finding.summary),
    expected: finding.expected.map((text) => open.redactText(text)),
    received: open.redactText(finding.received),
    ...(finding.pointer === undefined ? {} : { pointer: open.redactText(finding.pointer) }),
    exchanges: finding.exchanges.slice(-MOST_EXCHANGES).map((exchange) => open.redact(exchange)),
  };
}

/** A finding in one line, and which exchange shows it. */
export function reportCase(open: OpenSession, { summary, exchanges }: Finding): ReportedCase {
  const text = open.redactText(summary);
  const number = exchanges.at(-1)?.number;
  return {
    summary: text.length <= LONGEST_CASE ? text : `${text.slice(0, LONGEST_CASE - 1).replace(/[\uD800-\uDBFF]$/, '')}…`,
    ...(number === undefined ? {} : { exchange: number }),
  };
}

type Judged = {
  readonly verdict: CheckRecord['verdict'];
  readonly note: string;
  readonly why?: Why;
  readonly blockedBy?: ClauseId;
  readonly findings: readonly Finding[];
  readonly observations: readonly Observation[];
};

function judged(outcome: Outcome): Judged {
  switch (outcome.kind) {
    case 'pass':
      return { verdict: 'pass', note: outcome.evidence, findings: [], observations: [] };
    case 'fail': {
      const more = outcome.findings.length - 1;
      const note = more === 0 ? outcome.findings[0].summary : `${outcome.findings[0].summary} (and ${more} more)`;
      return { verdict: 'fail', note, findings: outcome.findings, observations: [] };
    }
    case 'inconclusive': {
      const { missing, why } = outcome;
      return {
        verdict: 'inconclusive',
        note: missing,
        why,
        ...(why === 'waits' ? { blockedBy: outcome.blockedBy } : {}),
        findings: [],
        observations: [],
      };
    }
    case 'not-applicable':
      return { verdict: 'not-applicable', note: outcome.absent, findings: [], observations: [] };
    case 'observed':
      return {
        verdict: 'observed',
        note: outcome.observations.map(({ question, answer }) => `${question}: ${answer}`).join('; '),
        findings: [],
        observations: outcome.observations,
      };
    default:
      return outcome satisfies never;
  }
}

export type CheckContext = {
  readonly clause: SessionClause;
  readonly open: OpenSession;
  /** Ends what is under way as inconclusive when the run is interrupted. */
  readonly stop?: AbortSignal;
  /** Asks once more for what fails, to see whether it comes again. */
  readonly again?: AskAgain;
};

const NOT_INTRUSIVE = 'it sends the API key outside the Authorization header, which a run against the production address never does';

async function outcomeOf(check: SessionCheck, { open, stop }: CheckContext): Promise<Outcome> {
  const { session } = open;
  if (check.effect === 'intrusive' && !session.options.intrusive) return inconclusive(NOT_INTRUSIVE, 'choice');
  try {
    return await withinBounds(() => askingAs(check.id, () => check.run(session)), { deadline: checkDeadline(session.options), stop });
  } catch (error) {
    if (error instanceof Halt) return error.outcome;
    throw new InternalError(`${check.id} broke in our own code; this is a defect of the suite`, { cause: error });
  }
}

/** Runs one check and gives the verdict on it. Throws InternalError when our own code broke. */
export async function judgeCheck(check: SessionCheck, context: CheckContext): Promise<CheckRecord> {
  const { clause, open, again } = context;
  const begin = performance.now();
  const { note, findings, observations, ...rest } = judged(await outcomeOf(check, context));
  if (rest.verdict === 'fail' && clause.level === 'open')
    throw new InternalError(`${check.id} fails a question that the document leaves open`);
  if (rest.verdict === 'fail') open.noteBroken(clause.id);
  // The verdict is right all the same: whoever wrote the check is told, and the proof does not let it pass.
  const undeclared = undeclaredWait(check, rest.blockedBy);
  if (undeclared !== undefined) open.session.notice(undeclared);
  const [first] = findings;
  const flaky = first !== undefined && again !== undefined && (await isGone(first, { clause: clause.id, again }));
  return {
    id: check.id,
    clause: clause.id,
    kind: 'check',
    title: check.title,
    ...rest,
    note: open.redactText(note),
    ...(flaky ? { flaky } : {}),
    findings: findings.slice(0, MOST_FINDINGS).map((finding) => reportFinding(open, finding)),
    ...(findings.length === 0 ? {} : { cases: findings.map((finding) => reportCase(open, finding)) }),
    observations: observations.map(({ question, answer }) => ({ question, answer: open.redactText(answer) })),
    duration: Math.round(performance.now() - begin),
  };
}
