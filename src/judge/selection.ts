// Which clauses a run judges, by the patterns of --only and --skip, and what it says about the others.

import { CHECK_IDS, presentMust } from '../clause/check-ids.ts';
import type { Chapter, ClauseId } from '../clause/clause.ts';
import { globMatcher, groupOf, SelectionError, suggestAmong } from '../clause/patterns.ts';
import type { Verdict } from '../oracle/verdicts.ts';

export type ListedClause = { readonly id: ClauseId; readonly chapter: Chapter };
export type Patterns = { readonly only: readonly string[]; readonly skip: readonly string[] };

export type ClauseSelection = {
  /** Undefined: all of them. */
  readonly clauses: ReadonlySet<ClauseId> | undefined;
  /** For the report, in sentences; empty for a run that judges everything. */
  readonly notices: readonly string[];
};

/** The clauses that a pattern names, by a chapter, the start of its ids, or their own id; and those of which it names checks of 2.x. */
function matchPattern(
  glob: string,
  clauses: readonly ListedClause[],
): { readonly whole: readonly ListedClause[]; readonly byChecks: readonly ListedClause[] } {
  const matches = globMatcher(glob);
  const whole = clauses.filter((clause) => clause.chapter === glob || groupOf(clause) === glob || matches(clause.id));
  const checked = new Set<ClauseId | undefined>(CHECK_IDS.filter(matches).map((id) => presentMust(id)?.clause));
  return { whole, byChecks: clauses.filter((clause) => checked.has(clause.id) && !whole.includes(clause)) };
}

const matchesAny = (glob: string, clauses: readonly ListedClause[]): boolean => {
  const { whole, byChecks } = matchPattern(glob, clauses);
  return whole.length + byChecks.length > 0;
};

/** Why a pattern matches nothing, and what may be meant; undefined if it matches something. */
export function unmatchedPattern(glob: string, clauses: readonly ListedClause[]): string | undefined {
  if (matchesAny(glob, clauses)) return undefined;
  const parts = glob.split(',').map((part) => part.trim());
  const found = `"${glob}" matches no chapter and no clause`;
  if (parts.length > 1 && parts.every((part) => matchesAny(part, clauses)))
    return `${found}: an option takes one pattern, so repeat it for each (a variable takes several, separated by commas)`;
  const chapter = clauses.find(({ chapter: name }) => glob.length > 2 && name.startsWith(glob))?.chapter;
  const groups = new Set(clauses.map((clause) => `${groupOf(clause)}.*`));
  const near = suggestAmong(glob, [...groups, ...clauses.map(({ id }) => id)]) ?? '`explain clauses` shows all ids';
  return `${found}: ${chapter === undefined ? '' : `${chapter} is a chapter; `}${near}`;
}

/** Of the patterns that name checks of 2.x, what is judged instead. */
export function noticesOfChecks({ only, skip }: Patterns, clauses: readonly ListedClause[]): readonly string[] {
  const idsOf = (glob: string): readonly string[] => matchPattern(glob, clauses).byChecks.map(({ id }) => id);
  const said = (option: string, globs: readonly string[], what: string): readonly string[] =>
    globs.flatMap((glob) =>
      idsOf(glob).length === 0
        ? []
        : [`${option} ${glob} names checks of version 2: ${what} ${idsOf(glob).join(', ')}, a clause is judged as a whole`],
    );
  return [...said('--only', only, 'it judges'), ...said('--skip', skip, 'it does not skip')];
}

/**
 * The clauses of a run. A check of 2.x in `only` stands for its clause; in `skip` it skips nothing, since a clause is judged as a whole. Throws
 * SelectionError for a pattern that names nothing, and for an empty selection.
 */
export function selectClauses(clauses: readonly ListedClause[], patterns: Patterns): ClauseSelection {
  const { only, skip } = patterns;
  if (only.length + skip.length === 0) return { clauses: undefined, notices: [] };
  for (const glob of [...only, ...skip]) {
    const problem = unmatchedPattern(glob, clauses);
    if (problem !== undefined) throw new SelectionError(problem);
  }
  const wanted = only.flatMap((glob) => Object.values(matchPattern(glob, clauses)).flat());
  const unwanted = skip.flatMap((glob) => matchPattern(glob, clauses).whole);
  const selected = clauses.filter((one) => (only.length === 0 || wanted.includes(one)) && !unwanted.includes(one));
  if (selected.length === 0) throw new SelectionError('--only and --skip together leave nothing to judge');
  const named = [...only.map((glob) => `--only ${glob}`), ...skip.map((glob) => `--skip ${glob}`)].join(' ');
  return {
    clauses: new Set(selected.map(({ id }) => id)),
    notices: [
      ...(selected.length === clauses.length
        ? []
        : [
            `Only ${selected.length} of ${clauses.length} clauses ${selected.length === 1 ? 'was' : 'were'} judged, because of ${named}; the others were not judged, and what only their requests show was not seen`,
          ]),
      ...noticesOfChecks(patterns, clauses),
    ],
  };
}

/** What the rows of selected clauses did not meet, a sentence a clause: `list.limit-accepted alone: 2 of 5 not met: limit 1, limit 20`. */
export const unmetNotices = (verdicts: readonly Verdict[]): readonly string[] =>
  verdicts.flatMap(({ clause: { id }, met, unmet }) =>
    unmet.length === 0
      ? []
      : [`${id} alone: ${unmet.length} of ${met.length + unmet.length} not met: ${unmet.map(({ title }) => title).join(', ')}`],
  );
