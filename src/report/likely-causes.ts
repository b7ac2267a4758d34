import type { ClauseId } from '../clause/clause.ts';
import type { ClauseRecord, ReportedContrast } from '../clause/run-record.ts';
import { count } from './text.ts';

export type LikelyCause = {
  readonly id: string;
  readonly title: string;
  readonly explains: readonly { readonly clause: ClauseId }[];
  /** Checks that could not be judged because of them. */
  readonly waiting: number;
  /** Requests and responses that show it, one sentence each. */
  readonly evidence: readonly string[];
  readonly advice: string;
  /** A single request does not show it. */
  readonly atOnce?: true;
};

/** The likely causes of the findings of a run, the one to repair first in front. Reports show it, and no verdict depends on it. */
export type Diagnosis = { readonly causes: readonly LikelyCause[] };

/** `2 likely causes`, and how they are ordered if that is by what waits for them. */
export function causesHead(causes: readonly LikelyCause[]): string {
  const order = causes.some(({ waiting }) => waiting > 0) ? `, by what ${causes.length === 1 ? 'it holds' : 'they hold'} up` : '';
  return `${count(causes.length, 'likely cause')}${order}`;
}

/** The position of the cause that explains a clause; -1 if none does. */
export function causeAt(diagnosis: Diagnosis | undefined, clause: ClauseId): number {
  return (diagnosis?.causes ?? []).findIndex(({ explains }) => explains.some((one) => one.clause === clause));
}

/** It only restates the requirement. */
const OF_REQUIREMENT = /^where the document requires (?:an error|no error|\d{3})$/;

/** The condition that separates broken cases from good ones; undefined if none was found, or it tells a reader nothing. */
export function conditionOf(contrast: ReportedContrast | undefined): string | undefined {
  const { when, elsewhere } = contrast ?? {};
  return when === undefined || elsewhere?.of === 0 || OF_REQUIREMENT.test(when) ? undefined : when;
}

/**
 * Why a clause is broken, for every format: the likely causes that were found, each with its number, or else what usually breaks such a
 * clause. If it is known when the clause is broken, the usual cause is left out.
 */
export function likelyText(
  { id, likelyCause }: ClauseRecord,
  { diagnosis, contrast }: { readonly diagnosis: Diagnosis | undefined; readonly contrast: ReportedContrast | undefined },
): string {
  const found = (diagnosis?.causes ?? []).flatMap((cause, index) =>
    explainedBy(cause).includes(id) ? [`cause ${index + 1}: ${cause.title}`] : [],
  );
  if (found.length > 0) return found.join('; ');
  return conditionOf(contrast) === undefined ? likelyCause : '';
}

/** What to change for a clause, from the causes that were found; empty if there are none. */
export function adviceText({ id }: ClauseRecord, diagnosis: Diagnosis | undefined): string {
  const found = (diagnosis?.causes ?? []).filter((cause) => explainedBy(cause).includes(id));
  return found.map(({ advice }) => advice).join('. ');
}

export function explainedBy({ explains }: LikelyCause): readonly ClauseId[] {
  return explains.map(({ clause }) => clause);
}
