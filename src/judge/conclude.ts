import type { Level, ListedClause } from '../clause/clause.ts';
import type { Verdict } from '../clause/outcome.ts';
import { type CheckRecord, type ClauseRecord, EXIT_CODES, type ExitCode, type RunRecord } from '../clause/run-record.ts';

/**
 * The verdict on a clause from those on its checks and invariants: a failure outweighs everything, then a waived one; an inconclusive
 * part leaves the clause passed when another part passed, because that part exercised it.
 */
export function clauseVerdict(verdicts: readonly Verdict[]): Verdict {
  for (const decisive of ['fail', 'waived', 'pass', 'observed', 'inconclusive'] as const) {
    if (verdicts.includes(decisive)) return decisive;
  }
  return 'not-applicable';
}

/** One record a clause, for those that have a record among the checks. */
export function clauseRecords(clauses: readonly ListedClause[], checks: readonly CheckRecord[]): ClauseRecord[] {
  return clauses.flatMap((clause) => {
    const verdicts = checks.filter((check) => check.clause === clause.id).map(({ verdict }) => verdict);
    if (verdicts.length === 0) return [];
    const { id, chapter, section, level, requirement, likelyCause } = clause;
    const derivation = clause.level === 'implied' ? { derivation: clause.derivation } : {};
    return [{ id, chapter, section, level, requirement, ...derivation, likelyCause, verdict: clauseVerdict(verdicts) }];
  });
}

/** What decides the exit code. */
export type Ending = {
  readonly clauses: readonly Pick<ClauseRecord, 'id' | 'level' | 'verdict'>[];
  readonly checks: readonly Pick<CheckRecord, 'id' | 'clause' | 'verdict'>[];
  readonly strict: boolean;
  /** SIGINT or SIGTERM ended the run. */
  readonly interrupted: 'SIGINT' | 'SIGTERM' | undefined;
  /** Seconds of the deadline that ended the run before it was over. */
  readonly deadline?: number | undefined;
  /** Our own code broke: sentences. */
  readonly internalErrors: readonly string[];
  /** The service could not be reached: the sentence that says so. */
  readonly unreachable: string | undefined;
  /** The first contact left nothing else to judge: the sentence that says why. */
  readonly mistaken?: string | undefined;
  /** Waivers and baseline profiles that no longer fit: sentences. */
  readonly misfits: readonly string[];
};

type Conclusion = RunRecord['conclusion'];

const BINDING: readonly Level[] = ['required', 'implied'];
const DECIDED: readonly Verdict[] = ['pass', 'fail', 'waived'];

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
const names = (list: readonly { readonly id: string }[]): string[] => list.map(({ id }) => id);

/** Advice alone decides nothing, and neither do open questions, unless nothing else was asked for. */
function isConclusive({ clauses, checks }: Ending): boolean {
  const binding = clauses.filter(({ level }) => BINDING.includes(level));
  if (binding.length > 0) return binding.some(({ verdict }) => DECIDED.includes(verdict));
  return checks.some(({ verdict }) => verdict !== 'inconclusive');
}

function untilThen(checks: Ending['checks']): string {
  const judged = checks.filter(({ verdict }) => verdict !== 'inconclusive').length;
  return `${judged} of ${plural(checks.length, 'check')} judged until then`;
}

function interruption({ interrupted, checks }: Ending, broken: readonly string[]): Conclusion {
  return {
    exitCode: interrupted === 'SIGTERM' ? EXIT_CODES.terminated : EXIT_CODES.interrupted,
    headline: `interrupted by ${interrupted}: ${untilThen(checks)}`,
    reasons: broken,
  };
}

/** What was found broken stands; anything else, and what no longer fits, takes a whole run. */
function cutShort(deadline: number, checks: Ending['checks'], broken: readonly string[]): Conclusion {
  const late = `the deadline of ${deadline} s passed, ${untilThen(checks)}`;
  if (broken.length === 0) return { exitCode: EXIT_CODES.unjudged, headline: `could not be judged to the end: ${late}`, reasons: [] };
  return { exitCode: EXIT_CODES.broken, headline: `not conformant: ${plural(broken.length, 'clause')} broken; ${late}`, reasons: broken };
}

/** What strict runs fail for besides: broken advice, and checks of anything but open questions that could not be judged. */
function strictly({ clauses, checks, strict }: Ending, advised: readonly { readonly id: string }[]): Conclusion | undefined {
  if (!strict) return undefined;
  const open = new Set<string>(names(clauses.filter(({ level }) => level === 'open')));
  const inconclusive = checks.filter(({ clause, verdict }) => verdict === 'inconclusive' && !open.has(clause));
  if (advised.length + inconclusive.length === 0) return undefined;
  const counts = `${plural(advised.length, 'advised clause')} broken and ${plural(inconclusive.length, 'check')} inconclusive`;
  return {
    exitCode: EXIT_CODES.broken,
    headline: `not strictly conformant: ${counts}`,
    reasons: [...names(advised), ...names(inconclusive)],
  };
}

/** The exit-code table: why a run ends as it does, the first row that applies. */
export function conclude(ending: Ending): Conclusion {
  const { clauses, checks, internalErrors, unreachable, mistaken, misfits } = ending;
  const failed = clauses.filter(({ verdict }) => verdict === 'fail');
  const broken = names(failed.filter(({ level }) => BINDING.includes(level)));
  const advised = failed.filter(({ level }) => !BINDING.includes(level));
  const of = (exitCode: ExitCode, headline: string, reasons: readonly string[]): Conclusion => ({ exitCode, headline, reasons });

  if (ending.interrupted !== undefined) return interruption(ending, broken);
  if (internalErrors.length > 0) {
    return of(EXIT_CODES.unjudged, 'the suite itself broke: no verdict can be trusted', [...internalErrors, ...broken]);
  }
  if (unreachable !== undefined) return of(EXIT_CODES.unjudged, 'the service could not be judged', [unreachable]);
  if (mistaken !== undefined)
    return of(EXIT_CODES.broken, 'not conformant: there is no pet store to judge at this address with this key', [mistaken]);
  if (ending.deadline !== undefined) return cutShort(ending.deadline, checks, broken);
  if (checks.length === 0) return of(EXIT_CODES.usage, 'nothing was judged', ['no check ran']);
  if (broken.length > 0) {
    return of(EXIT_CODES.broken, `not conformant: ${plural(broken.length, 'clause')} broken`, [...broken, ...misfits]);
  }
  if (misfits.length > 0) return of(EXIT_CODES.broken, 'no clause is broken, but what was expected no longer fits', misfits);
  if (!isConclusive(ending)) {
    return of(EXIT_CODES.unjudged, 'the service could not be judged', ['every check of a required or implied clause is inconclusive']);
  }
  const strict = strictly(ending, advised);
  if (strict !== undefined) return strict;
  const warning = advised.length === 0 ? '' : `, with ${plural(advised.length, 'warning')}`;
  return of(EXIT_CODES.conformant, `conformant${warning}`, names(advised));
}
