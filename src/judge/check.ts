// A part of a clause: its requests are sent within bounds, and its outcome becomes a record.

import type { Chapter, CheckId, ClauseId } from '../clause/clause.ts';
import type { ReportedCase, ReportedContrast, ReportedFinding } from '../clause/clause-record.ts';
import { createKindTable } from '../clause/failure-kind.ts';
import { Halt, inconclusive, type Unsent } from '../clause/halt.ts';
import type { Finding, Observation, Outcome, Why } from '../clause/outcome.ts';
import type { PartRecord } from '../clause/part-record.ts';
import { caseText, failureNote, MOST_EXCHANGES, MOST_FINDINGS } from '../clause/record-bounds.ts';
import type { Contrast } from '../oracle/contrast/contrast.ts';
import type { SessionCheck, SessionClause } from '../oracle/world.ts';
import type { OpenSession } from '../session/open-session.ts';
import { askingAs, type SessionOptions } from '../session/session.ts';
import { kindsOf } from './failure-kinds.ts';

/** The suite itself broke while judging: never the service's failure, never a green run. */
export class InternalError extends Error {
  override readonly name = 'InternalError';
}

export function describeInternalError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? `: ${error.cause.stack ?? error.cause.message}` : '';
  return error instanceof InternalError ? `${error.message}${cause}` : (error.stack ?? error.message);
}

export type Redaction = Pick<OpenSession, 'redact' | 'redactText'>;

/** A finding with the places of its kinds in the table of the check, if that has several. */
type Kinded = { readonly finding: Finding; readonly ofKinds: Pick<ReportedCase, 'failureKinds'> };

function withKinds(open: Redaction, findings: readonly Finding[], chapter: Chapter) {
  const table = createKindTable();
  const placed = findings.map((finding) => ({ finding, places: table.add(kindsOf(finding, chapter)) }));
  const one = table.failureKinds.length === 1;
  return {
    kinded: placed.map(({ finding, places }): Kinded => ({ finding, ofKinds: one ? {} : { failureKinds: places } })),
    failureKinds: table.failureKinds.map(({ must, place, expected, received }, index) => ({
      ...{ must, place: open.redactText(place), expected: open.redactText(expected), received: open.redactText(received) },
      cases: placed.filter(({ places }) => places.includes(index)).length,
    })),
  };
}

function reportFinding(open: Redaction, { finding, ofKinds }: Kinded): ReportedFinding {
  return {
    summary: open.redactText(finding.summary),
    expected: finding.expected.map((text) => open.redactText(text)),
    received: open.redactText(finding.received),
    ...(finding.pointer === undefined ? {} : { pointer: open.redactText(finding.pointer) }),
    ...ofKinds,
    exchanges: finding.exchanges.slice(-MOST_EXCHANGES).map((exchange) => open.redact(exchange)),
  };
}

function reportContrast(
  open: Redaction,
  { when, unit, there, elsewhere, broken, twin, before, atOnce, asked }: Contrast,
): ReportedContrast {
  const isShown = twin !== undefined || before !== undefined || atOnce !== undefined;
  return {
    ...(when === undefined ? {} : { when: open.redactText(when) }),
    ...{ unit, there, elsewhere },
    ...(isShown ? { broken: open.redact(broken.exchange) } : {}),
    ...(twin === undefined ? {} : { twin: open.redact(twin.exchange) }),
    ...(before === undefined ? {} : { before: open.redact(before.exchange) }),
    ...(atOnce === undefined ? {} : { atOnce }),
    ...(asked === undefined ? {} : { asked }),
  };
}

function reportCase(open: Redaction, { finding: { summary, exchanges }, ofKinds }: Kinded): ReportedCase {
  const text = open.redactText(summary);
  const number = exchanges.at(-1)?.number;
  return {
    summary: caseText(text),
    ...(number === undefined ? {} : { exchange: number }),
    ...ofKinds,
  };
}

function looksOf({ finding: { pointer = '', exchanges }, ofKinds: { failureKinds = [] } }: Kinded): string {
  const exchange = exchanges.at(-1);
  if (exchange === undefined) return `${pointer} ${failureKinds.join()}`;
  const { request, outcome } = exchange;
  const status = outcome.kind === 'answered' ? outcome.answer.status : outcome.failure.reason;
  return `${request.intent.operation} ${status} ${pointer.replace(/\d+/g, '')} ${failureKinds.join()}`;
}

/** One finding of each kind before the second of any, so that a reader who shows a few shows different ones. */
function firstOfEachKind(findings: readonly Kinded[]): readonly Kinded[] {
  const firsts = new Set(new Map(findings.toReversed().map((finding) => [looksOf(finding), finding])).values());
  return [...findings.filter((finding) => firsts.has(finding)), ...findings.filter((finding) => !firsts.has(finding))];
}

type Judged = {
  readonly verdict: PartRecord['verdict'];
  readonly note: string;
  readonly why?: Why;
  readonly blockedBy?: ClauseId;
  readonly findings: readonly Finding[];
  readonly observations: readonly Observation[];
};

function judged(outcome: Outcome, evidence: PartRecord['evidence']): Judged {
  switch (outcome.kind) {
    case 'pass':
      return { verdict: 'pass', note: outcome.evidence, findings: [], observations: [] };
    case 'fail': {
      const note = failureNote(outcome.findings[0].summary, evidence ?? { broken: outcome.findings.length });
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

const NOT_INTRUSIVE = 'it sends the API key outside the Authorization header, which a run against the production address never does';

/**
 * Sends the requests of a check within its bounds: resolves to the reason why some were not sent. `stop` ends the requests in flight if the
 * run is interrupted. Throws InternalError if the suite itself broke.
 */
export async function sendFor(
  check: SessionCheck,
  { open: { session }, stop }: { readonly open: OpenSession; readonly stop?: AbortSignal | undefined },
): Promise<Unsent | undefined> {
  const isIntrusive = check.effect === 'intrusive' || check.intrusive === true;
  if (isIntrusive && !session.options.intrusive) return inconclusive(NOT_INTRUSIVE, 'choice');
  try {
    return await withinBounds(() => askingAs(check.id, () => check.send(session)), { deadline: checkDeadline(session.options), stop });
  } catch (error) {
    if (error instanceof Halt) return error.unsent;
    throw new InternalError(`${check.id} broke in our own code; this is a defect of the suite`, { cause: error });
  }
}

type Part = {
  readonly id: CheckId;
  readonly title: string;
  readonly clause: SessionClause;
  readonly kind: PartRecord['kind'];
  readonly outcome: Outcome;
  readonly flaky?: boolean;
  readonly evidence?: PartRecord['evidence'];
  readonly contrast?: Contrast;
};

/** The record of a part of a clause. Throws InternalError if an open question fails. */
export function recordPart(open: Redaction, part: Part): PartRecord {
  const { id, title, clause, kind, outcome, flaky = false, evidence, contrast } = part;
  const { note, findings, observations, ...rest } = judged(outcome, evidence);
  const { kinded, failureKinds } = withKinds(open, findings, clause.chapter);
  if (rest.verdict === 'fail' && clause.level === 'open') throw new InternalError(`${id} fails a question that the document leaves open`);
  return {
    ...{ id, clause: clause.id, kind, title, ...rest },
    note: open.redactText(note),
    ...(flaky ? { flaky } : {}),
    findings: firstOfEachKind(kinded)
      .slice(0, MOST_FINDINGS)
      .map((finding) => reportFinding(open, finding)),
    ...(findings.length === 0 ? {} : { cases: kinded.map((finding) => reportCase(open, finding)), failureKinds }),
    ...(evidence === undefined ? {} : { evidence }),
    ...(contrast === undefined ? {} : { contrast: reportContrast(open, contrast) }),
    observations: observations.map(({ question, answer }) => ({ question, answer: open.redactText(answer) })),
  };
}

export const INTERRUPTED = 'the run was interrupted before this was judged';

const LEAST = 240_000;
const REQUESTS_OF_A_RUN = 1_500;

/** Milliseconds after which a check is cut off: every request has its own deadline, and this stops a check that sends without end. */
export function checkDeadline({ timeBudget, timeout, rate }: Pick<SessionOptions, 'timeBudget' | 'timeout' | 'rate'>): number {
  // All checks of a step share the rate, so each of them may last as long as the step.
  return LEAST + timeBudget + 10 * timeout + (rate > 0 ? (1_000 * REQUESTS_OF_A_RUN) / rate : 0);
}

/** The outcome of the work; inconclusive once the run is stopped or the milliseconds are over, whatever the work does then. */
export async function withinBounds<Done extends Unsent | undefined>(
  work: () => Promise<Done>,
  { deadline, stop }: { deadline: number; stop: AbortSignal | undefined },
): Promise<Done | Outcome> {
  if (stop?.aborted === true) return inconclusive(INTERRUPTED, 'choice');
  const { promise, resolve, reject } = Promise.withResolvers<Done | Outcome>();
  const interrupt = (): void => resolve(inconclusive(INTERRUPTED, 'choice'));
  const timer = setTimeout(
    () => resolve(inconclusive(`did not finish within ${Math.round(deadline / 1000)} s, and was stopped`, 'service')),
    deadline,
  );
  stop?.addEventListener('abort', interrupt, { once: true });
  work().then(resolve, reject);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    stop?.removeEventListener('abort', interrupt);
  }
}
