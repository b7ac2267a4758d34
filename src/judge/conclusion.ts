// Why a run ends as it does: what a green run needs, the exit code, and the headline.

import { isBinding } from '../clause/clause.ts';
import { type ClauseCounts, clausesText, countClauses } from '../clause/clause-counts.ts';
import type { ClauseRecord, MustRecord } from '../clause/clause-record.ts';
import { EXIT_CODES, type ExitCode, type RunRecord, SIGNAL_CODES, type StopSignal } from '../clause/run-record.ts';
import type { Operation } from '../wire/exchange.ts';
import { hiddenByWaivers, isUndecidedByService, undecidedByService } from './must-counts.ts';
import { type OperationState, operationStates } from './operation-states.ts';
import { type Repair, repairText } from './repair.ts';

type ConcludedClause = Pick<ClauseRecord, 'id' | 'level' | 'verdict' | 'why' | 'newer'> & { readonly musts: readonly MustRecord[] };

export type RunEvidence = {
  readonly askedToWait: number;
  /** Operations that were seen to reject what they must reject. */
  readonly rejects: readonly Operation[];
  /** From some moment until the end, the API key was rejected. */
  readonly lockedOut: boolean;
  /** Numbers of the exchanges that failed while every request failed. */
  readonly outage: readonly number[];
  /** What no longer held at the end of the run, as sentences; undefined if the run did not get there. */
  readonly closing: readonly string[] | undefined;
};

export type Ending = {
  readonly clauses: readonly ConcludedClause[];
  readonly evidence: RunEvidence;
  /** "Now" for the removal of getPet. */
  readonly now: Date;
  readonly strict: boolean;
  readonly interrupted: StopSignal | undefined;
  /** What ended the run early, if not a signal: `the deadline of 300 s passed`. */
  readonly cutShort?: string | undefined;
  readonly minJudged?: number;
  readonly internalErrors: readonly string[];
  /** What rules of clauses from outside threw, as sentences: these clauses have no verdict. */
  readonly ownErrors?: readonly string[];
  /** A sentence; lines that a command wrote may follow. */
  readonly unreachable: string | undefined;
  readonly mistaken?: string | undefined;
  readonly staleWaivers: readonly string[];
  /** How the service differs from the baseline: sentences. */
  readonly drift?: readonly string[];
  /** Of a run that sends again what had shown clauses broken. */
  readonly repair?: Repair | undefined;
};

type Conclusion = RunRecord['conclusion'];

const thousands = (count: number): string => count.toLocaleString('en-US');
const plural = (count: number, noun: string): string => `${thousands(count)} ${noun}${count === 1 ? '' : 's'}`;
const names = (list: readonly { readonly id: string }[]): string[] => list.map(({ id }) => id);
const sentence = (parts: readonly (string | undefined)[], separator: string): string =>
  parts.filter((part) => part !== undefined && part !== '').join(separator);

const mustsOf = (clauses: Ending['clauses']): readonly MustRecord[] => clauses.flatMap(({ musts }) => musts);

const judgedOf = (musts: readonly MustRecord[]): number => musts.filter(({ verdict }) => verdict !== 'inconclusive').length;

function untilThen({ clauses }: Ending): string {
  const musts = mustsOf(clauses);
  return `${judgedOf(musts)} of ${plural(musts.length, 'situation')} judged by then`;
}

function interruption(signal: StopSignal, ending: Ending, broken: readonly string[]): Conclusion {
  return {
    exitCode: SIGNAL_CODES[signal],
    headline: `interrupted by ${signal}: ${untilThen(ending)}`,
    reasons: broken,
  };
}

/** A broken clause stays broken; everything else, and what no longer fits, needs a complete run. */
function cutShort(what: string, ending: Ending, broken: readonly string[]): Conclusion {
  const early = `${what}, ${untilThen(ending)}`;
  if (broken.length === 0) return { exitCode: EXIT_CODES.unjudged, headline: `could not be judged completely: ${early}`, reasons: [] };
  return { exitCode: EXIT_CODES.broken, headline: `not conformant: ${plural(broken.length, 'clause')} broken; ${early}`, reasons: broken };
}

/** Advised clauses alone decide nothing, and neither do open questions, unless nothing else was selected. */
function nothingPassed({ clauses }: Ending): string | undefined {
  const binding = clauses.filter(isBinding);
  const some =
    binding.length > 0 ? binding.some(({ verdict }) => verdict === 'pass') : clauses.some(({ verdict }) => verdict !== 'inconclusive');
  if (some) return undefined;
  return binding.length > 0 ? 'no required or implied clause passed' : 'every clause is inconclusive';
}

/** What is not applicable counts as judged. */
function tooFewJudged({ clauses, minJudged = 0 }: Ending): string | undefined {
  const musts = mustsOf(clauses);
  const judged = judgedOf(musts);
  if (judged * 100 >= minJudged * musts.length) return undefined;
  return `${judged} of ${plural(musts.length, 'situation')} were judged, fewer than the ${minJudged}% that --min-judged asks for`;
}

/** Each reason once: a reason that several operations share is stated for them together. */
function unproven(states: readonly OperationState[]): readonly string[] {
  const found = states.flatMap((state) => (state.kind === 'unproven' ? [state] : []));
  const reasons = Map.groupBy(found, ({ operation, reason }) => (reason.startsWith(operation) ? reason.slice(operation.length) : reason));
  return [...reasons].map(([reason, of]) =>
    reason.startsWith(' ') ? `${of.map(({ operation }) => operation).join(', ')}${reason}` : reason,
  );
}

const CLOSING_UNASKED = ['the service was not asked again at the end of the run'];

/** Of a run that sends again what had shown clauses broken: of which it is not known whether they hold. */
function doubtsOfRepair(ending: Ending, repair: Repair): readonly string[] {
  const { ownErrors = [], evidence } = ending;
  return [
    ...ownErrors,
    ...repairText(repair, ending).open.map(({ clause, reason }) => `${clause}: ${reason}`),
    ...(evidence.closing ?? CLOSING_UNASKED),
  ];
}

function doubts(ending: Ending, states: readonly OperationState[]): readonly string[] {
  const { clauses, evidence, repair } = ending;
  if (repair !== undefined) return doubtsOfRepair(ending, repair);
  const { undecided, of, tooMany } = undecidedByService(clauses);
  return [
    ...(ending.ownErrors ?? []),
    ...unproven(states),
    ...[nothingPassed(ending), tooFewJudged(ending)].filter((reason) => reason !== undefined),
    ...(tooMany
      ? [
          `${undecided} of ${of} situations of required and implied clauses are undecided because of the service, which is more than a tenth`,
        ]
      : []),
    ...(evidence.closing ?? CLOSING_UNASKED),
  ];
}

function unjudged(ending: Ending, reasons: readonly string[]): Conclusion {
  const { undecided, all } = countClauses(ending.clauses);
  const { evidence, repair } = ending;
  const { askedToWait } = evidence;
  const waits =
    askedToWait === 0 ? undefined : `the service asked to wait ${askedToWait === 1 ? 'once' : `${thousands(askedToWait)} times`}`;
  const what = undecided === 0 ? reasons[0] : `${undecided} of ${plural(all, 'clause')}`;
  const text = repair === undefined ? undefined : repairText(repair, ending);
  const said = sentence([text === undefined || text.open.length === 0 ? what : text.undecided, waits], '; ');
  return { exitCode: EXIT_CODES.unjudged, headline: `could not be judged: ${said}`, reasons };
}

/** The additional failures of strict runs: broken advised clauses, and what is undecided because of the service, except open questions. */
function strictFailures({ clauses, strict }: Ending, advised: readonly { readonly id: string }[]): Conclusion | undefined {
  if (!strict) return undefined;
  const undecided = clauses.filter(({ level, musts }) => level !== 'open' && musts.some(isUndecidedByService));
  if (advised.length + undecided.length === 0) return undefined;
  const situations = mustsOf(undecided).filter(isUndecidedByService).length;
  const counts = [
    advised.length === 0 ? undefined : `${plural(advised.length, 'advised clause')} broken`,
    situations === 0 ? undefined : `${plural(situations, 'situation')} undecided because of the service`,
  ];
  return {
    exitCode: EXIT_CODES.broken,
    headline: `not conformant under --strict: ${sentence(counts, ', ')}`,
    reasons: [...new Set([...names(advised), ...names(undecided)])],
  };
}

const FULL_BUT_FOR = 10;

function hasSeenLittle({ all, by }: ClauseCounts): boolean {
  return (by.circumstance + by.service) * FULL_BUT_FOR > all;
}

function mostlyLacking({ clauses }: Ending): string | undefined {
  const lacking = mustsOf(clauses).filter(
    ({ verdict, why }) => verdict === 'inconclusive' && (why === 'circumstance' || why === 'service'),
  );
  const notes = Map.groupBy(lacking, ({ note }) => note);
  const [most] = [...notes].toSorted(([, left], [, right]) => right.length - left.length);
  return most?.[0];
}

function greenHeadline(ending: Ending, states: readonly OperationState[], warnings: number): string {
  const { clauses, repair } = ending;
  const waived = clauses.filter(({ verdict }) => verdict === 'waived').length;
  const hidden = hiddenByWaivers(clauses);
  const without = states.filter(({ kind }) => kind === 'not-selected').map(({ operation }) => operation);
  const counted = countClauses(clauses);
  const little = repair !== undefined || hasSeenLittle(counted);
  const verdict = sentence(
    [
      `conformant${waived === 0 ? '' : ` but for ${plural(waived, 'waived clause')}`}${little ? ' where judged' : ''}`,
      warnings === 0 ? undefined : `with ${plural(warnings, 'warning')}`,
    ],
    ', ',
  );
  if (repair !== undefined) return `${verdict}: ${repairText(repair, ending).holds}`;
  const blind = hidden === 0 ? undefined : `${plural(hidden, 'situation')} could not be judged because of ${waived === 1 ? 'it' : 'them'}`;
  const selection = without.length === 0 ? undefined : `only parts of ${without.join(', ')} were selected`;
  const counts = clausesText(counted, little ? '' : undefined);
  const besides = [little ? mostlyLacking(ending) : undefined, selection];
  return waived === 0 ? sentence([`${verdict}: ${counts}`, ...besides], '; ') : sentence([verdict, blind, counts, ...besides], '; ');
}

function driftReasons({ drift = [] }: Ending): readonly string[] {
  return drift.length === 0 ? [] : [...drift, "fix the service, or use this run's behavior.json as the baseline"];
}

/** `7 behaviors differ from the baseline`. */
function unexpectedText({ staleWaivers, drift = [] }: Ending): string {
  const say = (count: number, noun: string, [one, several]: readonly [string, string]): string | undefined =>
    count === 0 ? undefined : `${plural(count, noun)} ${count === 1 ? one : several}`;
  return sentence(
    [
      say(drift.length, 'behavior', ['differs from the baseline', 'differ from the baseline']),
      say(staleWaivers.length, 'waiver', ['no longer fits', 'no longer fit']),
    ],
    ', and ',
  );
}

const isOld = ({ newer }: Pick<ClauseRecord, 'newer'>): boolean => newer !== true;

/** The exit-code table: why a run ends as it does, the first row that applies. */
export function conclude(ending: Ending): Conclusion {
  const { clauses, internalErrors, unreachable, mistaken } = ending;
  const unexpected = [...ending.staleWaivers, ...driftReasons(ending)];
  const failed = clauses.filter(({ verdict }) => verdict === 'fail');
  const fails = (clause: Ending['clauses'][number]): boolean => isBinding(clause) && isOld(clause);
  const broken = names(failed.filter(fails));
  const advised = failed.filter((clause) => !fails(clause));
  const of = (exitCode: ExitCode, headline: string, reasons: readonly string[]): Conclusion => ({ exitCode, headline, reasons });

  if (ending.interrupted !== undefined) return interruption(ending.interrupted, ending, broken);
  if (internalErrors.length > 0) {
    return of(EXIT_CODES.unjudged, 'the suite itself broke: no verdict can be trusted', [...internalErrors, ...broken]);
  }
  // Without any response nothing is broken: nothing was ever sent to a service.
  if (unreachable !== undefined && unexpected.length === 0)
    return of(EXIT_CODES.unjudged, 'the service could not be judged', unreachable.split('\n'));
  if (mistaken !== undefined)
    return of(EXIT_CODES.broken, 'not conformant: there is no pet store to judge at this address with this key', [mistaken]);
  if (ending.cutShort !== undefined) return cutShort(ending.cutShort, ending, broken);
  if (broken.length > 0) {
    const again = ending.repair === undefined ? undefined : repairText(ending.repair, ending).fails;
    return of(EXIT_CODES.broken, sentence([`not conformant: ${plural(broken.length, 'clause')} broken`, again], '; '), [
      ...broken,
      ...unexpected,
    ]);
  }
  // What is newer than --as-of decides nothing.
  const old = clauses.filter(isOld).map((clause) => ({ ...clause, musts: clause.musts.filter(isOld) }));
  const deciding: Ending = { ...ending, clauses: old };
  const states = operationStates({ clauses: old, rejects: ending.evidence.rejects, now: ending.now });
  if (unexpected.length > 0) {
    const missed = unreachable === undefined ? [] : [unreachable];
    const isProven = clauses.length > 0 && missed.length === 0 && doubts(deciding, states).length === 0;
    const verdict = isProven ? 'conformant' : 'no clause is broken';
    return of(EXIT_CODES.broken, `${verdict}, but ${unexpectedText(ending)}`, [...unexpected, ...missed]);
  }
  if (clauses.length === 0) return of(EXIT_CODES.usage, 'nothing was judged', ['no clause has a verdict']);
  const reasons = doubts(deciding, states);
  if (reasons.length > 0) return unjudged(ending, reasons);
  return (
    strictFailures(deciding, advised.filter(isOld)) ??
    of(EXIT_CODES.conformant, greenHeadline(ending, states, advised.length), names(advised))
  );
}
