import type { Level } from '../clause/clause.ts';
import type { Verdict } from '../clause/outcome.ts';
import { type CheckRecord, type ClauseRecord, EXIT_CODES, type ExitCode, type RunRecord } from '../clause/run-record.ts';
import type { SessionClause } from './judge-check.ts';

/**
 * The verdict on a clause from those on its checks and invariants: a failure outweighs everything, then a waived one; an inconclusive
 * part leaves the clause passed when another part passed, because that part exercised it.
 */
export function clauseVerdict(verdicts: readonly Verdict[]): Verdict {
  for (const decisive of ['fail', 'waived', 'pass', 'observed'] as const) {
    if (verdicts.includes(decisive)) return decisive;
  }
  return 'inconclusive';
}

/** One record a clause, for those that have a record among the checks. */
export function clauseRecords(clauses: readonly SessionClause[], checks: readonly CheckRecord[]): ClauseRecord[] {
  return clauses.flatMap((clause) => {
    const verdicts = checks.filter((check) => check.clause === clause.id).map(({ verdict }) => verdict);
    if (verdicts.length === 0) return [];
    const { id, chapter, section, level, demands, hint } = clause;
    const derivation = clause.level === 'implied' ? { derivation: clause.derivation } : {};
    return [{ id, chapter, section, level, demands, ...derivation, hint, verdict: clauseVerdict(verdicts) }];
  });
}

/** What decides the exit code. */
export type Ending = {
  readonly clauses: readonly Pick<ClauseRecord, 'id' | 'level' | 'verdict'>[];
  readonly checks: readonly Pick<CheckRecord, 'id' | 'verdict'>[];
  readonly strict: boolean;
  /** SIGINT or SIGTERM ended the run. */
  readonly interrupted: 'SIGINT' | 'SIGTERM' | undefined;
  /** Our own code broke: sentences. */
  readonly internalErrors: readonly string[];
  /** The service could not be reached: the sentence that says so. */
  readonly unreachable: string | undefined;
  /** Waivers and baseline profiles that no longer fit: sentences. */
  readonly misfits: readonly string[];
};

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
const BINDING: readonly Level[] = ['required', 'implied'];

function conclusion(exitCode: ExitCode, headline: string, reasons: readonly string[]): RunRecord['conclusion'] {
  return { exitCode, headline, reasons };
}

/** The exit-code table: why a run ends as it does, the first row that applies. */
export function conclude(ending: Ending): RunRecord['conclusion'] {
  const { clauses, checks, strict } = ending;
  const failed = clauses.filter(({ verdict }) => verdict === 'fail');
  const broken = failed.filter(({ level }) => BINDING.includes(level));
  const advised = failed.filter(({ level }) => !BINDING.includes(level));
  const inconclusive = checks.filter(({ verdict }) => verdict === 'inconclusive');
  const names = (list: readonly { id: string }[]): string[] => list.map(({ id }) => id);

  if (ending.interrupted !== undefined) {
    const code = ending.interrupted === 'SIGINT' ? EXIT_CODES.interrupted : EXIT_CODES.terminated;
    return conclusion(code, `interrupted by ${ending.interrupted}: ${plural(checks.length, 'check')} judged until then`, names(broken));
  }
  if (ending.internalErrors.length > 0) {
    return conclusion(EXIT_CODES.broken, 'the suite itself broke: no verdict can be trusted', ending.internalErrors);
  }
  if (ending.unreachable !== undefined) return conclusion(EXIT_CODES.unjudged, 'the service could not be judged', [ending.unreachable]);
  if (checks.length === 0) return conclusion(EXIT_CODES.usage, 'nothing was judged', ['no check ran']);
  if (broken.length > 0) {
    return conclusion(EXIT_CODES.broken, `not conformant: ${plural(broken.length, 'clause')} broken`, [...names(broken), ...ending.misfits]);
  }
  if (ending.misfits.length > 0) return conclusion(EXIT_CODES.broken, 'no clause is broken, but what was expected no longer fits', ending.misfits);
  if (checks.every(({ verdict }) => verdict === 'inconclusive')) {
    return conclusion(EXIT_CODES.unjudged, 'the service could not be judged', ['every check is inconclusive']);
  }
  if (strict && advised.length + inconclusive.length > 0) {
    const counts = `${plural(advised.length, 'advised clause')} broken and ${plural(inconclusive.length, 'check')} inconclusive`;
    return conclusion(EXIT_CODES.broken, `not strictly conformant: ${counts}`, [...names(advised), ...names(inconclusive)]);
  }
  const warning = advised.length === 0 ? '' : `, with ${plural(advised.length, 'warning')}`;
  return conclusion(EXIT_CODES.conformant, `conformant${warning}`, names(advised));
}
