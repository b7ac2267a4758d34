import { CHAPTERS, type Chapter, type ClauseId, isBinding } from '../clause/clause.ts';
import type { Verdict, Why } from '../clause/outcome.ts';
import type { CheckRecord, ClauseRecord, RunRecord } from '../clause/run-record.ts';
import { oneLine, thousands } from './text.ts';

export type Judged = { readonly check: CheckRecord; readonly clause: ClauseRecord };

/** The effect of a verdict on the run: it fails it, it warns, or neither. */
export type Standing = 'fails' | 'warns' | 'neutral';

/** A clause, or one of its checks with the level of the clause. */
export type Standable = Pick<ClauseRecord, 'verdict' | 'level'> & { readonly newer?: true | undefined };

export type Policy = Pick<RunRecord['options'], 'strict'>;

/** The effect on the run of a verdict on a clause of that level (advised breaches and inconclusive checks fail it only under `strict`). */
export function standing({ verdict, level, newer }: Standable, policy: Policy): Standing {
  const strict = policy.strict && newer !== true;
  switch (verdict) {
    case 'pass':
    case 'not-applicable':
    case 'observed':
    case 'waived':
      return 'neutral';
    case 'inconclusive':
      return level === 'open' ? 'neutral' : strict ? 'fails' : 'warns';
    case 'fail':
      return strict || (isBinding({ level }) && newer !== true) ? 'fails' : 'warns';
    default:
      return verdict satisfies never;
  }
}

export function standingOf({ check, clause }: Judged, { options }: RunRecord): Standing {
  // A strict run fails for what is undecided because of the service, and for nothing else that is undecided.
  const strict = options.strict && (check.verdict !== 'inconclusive' || check.why === 'service');
  return standing({ verdict: check.verdict, level: clause.level, newer: check.newer }, { strict });
}

const EXPLAINED_BY = /(?<=\bexplained by )[\w-]+\.[\w-]+(?:, [\w-]+\.[\w-]+)*/;

/** The checks, whose notes name no clause as an explanation that is not broken: another one explains its cases, too. */
export function checksOf({ checks, clauses }: RunRecord): readonly CheckRecord[] {
  const whole = new Set<string>(clauses.flatMap(({ id, verdict }) => (verdict === 'fail' || verdict === 'waived' ? [] : [id])));
  const named = (ids: string): string => {
    const broken = ids.split(', ').filter((id) => !whole.has(id));
    return broken.length === 0 ? 'other findings' : broken.join(', ');
  };
  return checks.map((check) => ({ ...check, note: check.note.replace(EXPLAINED_BY, named) }));
}

/** All checks and invariants in the order of the chapters and, within them, of the clauses. A check whose clause is not in the record is left out. */
export function judgedOf(record: RunRecord): readonly Judged[] {
  const byClause = new Map<ClauseId, CheckRecord[]>();
  for (const check of checksOf(record)) {
    const known = byClause.get(check.clause);
    if (known === undefined) byClause.set(check.clause, [check]);
    else known.push(check);
  }
  return clausesInOrder(record).flatMap((clause) => (byClause.get(clause.id) ?? []).map((check) => ({ check, clause })));
}

/** In the order of the chapters. */
export function clausesInOrder(record: RunRecord): readonly ClauseRecord[] {
  return chaptersOf(record).flatMap(({ clauses }) => clauses);
}

/** Those that have clauses, in the order of the document. */
export function chaptersOf(record: RunRecord): readonly { readonly chapter: Chapter; readonly clauses: readonly ClauseRecord[] }[] {
  return CHAPTERS.map((chapter) => ({ chapter, clauses: record.clauses.filter((clause) => clause.chapter === chapter) })).filter(
    ({ clauses }) => clauses.length > 0,
  );
}

export function withVerdict(record: RunRecord, verdict: Verdict): readonly Judged[] {
  return judgedOf(record).filter(({ check }) => check.verdict === verdict);
}

export type Counts = Readonly<Record<Verdict, number>>;

export function countVerdicts(items: readonly { readonly verdict: Verdict }[]): Counts {
  const counts: Record<Verdict, number> = { pass: 0, fail: 0, inconclusive: 0, 'not-applicable': 0, observed: 0, waived: 0 };
  for (const { verdict } of items) counts[verdict] += 1;
  return counts;
}

/** The columns of a chapter: the verdicts, with breaches that only warn separate from those that fail the run. */
export const CHAPTER_COLUMNS = [
  'passed',
  'failed',
  'warnings',
  'inconclusive',
  'waived',
  'notApplicable',
  'observed',
  /** Checks and invariants of clauses that passed. */
  'partsUndecided',
] as const;
export type ChapterColumn = (typeof CHAPTER_COLUMNS)[number];
export type ChapterCounts = Readonly<Record<ChapterColumn, number>>;

/** `1 warning`, `2 warnings`: the word of a column after its number. */
export function columnWord(column: ChapterColumn, amount: number): string {
  if (column === 'notApplicable') return 'not applicable';
  if (column === 'partsUndecided') return amount === 1 ? 'part undecided' : 'parts undecided';
  return column === 'warnings' && amount === 1 ? 'warning' : column;
}

export function chapterCounts(record: RunRecord): readonly { readonly chapter: Chapter; readonly counts: ChapterCounts }[] {
  return chaptersOf(record).map(({ chapter, clauses }) => ({ chapter, counts: columnCounts(clauses, record.options) }));
}

export function columnCounts(clauses: readonly ClauseRecord[], policy: Policy): ChapterCounts {
  const verdicts = countVerdicts(clauses);
  const warnings = clauses.filter((clause) => clause.verdict === 'fail' && standing(clause, policy) === 'warns').length;
  return {
    passed: verdicts.pass,
    failed: verdicts.fail - warnings,
    warnings,
    inconclusive: verdicts.inconclusive,
    waived: verdicts.waived,
    notApplicable: verdicts['not-applicable'],
    observed: verdicts.observed,
    partsUndecided: clauses.reduce((sum, { undecided = 0 }) => sum + undecided, 0),
  };
}

/** `2 parts undecided`: for a clause that passed; empty if all of it was judged. */
export function undecidedText({ undecided = 0 }: Pick<ClauseRecord, 'undecided'>): string {
  return undecided === 0 ? '' : `${undecided} ${columnWord('partsUndecided', undecided)}`;
}

/** Broken clauses that do not fail the run. */
export function warningsOf({ clauses, options }: RunRecord): number {
  return columnCounts(clauses, options).warnings;
}

export function requestsOf(record: RunRecord): number {
  return record.operations.reduce((sum, { requests }) => sum + requests, 0);
}

/** Checks that could not be judged for one reason: a broken clause, or the same text. */
export type InconclusiveGroup = {
  readonly waitsFor: ClauseId | undefined;
  readonly why: Why | undefined;
  /** What was missing, for the first of them. */
  readonly reason: string;
  readonly judged: readonly Judged[];
};

/** The inconclusive checks of a run by reason, the largest group first. */
export function inconclusiveGroups(record: RunRecord): readonly InconclusiveGroup[] {
  const groups = Map.groupBy(withVerdict(record, 'inconclusive'), ({ check }) => check.blockedBy ?? `${check.why ?? ''} ${check.note}`);
  return [...groups.values()]
    .map((judged) => {
      const check = judged[0]?.check;
      return { waitsFor: check?.blockedBy, why: check?.why, reason: oneLine(check?.note ?? '', 300), judged };
    })
    .toSorted((left, right) => right.judged.length - left.judged.length);
}

const NAMED_CLAUSES = 3;

/** ` (create.answer, create.independent, and 4 more)`: the clauses of several checks. */
function clausesIn(judged: readonly Judged[]): string {
  const ids = [...new Set(judged.map(({ clause }) => clause.id))];
  const hidden = ids.length - NAMED_CLAUSES;
  return ` (${ids.slice(0, NAMED_CLAUSES).join(', ')}${hidden > 0 ? `, and ${hidden} more` : ''})`;
}

/** `36 checks wait for errors.shape`, or how many checks of which clauses and why. A single check is named. */
export function describeGroup({ waitsFor, reason, judged }: InconclusiveGroup): string {
  const [first] = judged;
  const alone = judged.length === 1 && first !== undefined;
  const who = alone ? first.check.id : `${thousands(judged.length)} checks`;
  // The ids come from a file that may come from anywhere.
  return oneLine(
    waitsFor === undefined ? `${who}: ${reason}${alone ? '' : clausesIn(judged)}` : `${who} ${alone ? 'waits' : 'wait'} for ${waitsFor}`,
  );
}
