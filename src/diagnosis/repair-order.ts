import { type ClauseId, LEVELS, type Level } from '../clause/clause.ts';
import type { ClauseRecord, ReportedCase, ReportedFinding } from '../clause/clause-record.ts';
import type { RunRecord } from '../clause/run-record.ts';
import { shownIds } from './exchanges.ts';

/** A broken clause (or one that is broken and waived), with what decides whether it is repaired before others. */
export type Breakage = Weight & {
  readonly clause: ClauseRecord;
  /** Every exchange once, whatever is wrong with it: by its number, or by the text of the case if no exchange is kept. */
  readonly cases: ReadonlyMap<number | string, KnownCase>;
  /** The number of exchanges of which its cases are a share; undefined if nobody counted them. */
  readonly judged: number | undefined;
  /**
   * The clause whose repair repairs this one: about unserved requests, if all of its cases are such requests, or about what a creation must be rejected
   * for, if records show what was accepted.
   */
  readonly consequenceOf?: ClauseId;
  /** The clause on which this one rests, if it was broken by all of these exchanges too. */
  readonly repeats?: ClauseId;
};

/** A case in one line, and the finding that shows it, if it is kept. */
export type KnownCase = { readonly summary: string; finding: ReportedFinding | undefined };

export type Weight = {
  /** So many requests got no real response that everything else that is broken may be a consequence. */
  readonly isWidespread: boolean;
  readonly waiting: number;
  /** It was not found again when its requests were repeated. */
  readonly isFlaky: boolean;
  /** Another broken clause says more directly what it says. */
  readonly restsOn?: ClauseId;
  readonly level: Level;
  readonly total: number;
};

/** The clauses that are broken by requests without a response, or with one that says that the service failed. */
const UNSERVED: ReadonlySet<ClauseId> = new Set(['errors.answers', 'errors.no-server-error']);
/** The clauses about records, and those about the members that a creation must be rejected for. */
const OF_RECORDS: ReadonlySet<ClauseId> = new Set(['record.pet', 'record.pets']);
const REJECTED_FOR: Partial<Record<ClauseId, string>> = {
  'create.name-type': 'name',
  'create.category-type': 'categoryId',
  'create.category-range': 'categoryId',
  'create.status-invalid': 'status',
};
/** What clauses rest on: the filter is the replacement that the document names for what it deprecates. */
const RESTS_ON: Partial<Record<ClauseId, readonly ClauseId[]>> = {
  'deprecation.replacement': ['list.status-filter', 'list.filter-complete'],
};
/**
 * The share of all responses from which on unserved requests are widespread: a service fails on fewer odd requests, even in a run that
 * looks for them.
 */
const WIDESPREAD_SHARE = 0.1;

export function weightOf({ level }: { readonly level: Level }): Weight {
  return { isWidespread: false, waiting: 0, isFlaky: false, level, total: 1 };
}

/** Whether the service works at all, then the number of waiting situations: what to repair first comes first. */
export function byUrgency(left: Weight, right: Weight): number {
  return Number(right.isWidespread) - Number(left.isWidespread) || right.waiting - left.waiting;
}

/** Among equally urgent ones: those that rest on no other, then those that were found again, then the more binding, then those with more cases. */
export function byWeight(left: Weight, right: Weight): number {
  return (
    byUrgency(left, right) ||
    Number(left.restsOn !== undefined) - Number(right.restsOn !== undefined) ||
    Number(left.isFlaky) - Number(right.isFlaky) ||
    LEVELS.indexOf(left.level) - LEVELS.indexOf(right.level) ||
    right.total - left.total
  );
}

export function weightOfAll(breakages: readonly Weight[]): Weight {
  const [first] = breakages.toSorted((left, right) => LEVELS.indexOf(left.level) - LEVELS.indexOf(right.level));
  const sum = (of: 'waiting' | 'total'): number => breakages.reduce((all, one) => all + one[of], 0);
  return {
    isWidespread: breakages.some(({ isWidespread }) => isWidespread),
    waiting: sum('waiting'),
    isFlaky: breakages.length > 0 && breakages.every(({ isFlaky }) => isFlaky),
    level: first?.level ?? 'open',
    total: sum('total'),
  };
}

export function breakagesOf(record: RunRecord, verdict: 'fail' | 'waived' = 'fail'): readonly Breakage[] {
  const waiting = Map.groupBy(
    record.clauses.flatMap(({ musts }) => musts),
    ({ blockedBy }) => blockedBy,
  );
  const found = record.clauses
    .filter((clause) => clause.verdict === verdict)
    .map((clause) => breakageOf(clause, waiting.get(clause.id)?.length ?? 0));
  const [unserved, accepting] = [UNSERVED, new Set(Object.keys(REJECTED_FOR))].map((ids: ReadonlySet<string>) =>
    found.filter(({ clause }) => verdict === 'fail' && ids.has(clause.id)),
  );
  return found.map((one) => {
    const root = unserved?.find((other) => isConsequence(one, other)) ?? accepting?.find((other) => showsAccepted(one, other));
    const rested = RESTS_ON[one.clause.id]?.flatMap((id) => found.find(({ clause }) => clause.id === id) ?? [])[0];
    return {
      ...one,
      ...(root === undefined ? {} : { consequenceOf: root.clause.id }),
      ...(rested === undefined ? {} : { restsOn: rested.clause.id }),
      ...(rested !== undefined && [...one.cases.keys()].every((key) => rested.cases.has(key)) ? { repeats: rested.clause.id } : {}),
    };
  });
}

function breakageOf(clause: ClauseRecord, waiting: number): Breakage {
  const { id, level, evidence } = clause;
  const cases = casesOf(clause);
  const most = evidence?.broken ?? 0;
  // A record of an earlier release has no list of cases.
  const total = Math.max(1, clause.cases === undefined ? most : 0, cases.size);
  // If there are cases beyond the exchanges that were counted, the cases are not a share of these.
  const judged = total === most ? evidence?.judged : undefined;
  return {
    clause,
    cases,
    judged,
    isWidespread: UNSERVED.has(id) && evidence !== undefined && most >= evidence.judged * WIDESPREAD_SHARE,
    waiting,
    isFlaky: clause.flaky === true,
    level,
    total,
  };
}

function casesOf({ cases, findings }: ClauseRecord): Breakage['cases'] {
  const known = new Map<number | string, KnownCase>();
  for (const { summary, exchange } of cases ?? findings.map(caseOf)) {
    if (!known.has(exchange ?? summary)) known.set(exchange ?? summary, { summary, finding: undefined });
  }
  for (const finding of findings) {
    const { summary, exchange } = caseOf(finding);
    const entry = known.get(exchange ?? summary);
    if (entry === undefined) known.set(exchange ?? summary, { summary, finding });
    else entry.finding ??= finding;
  }
  return known;
}

/** The last exchange of a finding is the one with the wrong response. */
function caseOf({ summary, exchanges }: ReportedFinding): ReportedCase {
  const number = exchanges.at(-1)?.number;
  return { summary, ...(number === undefined ? {} : { exchange: number }) };
}

/** Requests that were not served by chance, at least. */
const SEVERAL = 3;
/** The share of a clause's cases that another one has, too, from which on the rest is alike. */
const MOSTLY = 0.9;

function isConsequence(one: Breakage, root: Breakage): boolean {
  if (UNSERVED.has(one.clause.id)) return false;
  const cases = [...one.cases];
  const shared = cases.filter(([known]) => root.cases.has(known)).length;
  // A failure that recurs is not a consequence of one that did not, unless so many requests were not served that this was chance.
  if (root.clause.flaky === true && one.clause.flaky !== true && shared < SEVERAL) return false;
  // Of most cases a report keeps only the exchange's number.
  const isMostlyShared = shared >= MOSTLY * cases.length;
  return (
    shared > 0 &&
    cases.every(([known, { finding }]) => root.cases.has(known) || (finding === undefined ? isMostlyShared : isUnserved(finding)))
  );
}

/** Whether records are wrong in nothing but a member that creations were accepted with, and show an animal of such a creation. */
function showsAccepted({ clause: { id, findings } }: Breakage, root: Breakage): boolean {
  if (!OF_RECORDS.has(id)) return false;
  const accepted = new Set(root.clause.findings.flatMap(shownIds));
  return (
    findings.every(({ pointer = '' }) => pointer.replace(/^\/\d+/, '') === `/${REJECTED_FOR[root.clause.id]}`) &&
    findings.some((finding) => shownIds(finding).some((shown) => accepted.has(shown)))
  );
}

/** Credentials that no client sends don't count for the clauses about unserved requests. */
function isUnserved(finding: ReportedFinding | undefined): boolean {
  const response = finding?.exchanges.at(-1)?.answer;
  return response?.kind === 'failed' || (response?.kind === 'answered' && response.status >= 500);
}
