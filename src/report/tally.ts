import { CHAPTERS, type Chapter, type ClauseId, isBinding } from '../clause/clause.ts';
import type { ClauseRecord, MustRecord } from '../clause/clause-record.ts';
import type { Verdict } from '../clause/outcome.ts';
import type { RunRecord } from '../clause/run-record.ts';
import { count, oneLine, thousands } from './text.ts';

export type RunEffect = 'fails' | 'warns' | 'neutral';

/** A clause, or one of its situations with the level of the clause. */
export type JudgedItem = Pick<ClauseRecord, 'verdict' | 'level'> & { readonly newer?: true | undefined };

export type Policy = Pick<RunRecord['options'], 'strict'>;

/** The effect on the run of a verdict on a clause of that level (advised breaches and what is undecided fail it only under `strict`). */
export function runEffectOf({ verdict, level, newer }: JudgedItem, policy: Policy): RunEffect {
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

/** Whether a clause fails the run: it is broken, or the run is strict and the service left one of its situations undecided. */
export function failsRun(clause: ClauseRecord, { options }: RunRecord): boolean {
  if (clause.verdict === 'fail' && runEffectOf(clause, options) === 'fails') return true;
  const isLeft = ({ verdict, why, newer }: MustRecord): boolean => verdict === 'inconclusive' && why === 'service' && newer !== true;
  return options.strict && clause.newer !== true && clause.level !== 'open' && clause.musts.some(isLeft);
}

const EXPLAINED_BY = /(?<=\bexplained by )[\w-]+\.[\w-]+(?:, [\w-]+\.[\w-]+)*/;

/** The clauses, whose notes name no clause as an explanation that is not broken: another one explains its cases, too. */
function withBrokenNames({ clauses }: RunRecord): readonly ClauseRecord[] {
  const whole = new Set<string>(clauses.flatMap(({ id, verdict }) => (verdict === 'fail' || verdict === 'waived' ? [] : [id])));
  const named = (ids: string): string => {
    const broken = ids.split(', ').filter((id) => !whole.has(id));
    return broken.length === 0 ? 'other findings' : broken.join(', ');
  };
  const reword = <Item extends { readonly note: string }>(item: Item): Item => ({ ...item, note: item.note.replace(EXPLAINED_BY, named) });
  return clauses.map((clause) => ({ ...reword(clause), musts: clause.musts.map(reword) }));
}

/** In the order of the chapters. */
export function clausesInOrder(record: RunRecord): readonly ClauseRecord[] {
  return chaptersOf(record).flatMap(({ clauses }) => clauses);
}

/** Those that have clauses, in the order of the document. */
export function chaptersOf(record: RunRecord): readonly { readonly chapter: Chapter; readonly clauses: readonly ClauseRecord[] }[] {
  const byChapter = Map.groupBy(withBrokenNames(record), ({ chapter }) => chapter);
  return CHAPTERS.flatMap((chapter) => {
    const clauses = byChapter.get(chapter);
    return clauses === undefined ? [] : [{ chapter, clauses }];
  });
}

/** A situation in which a clause has to be seen. */
export type Situation = { readonly clause: ClauseRecord; readonly must: MustRecord };

const isUndecided = ({ verdict }: MustRecord): boolean => verdict === 'inconclusive';

/** The undecided situations of a run, in the order of the document. */
export function undecidedIn(record: RunRecord): readonly Situation[] {
  return clausesInOrder(record).flatMap((clause) => clause.musts.filter(isUndecided).map((must) => ({ clause, must })));
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
  /** Of clauses that passed. */
  'situationsUndecided',
] as const;
export type ChapterColumn = (typeof CHAPTER_COLUMNS)[number];
export type ChapterCounts = Readonly<Record<ChapterColumn, number>>;

/** `1 warning`, `2 warnings`: the word of a column after its number. */
export function columnWord(column: ChapterColumn, amount: number): string {
  if (column === 'notApplicable') return 'not applicable';
  if (column === 'situationsUndecided') return amount === 1 ? 'situation undecided' : 'situations undecided';
  return column === 'warnings' && amount === 1 ? 'warning' : column;
}

export function chapterCounts(record: RunRecord): readonly { readonly chapter: Chapter; readonly counts: ChapterCounts }[] {
  return chaptersOf(record).map(({ chapter, clauses }) => ({ chapter, counts: columnCounts(clauses, record.options) }));
}

export function columnCounts(clauses: readonly ClauseRecord[], policy: Policy): ChapterCounts {
  const verdicts = countVerdicts(clauses);
  const warnings = clauses.filter((clause) => clause.verdict === 'fail' && runEffectOf(clause, policy) === 'warns').length;
  return {
    passed: verdicts.pass,
    failed: verdicts.fail - warnings,
    warnings,
    inconclusive: verdicts.inconclusive,
    waived: verdicts.waived,
    notApplicable: verdicts['not-applicable'],
    observed: verdicts.observed,
    situationsUndecided: clauses.reduce((sum, clause) => sum + undecidedOfPassed(clause), 0),
  };
}

type Passed = Pick<ClauseRecord, 'verdict' | 'musts'>;
const undecidedOfPassed = ({ verdict, musts }: Passed): number => (verdict === 'pass' ? musts.filter(isUndecided).length : 0);

/** `2 of 5 situations undecided`: for a clause that passed; empty if all of it was judged. */
export function undecidedText(clause: Passed): string {
  const undecided = undecidedOfPassed(clause);
  return undecided === 0 ? '' : `${undecided} of ${count(clause.musts.length, 'situation')} undecided`;
}

/** Broken clauses that do not fail the run. */
export function warningsOf({ clauses, options }: RunRecord): number {
  return columnCounts(clauses, options).warnings;
}

export function requestsOf(record: RunRecord): number {
  return record.operations.reduce((sum, { requests }) => sum + requests, 0);
}

/** Situations that could not be judged for one reason: a broken clause, or the same text. */
export type InconclusiveGroup = {
  readonly waitsFor: ClauseId | undefined;
  /** What was missing, for the first of them. */
  readonly reason: string;
  readonly situations: readonly Situation[];
};

/** The undecided situations of a run by reason, the largest group first. */
export function inconclusiveGroups(record: RunRecord): readonly InconclusiveGroup[] {
  const groups = Map.groupBy(undecidedIn(record), ({ must }) => must.blockedBy ?? `${must.why ?? ''} ${must.note}`);
  return [...groups.values()]
    .map((situations) => {
      const must = situations[0]?.must;
      return { waitsFor: must?.blockedBy, reason: oneLine(must?.note ?? '', 300), situations };
    })
    .toSorted((left, right) => right.situations.length - left.situations.length);
}

const NAMED_CLAUSES = 3;

/** ` (create.answer, create.independent, and 4 more)`: the clauses of several situations. */
function clausesIn(situations: readonly Situation[]): string {
  const ids = [...new Set(situations.map(({ clause }) => clause.id))];
  const hidden = ids.length - NAMED_CLAUSES;
  return ` (${ids.slice(0, NAMED_CLAUSES).join(', ')}${hidden > 0 ? `, and ${hidden} more` : ''})`;
}

/** `36 situations wait for errors.shape`, or how many situations of which clauses and why. A single one is named. */
export function describeGroup({ waitsFor, reason, situations }: InconclusiveGroup): string {
  const [first] = situations;
  const isAlone = situations.length === 1 && first !== undefined;
  const who = isAlone ? `${first.clause.id}, "${oneLine(first.must.title, 120)}"` : `${thousands(situations.length)} situations`;
  // The texts come from a file that may come from anywhere.
  return oneLine(
    waitsFor === undefined
      ? `${who}: ${reason}${isAlone ? '' : clausesIn(situations)}`
      : `${who} ${isAlone ? 'waits' : 'wait'} for ${waitsFor}`,
  );
}
