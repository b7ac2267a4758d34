// Why a run ends as it does: the verdict on each clause, what a green run needs, the exit code.

import type { CheckId, ClauseId, Level, ListedClause } from '../clause/clause.ts';
import type { Verdict, Why } from '../clause/outcome.ts';
import { mayBeRemoved } from '../clause/removal.ts';
import { type CheckRecord, type ClauseRecord, EXIT_CODES, type ExitCode, type FlakyPolicy, type RunRecord } from '../clause/run-record.ts';
import type { Operation } from '../wire/exchange.ts';
import type { RunEvidence } from './collected.ts';

/** One record per clause, for the clauses with a record among the checks. */
export function clauseRecords(clauses: readonly ListedClause[], checks: readonly CheckRecord[]): ClauseRecord[] {
  return clauses.flatMap((clause) => {
    const own = checks.filter((check) => check.clause === clause.id);
    const verdicts = own.map(({ verdict }) => verdict);
    const failed = own.filter(({ verdict }) => verdict === 'fail');
    const flaky = failed.length > 0 && failed.every((check) => check.flaky === true) ? { flaky: true } : {};
    if (verdicts.length === 0) return [];
    const { id, chapter, section, level, requirement, likelyCause } = clause;
    const quote = clause.quote === undefined ? {} : { quote: clause.quote };
    const derivation = clause.level === 'implied' ? { derivation: clause.derivation } : {};
    const verdict = clauseVerdict(verdicts);
    const open = verdicts.filter((one) => one === 'inconclusive').length;
    const undecided = verdict === 'pass' && open > 0 ? { undecided: open } : {};
    return [{ id, chapter, section, level, requirement, ...quote, ...derivation, likelyCause, verdict, ...undecided, ...flaky }];
  });
}

/** What decides the exit code. */
export type Ending = {
  readonly clauses: readonly Pick<ClauseRecord, 'id' | 'level' | 'verdict' | 'flaky'>[];
  /** Whether flaky failures fail the run; by default they do. */
  readonly flaky?: FlakyPolicy;
  readonly checks: readonly Pick<CheckRecord, 'id' | 'clause' | 'verdict' | 'note' | 'why' | 'blockedBy'>[];
  readonly evidence: RunEvidence;
  /** "Now" for the removal of getPet. */
  readonly now: Date;
  readonly strict: boolean;
  /** SIGINT or SIGTERM ended the run. */
  readonly interrupted: 'SIGINT' | 'SIGTERM' | undefined;
  /** What ended the run early, if not a signal: `the deadline of 300 s passed`. */
  readonly cutShort?: string | undefined;
  /** Percentage of the checks that must be judged for a green run. */
  readonly minJudged?: number;
  /** The suite itself broke: sentences. */
  readonly internalErrors: readonly string[];
  /** The service could not be reached: the sentence that says so. */
  readonly unreachable: string | undefined;
  /** The first contact left nothing else to judge: the sentence that says why. */
  readonly mistaken?: string | undefined;
  /** Waivers and baselines that no longer fit: sentences. */
  readonly staleExpectations: readonly string[];
};

type Conclusion = RunRecord['conclusion'];

const thousands = (count: number): string => count.toLocaleString('en-US');
const plural = (count: number, noun: string): string => `${thousands(count)} ${noun}${count === 1 ? '' : 's'}`;
const names = (list: readonly { readonly id: string }[]): string[] => list.map(({ id }) => id);
const sentence = (parts: readonly (string | undefined)[], separator: string): string =>
  parts.filter((part) => part !== undefined && part !== '').join(separator);

function untilThen(checks: Ending['checks']): string {
  const judged = checks.filter(({ verdict }) => verdict !== 'inconclusive').length;
  return `${judged} of ${plural(checks.length, 'check')} judged by then`;
}

function interruption({ interrupted, checks }: Ending, broken: readonly string[]): Conclusion {
  return {
    exitCode: interrupted === 'SIGTERM' ? EXIT_CODES.terminated : EXIT_CODES.interrupted,
    headline: `interrupted by ${interrupted}: ${untilThen(checks)}`,
    reasons: broken,
  };
}

/** A broken clause stays broken; everything else, and what no longer fits, needs a complete run. */
function cutShort(what: string, checks: Ending['checks'], broken: readonly string[]): Conclusion {
  const early = `${what}, ${untilThen(checks)}`;
  if (broken.length === 0) return { exitCode: EXIT_CODES.unjudged, headline: `could not be judged completely: ${early}`, reasons: [] };
  return { exitCode: EXIT_CODES.broken, headline: `not conformant: ${plural(broken.length, 'clause')} broken; ${early}`, reasons: broken };
}

/** Advised clauses alone decide nothing, and neither do open questions, unless nothing else was selected. */
function nothingPassed({ clauses, checks }: Ending): string | undefined {
  const binding = clauses.filter(isBinding);
  const some =
    binding.length > 0 ? binding.some(({ verdict }) => verdict === 'pass') : checks.some(({ verdict }) => verdict !== 'inconclusive');
  if (some) return undefined;
  return binding.length > 0 ? 'no required or implied clause passed' : 'every check is inconclusive';
}

/** Fewer checks were judged than the user requires. Not-applicable parts count as judged. */
function tooFewJudged({ checks, minJudged = 0 }: Ending): string | undefined {
  const judged = checks.filter(({ verdict }) => verdict !== 'inconclusive').length;
  if (judged * 100 >= minJudged * checks.length) return undefined;
  return `${judged} of ${plural(checks.length, 'check')} were judged, fewer than the ${minJudged}% that --min-judged asks for`;
}

/** Each reason once: a reason that several operations share is stated for them together. */
function unproven(states: readonly OperationState[]): readonly string[] {
  const found = states.flatMap((state) => (state.kind === 'unproven' ? [state] : []));
  const reasons = Map.groupBy(found, ({ operation, reason }) => (reason.startsWith(operation) ? reason.slice(operation.length) : reason));
  return [...reasons].map(([reason, of]) =>
    reason.startsWith(' ') ? `${of.map(({ operation }) => operation).join(', ')}${reason}` : reason,
  );
}

/** Why a run without a broken clause is not green: sentences, or none. */
function doubts(ending: Ending, states: readonly OperationState[]): readonly string[] {
  const { clauses, checks, evidence } = ending;
  const { undecided, of, tooMany } = undecidedByService(clauses, checks);
  return [
    ...unproven(states),
    ...[nothingPassed(ending), tooFewJudged(ending)].filter((reason) => reason !== undefined),
    ...(tooMany
      ? [`${undecided} of ${of} checks of required and implied clauses are undecided because of the service, which is more than a tenth`]
      : []),
    ...(evidence.closing ?? ['the service was not asked again at the end of the run']),
  ];
}

function unjudged(ending: Ending, reasons: readonly string[]): Conclusion {
  const { undecided, all } = countClauses(ending.clauses, ending.checks);
  const { askedToWait } = ending.evidence;
  const waits =
    askedToWait === 0 ? undefined : `the service asked to wait ${askedToWait === 1 ? 'once' : `${thousands(askedToWait)} times`}`;
  const said = sentence([undecided === 0 ? reasons[0] : `${undecided} of ${plural(all, 'clause')}`, waits], '; ');
  return { exitCode: EXIT_CODES.unjudged, headline: `could not be judged: ${said}`, reasons };
}

/** The additional failures of strict runs: broken advised clauses, and what is undecided because of the service, except open questions. */
function strictly({ clauses, checks, strict }: Ending, advised: readonly { readonly id: string }[]): Conclusion | undefined {
  if (!strict) return undefined;
  const open = new Set<string>(names(clauses.filter(({ level }) => level === 'open')));
  const undecided = checks.filter(({ clause, verdict, why }) => verdict === 'inconclusive' && why === 'service' && !open.has(clause));
  if (advised.length + undecided.length === 0) return undefined;
  const counts = [
    advised.length === 0 ? undefined : `${plural(advised.length, 'advised clause')} broken`,
    undecided.length === 0 ? undefined : `${plural(undecided.length, 'check')} undecided because of the service`,
  ];
  return {
    exitCode: EXIT_CODES.broken,
    headline: `not conformant under --strict: ${sentence(counts, ', ')}`,
    reasons: [...names(advised), ...names(undecided)],
  };
}

/** `79 of 80 clauses judged, 1 not applicable`; `79 of 80 clauses, 1 not applicable` if "judged" was said before. */
function judgedText({ all, judged, notApplicable, by }: ClauseCounts, said = ' judged'): string {
  const rest = [
    [notApplicable, 'not applicable'],
    [by.choice, 'left out by choice'],
    [by.circumstance, 'undecided by circumstance'],
    [by.service, 'undecided because of the service'],
    [by.waits, 'waiting for others'],
  ] as const;
  return sentence(
    [`${judged} of ${plural(all, 'clause')}${said}`, ...rest.map(([count, what]) => (count === 0 ? undefined : `${count} ${what}`))],
    ', ',
  );
}

/** The divisor for the clauses that a full run may leave undecided: one in ten. */
const FULL_BUT_FOR = 10;

/** Whether the run saw little of the service, not because of an option or waiver of the user's. */
function sawLittle({ all, by }: ClauseCounts): boolean {
  return (by.circumstance + by.service) * FULL_BUT_FOR > all;
}

/**
 * What is missing for most of the checks that are undecided, not by the user's choice; for a table that is undecided in part, what the rest
 * is missing.
 */
function mostlyLacking(checks: Ending['checks']): string | undefined {
  const lacking = checks.filter(({ verdict, why }) => verdict === 'inconclusive' && (why === 'circumstance' || why === 'service'));
  const notes = Map.groupBy(lacking, ({ note }) => note.replace(/^\d+ of \d+: /, ''));
  const [most] = [...notes].toSorted(([, left], [, right]) => right.length - left.length);
  return most?.[0];
}

/** Everything about a green run: what is waived, what that hides, how much was judged, and what was not selected. */
function greenHeadline({ clauses, checks }: Ending, states: readonly OperationState[], warnings: number): string {
  const waived = clauses.filter(({ verdict }) => verdict === 'waived').length;
  const hidden = hiddenByWaivers(clauses, checks);
  const without = states.filter(({ kind }) => kind === 'not-selected').map(({ operation }) => operation);
  const counted = countClauses(clauses, checks);
  const little = sawLittle(counted);
  const verdict = sentence(
    [
      `conformant${waived === 0 ? '' : ` but for ${plural(waived, 'waived clause')}`}${little ? ' where judged' : ''}`,
      warnings === 0 ? undefined : `with ${plural(warnings, 'warning')}`,
    ],
    ', ',
  );
  const blind = hidden === 0 ? undefined : `${plural(hidden, 'check')} could not be judged because of ${waived === 1 ? 'it' : 'them'}`;
  const selection = without.length === 0 ? undefined : `only parts of ${without.join(', ')} were selected`;
  const counts = judgedText(counted, little ? '' : undefined);
  const besides = [little ? mostlyLacking(checks) : undefined, selection];
  return waived === 0 ? sentence([`${verdict}: ${counts}`, ...besides], '; ') : sentence([verdict, blind, counts, ...besides], '; ');
}

/** The exit-code table: why a run ends as it does, the first row that applies. */
export function conclude(ending: Ending): Conclusion {
  const { clauses, checks, internalErrors, unreachable, mistaken, staleExpectations } = ending;
  const failed = clauses.filter(({ verdict }) => verdict === 'fail');
  const fails = (clause: Ending['clauses'][number]): boolean => isBinding(clause) && !(ending.flaky === 'warn' && clause.flaky === true);
  const broken = names(failed.filter(fails));
  const advised = failed.filter((clause) => !fails(clause));
  const of = (exitCode: ExitCode, headline: string, reasons: readonly string[]): Conclusion => ({ exitCode, headline, reasons });

  if (ending.interrupted !== undefined) return interruption(ending, broken);
  if (internalErrors.length > 0) {
    return of(EXIT_CODES.unjudged, 'the suite itself broke: no verdict can be trusted', [...internalErrors, ...broken]);
  }
  // Without any response nothing is broken: no check was ever sent to a service.
  if (unreachable !== undefined && staleExpectations.length === 0)
    return of(EXIT_CODES.unjudged, 'the service could not be judged', [unreachable]);
  if (mistaken !== undefined)
    return of(EXIT_CODES.broken, 'not conformant: there is no pet store to judge at this address with this key', [mistaken]);
  if (ending.cutShort !== undefined) return cutShort(ending.cutShort, checks, broken);
  if (broken.length > 0) {
    return of(EXIT_CODES.broken, `not conformant: ${plural(broken.length, 'clause')} broken`, [...broken, ...staleExpectations]);
  }
  if (staleExpectations.length > 0) {
    const missed = unreachable === undefined ? [] : [unreachable];
    return of(EXIT_CODES.broken, 'no clause is broken, but a waiver or the baseline no longer fits', [...staleExpectations, ...missed]);
  }
  if (checks.length === 0) return of(EXIT_CODES.usage, 'nothing was judged', ['no check ran']);
  const states = operationStates({ checks, rejects: ending.evidence.rejects, now: ending.now });
  const reasons = doubts(ending, states);
  if (reasons.length > 0) return unjudged(ending, reasons);
  return strictly(ending, advised) ?? of(EXIT_CODES.conformant, greenHeadline(ending, states, advised.length), names(advised));
}

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

type Clauses = readonly Pick<ClauseRecord, 'id' | 'level' | 'verdict'>[];
type Checks = readonly Pick<CheckRecord, 'id' | 'clause' | 'verdict' | 'why' | 'blockedBy'>[];

const BINDING: readonly Level[] = ['required', 'implied'];

/** Whether a broken clause of that level fails the run. */
export function isBinding({ level }: { readonly level: Level }): boolean {
  return BINDING.includes(level);
}

/** The divisor for the selection that may be undecided because of the service: one in ten. */
const TOLERATED = 10;

/** Parts of required and implied clauses that are undecided because of the service, and whether these are too many. */
export function undecidedByService(clauses: Clauses, checks: Checks) {
  const binding = new Set<string>(clauses.filter(isBinding).map(({ id }) => id));
  const parts = checks.filter(({ clause }) => binding.has(clause));
  const undecided = parts.filter(({ verdict, why }) => verdict === 'inconclusive' && why === 'service');
  return { undecided: undecided.length, of: parts.length, tooMany: undecided.length * TOLERATED > parts.length };
}

/** The most informative reason first, for clauses whose parts have several. */
const URGENCY: readonly Why[] = ['service', 'waits', 'circumstance', 'choice'];

type ClauseCounts = {
  readonly all: number;
  readonly judged: number;
  readonly notApplicable: number;
  readonly undecided: number;
  readonly by: Readonly<Record<Why, number>>;
};

/** How many clauses were judged, and why the others were not. */
export function countClauses(clauses: Clauses, checks: Checks): ClauseCounts {
  const open = clauses.filter(({ verdict }) => verdict === 'inconclusive');
  const by: Record<Why, number> = { service: 0, choice: 0, circumstance: 0, waits: 0 };
  for (const { id } of open) {
    const whys = checks.filter(({ clause, verdict }) => clause === id && verdict === 'inconclusive').map(({ why }) => why);
    by[URGENCY.find((why) => whys.includes(why)) ?? 'circumstance'] += 1;
  }
  const notApplicable = clauses.filter(({ verdict }) => verdict === 'not-applicable').length;
  return { all: clauses.length, judged: clauses.length - open.length - notApplicable, notApplicable, undecided: open.length, by };
}

/** Checks and invariants that wait for a waived clause. */
export function hiddenByWaivers(clauses: Clauses, checks: Checks): number {
  const waived = new Set<string>(clauses.filter(({ verdict }) => verdict === 'waived').map(({ id }) => id));
  return checks.filter(({ verdict, blockedBy }) => verdict === 'inconclusive' && blockedBy !== undefined && waived.has(blockedBy)).length;
}

/** What must have passed for an operation to count as judged: it works, and it rejects what it must reject. */
type Proof = {
  readonly operation: Operation;
  readonly success: ClauseId;
  /** Any of them is enough: clauses, or checks of a clause that is about other operations as well. */
  readonly rejections: readonly (ClauseId | CheckId)[];
  /** The clause that replaces both from the day on which the operation may have been removed. */
  readonly afterRemoval?: ClauseId;
};

const PROOFS: readonly Proof[] = [
  {
    operation: 'listPets',
    success: 'list.success',
    rejections: ['auth.missing-credential/list', 'auth.missing-credential/list-parameters'],
  },
  {
    operation: 'createPet',
    success: 'create.success',
    rejections: [
      'create.body-json',
      'create.body-object',
      'create.name-required',
      'create.name-type',
      'create.category-required',
      'create.category-type',
      'create.category-range',
      'create.status-invalid',
    ],
  },
  { operation: 'getPet', success: 'get.success', rejections: ['get.not-found'], afterRemoval: 'deprecation.still-works' },
];

export type ProofPart = Pick<CheckRecord, 'id' | 'clause' | 'verdict' | 'note' | 'why'>;

/**
 * The state of an operation. `not-selected`: the run was not to judge all of its proof. `left-out`: an option of the user's kept it from
 * being exercised, as read-only runs create nothing.
 */
type OperationState = { readonly operation: Operation } & (
  | { readonly kind: 'passed' | 'not-selected' | 'left-out' }
  | { readonly kind: 'unproven' /** A sentence for the reader of a report. */; readonly reason: string }
);

/** Why one side of a proof is missing; undefined if it is there. */
type Missing = 'not-selected' | 'left-out' | { readonly reason: string };

function lacking(parts: readonly ProofPart[], what: string): Missing | undefined {
  if (parts.length === 0) return 'not-selected';
  const undecided = parts.filter(({ verdict }) => verdict === 'inconclusive');
  const first = undecided.find(({ why }) => why !== 'choice');
  if (first === undefined && undecided.length > 0) return 'left-out';
  return { reason: `${what}: ${first?.note ?? 'no exchange to which it applies'}` };
}

const verdictOf = (parts: readonly ProofPart[]) => clauseVerdict(parts.map(({ verdict }) => verdict));

function missingSuccess({ operation, success }: Proof, parts: readonly ProofPart[]): Missing | undefined {
  const verdict = verdictOf(parts);
  if (parts.length > 0 && verdict === 'pass') return undefined;
  if (verdict === 'waived') return { reason: `${success} is waived, so nothing shows that ${operation} works` };
  return lacking(parts, `${operation} never worked in this run`);
}

/** A waived rejection counts if the service was seen to reject: with a status other than the documented one, or not everywhere. */
function missingRejection({ operation, rejections }: Proof, checks: readonly ProofPart[], rejects: boolean): Missing | undefined {
  const groups = rejections.map((id) => checks.filter((check) => check.id === id || check.clause === id));
  const verdicts = groups.filter((parts) => parts.length > 0).map(verdictOf);
  if (verdicts.includes('pass') || (verdicts.includes('waived') && rejects)) return undefined;
  return lacking(groups.flat(), `${operation} never rejected what it must reject`);
}

function stateOf(proof: Proof, { checks, rejects, now }: RunOfOperations): OperationState {
  const { operation, success, afterRemoval } = proof;
  const of = (clause: ClauseId): readonly ProofPart[] => checks.filter((check) => check.clause === clause);
  const gone = afterRemoval !== undefined && mayBeRemoved(now);
  const standIn = gone ? of(afterRemoval) : [];
  const missing =
    standIn.length > 0
      ? [missingSuccess({ ...proof, success: afterRemoval ?? success }, standIn)]
      : [missingSuccess(proof, of(success)), missingRejection(proof, checks, rejects.includes(operation))];
  // From that day on, nothing has to be there to show it.
  if (missing.includes('not-selected') || (gone && standIn.length === 0)) return { operation, kind: 'not-selected' };
  const [first, second] = missing;
  const decisive = first ?? second;
  if (decisive === undefined || decisive === 'not-selected') return { operation, kind: 'passed' };
  return decisive === 'left-out' ? { operation, kind: 'left-out' } : { operation, kind: 'unproven', reason: decisive.reason };
}

export type RunOfOperations = {
  readonly checks: readonly ProofPart[];
  /** Operations that were seen to reject a request that they must reject, with any 4xx. */
  readonly rejects: readonly Operation[];
  /** "Now" for the removal of getPet. */
  readonly now: Date;
};

/** The state of each of the three operations after a run. */
export function operationStates(run: RunOfOperations): readonly OperationState[] {
  return PROOFS.map((proof) => stateOf(proof, run));
}
