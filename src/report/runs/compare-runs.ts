import { CHAPTERS, type Chapter, type ClauseId, type Level } from '../../clause/clause.ts';
import type { ClauseRecord, RunRecord } from '../../clause/run-record.ts';
import { type BrokenClause, brokenClauses, describeBroken, waivedClauses } from '../broken-clauses.ts';
import { type Status, statusOf } from '../html/clause-status.ts';
import { undecidedText } from '../tally.ts';

/** A run and its name in comparisons. */
export type NamedRun = { readonly name: string; readonly record: RunRecord };

/** The result of a clause in a run; undefined if it was not selected. */
export type RunCell = { readonly status: Status /** The finding, if it is broken. */; readonly found: string } | undefined;

export type ClauseRow = {
  readonly id: ClauseId;
  readonly level: Level;
  readonly requirement: string;
  readonly cells: readonly RunCell[];
  /** Whether the runs that judged it differ. */
  readonly differs: boolean;
};

export type ChapterRows = { readonly chapter: Chapter; readonly rows: readonly ClauseRow[] };

/** A question that the document leaves open, and what each service does; undefined if that was not observed. */
export type AnswerRow = {
  readonly clause: ClauseId;
  readonly question: string;
  readonly answers: readonly (string | undefined)[];
  readonly differs: boolean;
};

export type RunComparison = {
  readonly runs: readonly NamedRun[];
  readonly chapters: readonly ChapterRows[];
  readonly answers: readonly AnswerRow[];
};

/** The clauses of several runs side by side, in the order of the document. */
export function compareRuns(runs: readonly NamedRun[]): RunComparison {
  const found = runs.map(({ record }) => foundBy(record));
  const clauses = runs.map(({ record }) => new Map(record.clauses.map((clause) => [clause.id, clause])));
  const ids = [...new Set(clauses.flatMap((known) => [...known.keys()]))];
  const rows = ids.flatMap((id) => {
    const [first] = clauses.flatMap((known) => known.get(id) ?? []);
    const cells = clauses.map((known, index) => cellOf(known.get(id), { found: found[index]?.get(id), record: runs[index]?.record }));
    return first === undefined ? [] : [{ chapter: first.chapter, row: rowOf(first, cells) }];
  });
  const chapters = CHAPTERS.map((chapter) => ({ chapter, rows: rows.filter((one) => one.chapter === chapter).map(({ row }) => row) }));
  return { runs, chapters: chapters.filter((one) => one.rows.length > 0), answers: answersOf(runs) };
}

function foundBy(record: RunRecord): ReadonlyMap<ClauseId, BrokenClause> {
  return new Map([...brokenClauses(record), ...waivedClauses(record)].map((broken) => [broken.clause.id, broken]));
}

function cellOf(
  clause: ClauseRecord | undefined,
  { found, record }: { readonly found: BrokenClause | undefined; readonly record: RunRecord | undefined },
): RunCell {
  if (clause === undefined || record === undefined) return undefined;
  const status = statusOf(clause, record.options);
  return { status, found: found === undefined ? undecidedText(clause) : describeBroken(found) };
}

function rowOf({ id, level, requirement }: ClauseRecord, cells: readonly RunCell[]): ClauseRow {
  return { id, level, requirement, cells, differs: isMixed(cells.map((cell) => cell?.status)) };
}

function isMixed(values: readonly (string | undefined)[]): boolean {
  return new Set(values.filter((value) => value !== undefined)).size > 1;
}

function answersOf(runs: readonly NamedRun[]): readonly AnswerRow[] {
  const known = runs.map(({ record }) => {
    const observed = record.checks.flatMap(({ clause, observations }) => observations.map((one) => ({ ...one, clause })));
    return new Map(observed.map((one) => [`${one.clause}\n${one.question}`, one]));
  });
  return [...new Set(known.flatMap((one) => [...one.keys()]))].toSorted().flatMap((key) => {
    const [first] = known.flatMap((one) => one.get(key) ?? []);
    const answers = known.map((one) => one.get(key)?.answer);
    return first === undefined ? [] : [{ clause: first.clause, question: first.question, answers, differs: isMixed(answers) }];
  });
}
