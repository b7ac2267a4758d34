import { type CheckId, isBinding, type ListedClause } from '../clause/clause.ts';
import { CLAUSES_OF_ALL_RESPONSES, presentId, retiredNotices } from '../clause/clause-ids.ts';
import { globMatcher, groupOf, SelectionError, suggestAmong } from '../clause/patterns.ts';
import type { SessionClause } from '../oracle/world.ts';

/**
 * The sanity round of a run that judges a repair: a list, a read, and a plain creation without a status and with each status. A repair that
 * breaks something else usually breaks one of these.
 */
export const SANITY: readonly CheckId[] = [
  'list.success/without-parameters',
  'get.success/listed',
  'create.success/plain',
  'create.status-values/each-status',
];

function idsOf(clauses: readonly ListedClause[]): string[] {
  return clauses.flatMap((clause) => [clause.id, ...[...clause.checks, ...clause.invariants].map(({ id }) => id)]);
}

type Part = { readonly id: string; readonly mixing?: boolean };

/** What a pattern selects: a chapter by its name in the table of a run or by the prefix of its ids, or a clause or a check by its id. */
function matcher(glob: string): (clause: ListedClause, part?: { readonly id: string }) => boolean {
  const matches = globMatcher(presentId(glob));
  return (clause, part) =>
    clause.chapter === glob || groupOf(clause) === glob || matches(clause.id) || (part !== undefined && matches(part.id));
}

function matchesAny(glob: string, clauses: readonly ListedClause[]): boolean {
  const matches = matcher(glob);
  return clauses.some((clause) => matches(clause) || [...clause.checks, ...clause.invariants].some((part) => matches(clause, part)));
}

/** Why a pattern matches nothing, and what may be meant; undefined if it matches something. */
export function unmatchedPattern(glob: string, clauses: readonly ListedClause[]): string | undefined {
  if (matchesAny(glob, clauses)) return undefined;
  const parts = glob.split(',').map((part) => part.trim());
  const found = `"${glob}" matches no chapter, no clause and no check`;
  if (parts.length > 1 && parts.every((part) => matchesAny(part, clauses))) {
    return `${found}: an option takes one pattern, so repeat it for each (a variable takes several, separated by commas)`;
  }
  const chapter = clauses.find(({ chapter: name }) => glob.length > 2 && name.startsWith(glob))?.chapter;
  return `${found}: ${chapter === undefined ? '' : `${chapter} is a chapter; `}${suggestIds(glob, clauses)}`;
}

export function suggestIds(wanted: string, clauses: readonly ListedClause[]): string {
  const groups = new Set(clauses.map((clause) => `${groupOf(clause)}.*`));
  return suggestAmong(wanted, [...groups, ...idsOf(clauses)]) ?? '`explain checks` shows all ids';
}

/** Patterns of ids, and whether to run exhaustive checks that no pattern of `only` names. */
export type Selection = {
  readonly only: readonly string[];
  readonly skip: readonly string[];
  readonly exhaustive: boolean;
  /** All checks run, whichever are selected: selected invariants see the same as in a whole run. */
  readonly wholeTraffic?: boolean;
};

type Selected = Pick<Selection, 'only' | 'skip'> & {
  readonly registry: readonly ListedClause[];
  readonly selected: readonly ListedClause[];
  /** Where the selection comes from, if not from these patterns. */
  readonly because?: string | undefined;
};

/** A sentence for the report of a run that does not judge everything; empty for one that does. */
export function selectionNotice({ only, skip, registry, selected, because }: Selected): string[] {
  if (only.length + skip.length === 0) return [];
  const parts = (clauses: readonly ListedClause[]): number =>
    clauses.reduce((sum, { checks, invariants }) => sum + checks.length + invariants.length, 0);
  const named = because ?? [...only.map((glob) => `--only ${glob}`), ...skip.map((glob) => `--skip ${glob}`)].join(' ');
  const clauses = `${selected.length} of ${registry.length} clauses (${parts(selected)} of ${parts(registry)} situations)`;
  const others = sendsAll({ selected, because }) ? '' : ', and what only their requests show was not seen';
  return [`Only ${clauses} were judged, because of ${named}; the others were not judged${others}`, ...retiredNotices([...only, ...skip])];
}

/** Whether all clauses sent, although some were selected: none of these sends, or a repair is judged. */
function sendsAll({ selected, because }: Pick<Selected, 'selected' | 'because'>): boolean {
  return because !== undefined || selected.every(({ checks }) => checks.length === 0);
}

/** The ids of the selected clauses, if all that can fail the run judge what others send, and the others sent nothing. */
export function selectedWithoutOthers({ only, selected, because }: Pick<Selected, 'only' | 'selected' | 'because'>): readonly string[] {
  const binding = selected.filter(isBinding);
  const rests = ({ id, invariants }: ListedClause): boolean => invariants.length > 0 && CLAUSES_OF_ALL_RESPONSES.some((one) => one === id);
  return only.length > 0 && !sendsAll({ selected, because }) && binding.every(rests) ? binding.map(({ id }) => id) : [];
}

/**
 * The clauses with those checks and invariants that `only` names (all, if it is empty) and `skip` does not. Patterns that name none of
 * these clauses are allowed here: they may be meant for others.
 */
export function selectAmong(clauses: readonly SessionClause[], { only, skip, exhaustive }: Selection): readonly SessionClause[] {
  if (only.length + skip.length === 0 && exhaustive) return clauses;
  const wanted = only.map(matcher);
  const unwanted = skip.map(matcher);
  return clauses
    .map((clause) => {
      const keep = (part: Part): boolean => {
        const matches = (match: ReturnType<typeof matcher>): boolean => match(clause, part);
        return (wanted.length === 0 || wanted.some(matches)) && !unwanted.some(matches);
      };
      const affordable = (check: { readonly exhaustive: boolean }): boolean => exhaustive || wanted.length > 0 || !check.exhaustive;
      // A check that mixes requests of all kinds costs many times as much as the other parts of its clause.
      const others = only.filter((glob) => glob !== clause.id).map(matcher);
      const isMeant = (check: Part): boolean =>
        check.mixing !== true || wanted.length === 0 || others.some((match) => match(clause, check));
      const checks = clause.checks.filter((check) => affordable(check) && keep(check) && isMeant(check));
      return { ...clause, checks, invariants: clause.invariants.filter(keep) };
    })
    .filter(({ checks, invariants }) => checks.length + invariants.length > 0);
}

/**
 * The clauses that send in a run: the selected ones. If none of them sends, or the whole traffic is requested, all of them do: the selected
 * ones judge whatever is sent.
 */
export function sendingClauses(
  selected: readonly SessionClause[],
  { registry, wholeTraffic = false }: { readonly registry: readonly SessionClause[]; readonly wholeTraffic?: boolean | undefined },
): readonly SessionClause[] {
  return wholeTraffic || selected.every(({ checks }) => checks.length === 0) ? registry : selected;
}

/**
 * `selectAmong`, for patterns that are meant for these clauses. Throws SelectionError for one that names none of them, and for an empty
 * selection.
 */
export function selectClauses(clauses: readonly SessionClause[], selection: Selection): readonly SessionClause[] {
  for (const glob of [...selection.only, ...selection.skip]) {
    const problem = unmatchedPattern(glob, clauses);
    if (problem !== undefined) throw new SelectionError(problem);
  }
  const chosen = selectAmong(clauses, selection);
  if (chosen.length === 0) throw new SelectionError('--only and --skip together leave nothing to judge');
  return chosen;
}

export type Listing = {
  readonly registry: readonly ListedClause[];
  readonly selected: readonly ListedClause[];
  /** The number of exhaustive checks that the depth leaves out. */
  readonly leftOut: number;
};

const title = ({ id, title, since }: ListedClause['checks'][number]): ListedClause['checks'][number] => ({
  ...{ id, title },
  ...(since === undefined ? {} : { since }),
});

function listed({ rules: _rules, ...clause }: SessionClause): ListedClause {
  return { ...clause, checks: clause.checks.map(title), invariants: clause.invariants.map(title) };
}

const checksOf = (clauses: readonly SessionClause[]): number => clauses.reduce((sum, { checks }) => sum + checks.length, 0);

/** Throws SelectionError if a pattern matches nothing, or nothing is left. */
export function listingOf(registry: readonly SessionClause[], selection: Selection): Listing {
  const selected = selectClauses(registry, selection);
  const leftOut = checksOf(selectClauses(registry, { ...selection, exhaustive: true })) - checksOf(selected);
  return { registry: registry.map(listed), selected: selected.map(listed), leftOut };
}
