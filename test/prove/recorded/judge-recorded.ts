import { type CheckId, EFFECTS } from '../../../src/clause/clause.ts';
import { UsageError } from '../../../src/cli/option-spec.ts';
import { describeInternalError, InternalError } from '../../../src/judge/check.ts';
import { historyOf, inOrderOf, judgeByRules, planOf, recordJudged, type Sent } from '../../../src/judge/judging.ts';
import { settleRecords, unreportedDepartures } from '../../../src/judge/settle-records.ts';
import type { CasesByClause } from '../../../src/oracle/blame.ts';
import { eventOf } from '../../../src/oracle/event.ts';
import { judgeCases, type History as RuleHistory } from '../../../src/oracle/oracle.ts';
import { createRecorder } from '../../../src/session/state/history.ts';
import { createWorld } from '../../../src/session/state/world.ts';
import type { Exchange } from '../../../src/wire/exchange.ts';
import { createRedactor, redactExchange, showText } from '../../../src/wire/redact.ts';
import type { SuiteClause } from '../../../suites/define.ts';
import { clauses } from '../../../suites/index.ts';
import type { KeptRun, ReferenceRun } from '../judge-reference.ts';
import { clauseBrokenBy, isShown, judgeSubject, type RegistrySubject, type Result, resultOf } from '../result.ts';
import { type ReadHistory, type ReadRun, readHistory, writeHistory } from './history-file.ts';
import type { RunFacts } from './run-history.ts';

/** Judges a server as the proof does, and stores its history in the folder. */
export async function recordSubject(folder: string, subject: RegistrySubject): Promise<Result> {
  const runs: KeptRun[] = [];
  const result = await judgeSubject(subject, { keep: (run) => runs.push(run) });
  await writeHistory(folder, { subject, runs, result });
  return result;
}

/** How texts and exchanges of the run are shown. */
function redactionOf({ apiKey, baseUrl }: RunFacts['options']) {
  const redact = createRedactor(apiKey);
  return {
    redact: (exchange: Exchange) => redactExchange(exchange, { baseUrl, redact }),
    redactText: (text: string) => showText(text, redact),
  };
}

/** The recorded results of sending, for the current parts. */
function sentIn({ sent }: RunFacts, judged: readonly SuiteClause[]): ReadonlyMap<CheckId, Sent> {
  return new Map(judged.flatMap(({ checks }) => checks.flatMap(({ id }) => [...sent].filter(([known]) => known === id))));
}

/** A recorded run once all of its exchanges have been added again. */
function replay({ facts, exchanges, end }: ReadRun, judged: readonly SuiteClause[]) {
  const { options, before } = facts;
  const redaction = redactionOf(options);
  const { knowledge, take } = createWorld(options);
  const recorder = createRecorder();
  recorder.onEveryExchange(take);
  for (const exchange of exchanges.slice(0, before)) recorder.record(exchange);
  for (const exchange of exchanges.slice(before)) recorder.record(exchange);
  end();
  const events = recorder.history.exchanges.slice(before).map(eventOf);
  const sent = sentIn(facts, judged);
  return { redaction, history: { events, known: knowledge, sent } };
}

/** The run with its verdicts computed again by today's rules. Nothing is sent. Throws InternalError as the proof does. */
export function judgeReadRun(read: ReadRun, judged: readonly SuiteClause[]): ReferenceRun {
  const { facts, run } = read;
  const { redaction, history } = replay(read, judged);
  const { known: knowledge, sent } = history;
  const plan = planOf({ clauses: judged, effects: EFFECTS });
  const parts = judgeByRules(history, { clauses: judged, registry: clauses, plan }, { contrasts: true });
  const made = inOrderOf(
    plan,
    parts.map((part) => recordJudged(redaction, part, { sent })),
  );
  const { lockedOut, outage } = run.evidence;
  const records = settleRecords(made, { recognized: knowledge.credible, lockedOut, outage });
  const [unreported] = knowledge.credible ? unreportedDepartures(records, run.summary.departures) : [];
  if (unreported !== undefined) throw new InternalError(unreported);
  return { ...run, records, now: facts.options.now };
}

/** Every case of every rule in a recorded run, and the run itself as rules see it. */
export function casesInReadRun(read: ReadRun): { readonly cases: CasesByClause; readonly history: RuleHistory } {
  const history = historyOf(replay(read, clauses).history);
  return { cases: judgeCases(clauses, history), history };
}

/** The suite's result for a recorded server today, and the earlier one; or why neither can be determined. */
export type Rejudged = { readonly now: Result; readonly then: Result } | { readonly broke: string };

function judgeHistoryOf({ subject, runs: [whole, alone], result: then }: ReadHistory): Rejudged {
  if (whole === undefined) throw new Error(`${subject.name}: no run was recorded`);
  const run = judgeReadRun(whole, clauses);
  const now = resultOf(subject, run);
  if (subject.kind === 'variant' || alone === undefined || isShown(subject.name, now)) return { now, then };
  return { now: resultOf(subject, run, judgeReadRun(alone, clauseBrokenBy(subject.name))), then };
}

/** Judges a recorded server again. One that can't be judged does not affect any other. */
export function judgeRecorded(folder: string, subject: RegistrySubject): Rejudged {
  try {
    return judgeHistoryOf(readHistory(folder, subject));
  } catch (error) {
    return { broke: error instanceof UsageError ? error.message : describeInternalError(error) };
  }
}
