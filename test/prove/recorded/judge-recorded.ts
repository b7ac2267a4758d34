import { runHoldout } from '../../../corpora/holdouts/corpora.ts';
import { type CheckId, EFFECTS } from '../../../src/clause/clause.ts';
import { UsageError } from '../../../src/cli/option-spec.ts';
import { describeInternalError, InternalError } from '../../../src/judge/check.ts';
import { historyOf, inOrderOf, judgeByRules, planOf, recordJudged, type Sent } from '../../../src/judge/judging.ts';
import { settleRecords, unreportedDepartures } from '../../../src/judge/settle-records.ts';
import type { CasesByClause } from '../../../src/oracle/blame.ts';
import { judgeCases, type History as RuleHistory } from '../../../src/oracle/oracle.ts';
import { eventOf, type SessionClause } from '../../../src/oracle/world.ts';
import { faults } from '../../../src/reference/faults/index.ts';
import { createRecorder } from '../../../src/session/state/history.ts';
import { trackRunState } from '../../../src/session/state/run-state.ts';
import type { Exchange } from '../../../src/wire/exchange.ts';
import { createRedactor, showText } from '../../../src/wire/redact.ts';
import { redactExchange } from '../../../src/wire/redacted-exchange.ts';
import { clauses } from '../../../suites/index.ts';
import type { KeptRun, ReferenceRun } from '../judge-reference.ts';
import { clauseBrokenBy, isShown, judgeSubject, type RecordedSubject, type Result, resultOf } from '../result.ts';
import { type ReadHistory, type ReadRun, readHistory, writeHistory } from './history-file.ts';
import type { RunFacts } from './run-history.ts';

/** Judges a server as the proof does, and stores its history in the folder. */
export async function recordSubject(folder: string, subject: RecordedSubject): Promise<Result> {
  const runs: KeptRun[] = [];
  const keep = (run: KeptRun): unknown => runs.push(run);
  const result =
    subject.kind === 'holdout' ? resultOf(subject, await runHoldout(subject.name, { keep })) : await judgeSubject(subject, { keep });
  await writeHistory(folder, { subject, runs, result });
  return result;
}

/** How texts and exchanges of the run are shown. */
function redactionOf({ apiKey, baseUrl }: RunFacts['options']) {
  const redact = createRedactor(apiKey);
  return {
    redact: (exchange: Exchange) => redactExchange(exchange, { baseUrl, redact, apiKey }),
    redactText: (text: string) => showText(text, redact),
  };
}

/** The recorded results of sending, for the current parts. */
function sentIn({ sent }: RunFacts, judged: readonly SessionClause[]): ReadonlyMap<CheckId, Sent> {
  return new Map(judged.flatMap(({ checks }) => checks.flatMap(({ id }) => [...sent].filter(([known]) => known === id))));
}

/** A recorded run once all of its exchanges have been added again. */
function replay({ facts, exchanges, end }: ReadRun, judged: readonly SessionClause[]) {
  const { options, before } = facts;
  const redaction = redactionOf(options);
  const { knowledge, take } = trackRunState(options);
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
export function judgeReadRun(read: ReadRun, judged: readonly SessionClause[]): ReferenceRun {
  const { facts, run } = read;
  const { redaction, history } = replay(read, judged);
  const { known: knowledge } = history;
  const plan = planOf({ clauses: judged, effects: EFFECTS });
  const parts = judgeByRules(history, { clauses: judged, registry: clauses, plan }, { contrasts: true });
  const made = inOrderOf(
    plan,
    parts.map((part) => recordJudged(redaction, part)),
  );
  const { lockedOut, outage } = run.evidence;
  const records = settleRecords(made, { recognized: knowledge.credible, lockedOut, outage });
  const [unreported] = knowledge.credible ? unreportedDepartures(records, run.summary.departures) : [];
  if (unreported !== undefined) throw new InternalError(unreported);
  return { ...run, records, now: facts.options.now };
}

/** Every case of every rule in a recorded run, and the run itself as rules see it. */
function casesInReadRun(read: ReadRun): { readonly cases: CasesByClause; readonly history: RuleHistory } {
  const history = historyOf(replay(read, clauses).history);
  return { cases: judgeCases(clauses, history), history };
}

/** The suite's result for a recorded server today, and the earlier one; or why neither can be determined. */
export type Rejudged = { readonly now: Result; readonly then: Result } | { readonly broke: string };

function judgeHistoryOf({ subject, runs: [whole, alone], result: then }: ReadHistory): Rejudged {
  if (whole === undefined) throw new Error(`${subject.name}: no run was recorded`);
  const run = judgeReadRun(whole, clauses);
  const now = resultOf(subject, run);
  if (subject.kind !== 'fault' || alone === undefined || isShown(subject.name, now)) return { now, then };
  return { now: resultOf(subject, run, judgeReadRun(alone, clauseBrokenBy(subject.name))), then };
}

/** Judges a recorded server again. One that can't be judged does not affect any other. */
export function judgeRecorded(folder: string, subject: RecordedSubject): Rejudged {
  try {
    return judgeHistoryOf(readHistory(folder, subject));
  } catch (error) {
    return { broke: error instanceof UsageError ? error.message : describeInternalError(error) };
  }
}

/** The requests by which a recorded server was judged, and those that show a fault. */
export type Shown = {
  readonly name: string;
  /** Requests of the run by what sent them: the id of a kind or check, or `first contact`. */
  readonly requests: Readonly<Record<string, number>>;
  /** For a fault: the stimuli with a request that shows that its clause is broken. */
  readonly stimuli: readonly string[];
  /** For a fault: the rules of its clause that find it, by index. */
  readonly rules: readonly number[];
};

/** Requests that belong to no part: reaching the service, and the closing requests. */
const OUTSIDE = 'outside of parts';

const sorted = <One extends number | string>(all: Iterable<One>): readonly One[] => [...new Set(all)].sort((a, b) => (a < b ? -1 : 1));

/** The whole run of a recorded server, judged by today's rules. */
export function shownBy({ subject, runs: [whole] }: ReadHistory): Shown {
  if (whole === undefined) throw new Error(`${subject.name}: no run was recorded`);
  const { cases, history } = casesInReadRun(whole);
  const requests: Record<string, number> = {};
  for (const { asker = OUTSIDE } of history.events) requests[asker] = (requests[asker] ?? 0) + 1;
  const clause = faults.find(({ name }) => subject.kind === 'fault' && name === subject.name)?.clause;
  const broken = (cases.get(clause ?? 'list.success') ?? []).filter(
    ({ breach, explainedBy }) => clause !== undefined && breach !== undefined && explainedBy === undefined,
  );
  const rules = clauses.find(({ id }) => id === clause)?.rules ?? [];
  return {
    name: subject.name,
    requests,
    stimuli: sorted(broken.flatMap(({ event, others = [] }) => [event, ...others].map(({ asker = OUTSIDE }) => asker))),
    rules: sorted(broken.map(({ rule }) => rules.indexOf(rule))),
  };
}

/** The result for a server today, and the earlier one. */
type Both = { readonly now: Result; readonly then: Result };

const redOf = ({ red, advised }: Result): readonly string[] => [...red, ...advised];
const without = (some: readonly string[], others: readonly string[]): readonly string[] => some.filter((one) => !others.includes(one));

/** The changes, one sentence each: clauses that have become red or are no longer, and parts with another verdict. */
export function changesOf({ now, then }: Both): readonly string[] {
  const clauses = [
    ...without(redOf(now), redOf(then)).map((clause) => `${clause} is red now`),
    ...without(redOf(then), redOf(now)).map((clause) => `${clause} is no longer red`),
  ];
  const parts = [...new Set([...Object.keys(then.parts), ...Object.keys(now.parts)])].flatMap((id) => {
    const [before, after] = [then.parts[id]?.verdict ?? 'absent', now.parts[id]?.verdict ?? 'absent'];
    const note = now.notes[id];
    return before === after ? [] : [`${id}: ${before} -> ${after}${note === undefined ? '' : `: ${note}`}`];
  });
  const alone = [
    ...without(now.failAlone, then.failAlone).map((id) => `${id} fails alone now`),
    ...without(then.failAlone, now.failAlone).map((id) => `${id} no longer fails alone`),
  ];
  return [...clauses, ...parts, ...alone];
}

/** Prints the changes under the line of a server. */
export function showChanges(both: Both): void {
  for (const change of changesOf(both)) console.log(`     CHANGED  ${change}`);
}

/** The parts that rules judge. */
const KINDS = clauses.flatMap(({ id: clause, checks, invariants }) => [
  ...checks.map(({ id }) => ({ id, clause })),
  ...invariants.map(({ id }) => ({ id, clause })),
]);

/** The faults that break a kind; `alone`: those that break no other part of its clause. */
export type KindResult = { readonly id: string; readonly alone: readonly string[]; readonly others: readonly string[] };

/** What each kind that rules judge finds among the faults. */
export function kindResults(
  results: readonly Result[],
  kinds: readonly { readonly id: string; readonly clause: string }[] = KINDS,
): readonly KindResult[] {
  const failed = results
    .filter(({ kind }) => kind === 'fault')
    .map(({ name, parts }) => ({ name, failed: Object.keys(parts).filter((id) => parts[id]?.verdict === 'fail') }));
  return kinds.map(({ id, clause }) => {
    const breaking = failed.filter((one) => one.failed.includes(id));
    const isAlone = (one: (typeof failed)[number]): boolean => one.failed.filter((part) => part.startsWith(`${clause}/`)).length === 1;
    const [alone, others] = [breaking.filter(isAlone), breaking.filter((one) => !isAlone(one))];
    return { id, alone: alone.map(({ name }) => name), others: others.map(({ name }) => name) };
  });
}

/** Prints for each kind which faults break it, beginning with those that no other part of its clause shows. */
export function showKinds(results: readonly Result[]): void {
  console.log('\nKinds that rules judge: the faults that break them, with * where no other part of the clause does');
  for (const { id, alone, others } of kindResults(results)) {
    const names = [...alone.map((name) => `${name}*`), ...others];
    console.log(`  ${id.padEnd(60)} ${String(names.length).padStart(3)}  ${names.join(' ') || 'none'}`);
  }
}
