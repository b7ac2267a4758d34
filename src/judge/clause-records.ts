// The verdicts of a run of rows as a record has them: every text and every exchange as reports may show it.

import type { ClauseId } from '../clause/clause.ts';
import type { ClauseRecord, MustRecord, ReportedContrast } from '../clause/clause-record.ts';
import { passNote } from '../clause/outcome.ts';
import { failureNote } from '../clause/record-bounds.ts';
import { FIRST_VERSION, isBefore } from '../clause/since.ts';
import type { JudgedCase } from '../oracle/blame.ts';
import type { Clause, Must } from '../oracle/rule.ts';
import type { Verdict } from '../oracle/verdicts.ts';
import type { World } from '../oracle/world.ts';
import { type Row, vectorsOf } from '../plan/row.ts';
import type { SessionOptions } from '../session/session.ts';
import type { Vector } from '../session/vector.ts';
import { NOT_REPEATED } from './again.ts';
import type { Condition } from './condition.ts';
import { exchangesShowing, failingOf, type Redaction, redactionOf } from './findings.ts';
import { lifeOf } from './life.ts';
import type { RunResult } from './run.ts';

export type ClauseRecordOptions = {
  readonly session: SessionOptions;
  /** The version of the suite whose verdicts count: what is newer warns at most. */
  readonly asOf?: string | undefined;
  /** Since which versions of the suite there are the values of a row. */
  readonly versionsOf: (vector: Vector) => readonly string[];
};

type JudgedRun = Pick<RunResult, 'world' | 'verdicts' | 'conditions' | 'vectorOf' | 'again' | 'curtailed' | 'stopped'>;
type Recording = JudgedRun & ClauseRecordOptions & { readonly redaction: Redaction };

/** One record per clause that was judged, in the order of the document. */
export function clauseRecordsOf(result: JudgedRun, options: ClauseRecordOptions): readonly ClauseRecord[] {
  const recording: Recording = { ...result, ...options, redaction: redactionOf(options.session) };
  return withoutIdleWaits(result.verdicts.map((verdict) => recordOf(verdict, recording)));
}

/** The plainest request that is broken comes first: it is what a reader tries. All others are in the order of sending. */
function plainestFirst(broken: readonly JudgedCase[], vectorOf: JudgedRun['vectorOf']): readonly JudgedCase[] {
  const sizeOf = (one: JudgedCase): number => {
    const sent = exchangesShowing(one).at(-1)?.sent;
    const vector = sent === undefined ? undefined : vectorOf(sent);
    return vector === undefined ? Number.POSITIVE_INFINITY : Object.values(vector).flat().length;
  };
  const least = Math.min(...broken.map(sizeOf));
  const first = broken.find((one) => sizeOf(one) === least);
  return first === undefined ? broken : [first, ...broken.filter((one) => one !== first)];
}

function recordOf(judged: Verdict, recording: Recording): ClauseRecord {
  const broken = plainestFirst(judged.broken, recording.vectorOf);
  const verdict: Verdict = { ...judged, broken };
  const { clause, why, blockedBy, held } = verdict;
  const { id, chapter, section, level, requirement, likelyCause, quote } = clause;
  const { conditions, redaction } = recording;
  const condition = conditions.find((one) => one.clause === id);
  const evidence = { judged: held.length + broken.length, broken: broken.length };
  const isNewer = newness(verdict, condition, recording);
  const base = {
    ...{ id, chapter, section, level, requirement },
    ...(quote === undefined ? {} : { quote }),
    ...(clause.level === 'implied' ? { derivation: clause.derivation } : {}),
    ...{ likelyCause, verdict: verdict.verdict, note: redaction.text(noteOf(verdict, evidence)) },
    ...(isNewer ? { newer: true as const } : {}),
    ...(isCurtailed(id, recording) ? { curtailed: true as const } : {}),
    musts: clause.must.map((must) => mustRecord(must, verdict, { ...recording, isNewer })),
    observations: judged.observations.map(({ question, answer }) => ({ question, answer: redaction.text(answer) })),
    evidence,
  };
  if (verdict.verdict !== 'fail')
    return { ...base, ...(why === undefined ? {} : { why }), ...(blockedBy === undefined ? {} : { blockedBy }), findings: [] };
  const contrast = condition === undefined ? undefined : contrastOf(condition, redaction);
  const life = lifeOf(broken, recording.world, redaction);
  return {
    ...base,
    ...(condition?.isGone === true ? { flaky: true } : {}),
    ...failingOf(broken, {
      ...recording,
      chapter,
      namedBySituations: new Set(clause.must.flatMap((must) => firstBrokenCaseOf(must, broken, recording.world) ?? [])),
    }),
    ...(contrast === undefined ? {} : { contrast }),
    ...(life === undefined ? {} : { life }),
    ...againOf(verdict, recording),
  };
}

/** Whether more would have been sent for the sake of the clause. At depth quick, most of what is left out for one would show others too. */
const isCurtailed = (id: ClauseId, { curtailed, stopped, session: { depth } }: Recording): boolean =>
  depth === 'quick' || stopped !== undefined || curtailed.has(id);

/** Without a row in which an id is not shown, what is left is not known to show it. */
function againOf({ clause: { id } }: Verdict, { again, redaction: { text } }: Recording): Pick<ClauseRecord, 'again'> {
  const own = again?.find(({ clause }) => clause === id);
  if (own === undefined) return {};
  const { clause: _clause, ...told } = own;
  const rows = told.rows.filter((row) => text(JSON.stringify(row)) === JSON.stringify(row));
  return { again: rows.length === told.rows.length ? told : { ...told, rows, doubt: NOT_REPEATED } };
}

function noteOf({ verdict, note, unmet, met, broken }: Verdict, evidence: { readonly judged: number; readonly broken: number }): string {
  if (verdict === 'fail') return failureNote(broken[0]?.breach?.summary ?? note, evidence);
  if (verdict !== 'pass') return note;
  const open =
    unmet.length === 0
      ? ''
      : `; ${unmet.length} of its ${unmet.length + met.length} situations ${unmet.length === 1 ? 'was' : 'were'} not judged`;
  return `${passNote(evidence.judged)}${open}`;
}

const firstBrokenCaseOf = ({ meets }: Must, broken: readonly JudgedCase[], world: World): JudgedCase | undefined =>
  broken.find((one) => meets(one, world));

function mustRecord(
  must: Must,
  { verdict, broken, held, met, unmet }: Verdict,
  { world, redaction: { text }, isNewer }: { readonly world: World; readonly redaction: Redaction; readonly isNewer: boolean },
): MustRecord {
  const { title, meets } = must;
  const newer = isNewer ? ({ newer: true } as const) : {};
  const first = firstBrokenCaseOf(must, broken, world);
  if (first !== undefined) return { title, verdict: 'fail', note: text(first.breach?.summary ?? ''), ...newer };
  if (met.includes(title)) {
    const count = held.filter((one) => meets(one, world)).length;
    return { title, verdict: 'pass', note: passNote(count), ...newer };
  }
  const lack = unmet.find((one) => one.title === title);
  if (lack === undefined) return { title, verdict: 'not-applicable', note: 'getPet has been removed as announced', ...newer };
  const { why, missing, blockedBy } = lack;
  if (verdict === 'not-applicable') return { title, verdict, note: text(missing), ...newer };
  return { title, verdict: 'inconclusive', note: text(missing), why, ...(blockedBy === undefined ? {} : { blockedBy }), ...newer };
}

/** Undefined where nothing is known, or where other requests were right and nothing tells which. */
function contrastOf(condition: Condition, { text, exchange }: Redaction): ReportedContrast | undefined {
  const { by, when, unit, broken: there, otherwise: elsewhere, shown, before, atOnce, isAsked } = condition;
  if (by === 'silence' || (when === undefined && there.broken < there.of)) return undefined;
  const isShown = shown?.twin !== undefined || before !== undefined || atOnce !== undefined;
  return {
    ...(when === undefined ? {} : { when: text(when) }),
    ...{ unit, there, elsewhere },
    ...(shown !== undefined && isShown ? { broken: exchange(shown.broken) } : {}),
    ...(shown?.twin === undefined ? {} : { twin: exchange(shown.twin) }),
    ...(before === undefined ? {} : { before: exchange(before) }),
    ...(atOnce === undefined ? {} : { atOnce }),
    ...(isAsked === undefined ? {} : { asked: true }),
  };
}

/** Whether the clause is newer than the version whose verdicts count, or broken only by rows with newer values, and the smallest row that fails has one. */
function newness(
  { clause, broken, verdict }: Verdict,
  condition: Condition | undefined,
  { asOf, versionsOf, vectorOf }: Pick<Recording, 'asOf' | 'versionsOf' | 'vectorOf'>,
): boolean {
  if (asOf === undefined) return false;
  if (isNewerClause(clause, asOf)) return true;
  const hasNewer = (vector: Vector | undefined): boolean =>
    vector !== undefined && versionsOf(vector).some((since) => isBefore(asOf, since));
  const isOfNewer = (one: JudgedCase): boolean => exchangesShowing(one).some(({ sent }) => hasNewer(vectorOf(sent)));
  const smallest: Row | undefined = condition?.by === 'halving' ? condition.failing : undefined;
  return verdict === 'fail' && broken.every(isOfNewer) && (smallest === undefined || vectorsOf(smallest).some(hasNewer));
}

const isNewerClause = ({ since = FIRST_VERSION }: Clause, asOf: string): boolean => isBefore(asOf, since);

/** What waits for a clause that is not broken in the end, and was judged, waits for nothing. */
function withoutIdleWaits(records: readonly ClauseRecord[]): readonly ClauseRecord[] {
  const broken = new Set(records.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id));
  const waits = new Map(records.map(({ id, musts }) => [id, musts.flatMap(({ blockedBy }) => blockedBy ?? [])]));
  /** The clause that is waited for in the end: one that is broken, or that this run does not judge. */
  const waitedForInTheEnd = (clause: ClauseId): ClauseId | undefined => {
    const asked = new Set<ClauseId>([clause]);
    for (const one of asked) {
      if (broken.has(one) || !waits.has(one)) return one;
      for (const next of waits.get(one) ?? []) asked.add(next);
    }
    return undefined;
  };
  const settle = <One extends Pick<MustRecord, 'why' | 'blockedBy'>>(one: One): One => {
    if (one.blockedBy === undefined) return one;
    const { blockedBy, ...rest } = one;
    const last = waitedForInTheEnd(blockedBy);
    return (last === undefined ? { ...rest, why: 'circumstance' } : { ...rest, blockedBy: last }) as One;
  };
  return records.map((record) => ({ ...settle(record), musts: record.musts.map(settle) }));
}
