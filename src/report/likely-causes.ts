import type { ClauseId } from '../clause/clause.ts';
import type { ClauseRecord, ReportedContrast, ReportedFinding } from '../clause/clause-record.ts';
import type { Cause, Diagnosis } from '../diagnosis/cause.ts';
import { LEAST_ERROR } from '../wire/statuses.ts';
import { count } from './text.ts';

/** `2 likely causes`, and how they are ordered if that is by what waits for them. */
export function causesHead(causes: readonly Cause[]): string {
  const order = causes.some(({ waiting }) => waiting > 0) ? `, by what ${causes.length === 1 ? 'it holds' : 'they hold'} up` : '';
  return `${count(causes.length, 'likely cause')}${order}`;
}

/** The position of the cause that explains a clause; -1 if none does. */
export function causeAt(diagnosis: Diagnosis | undefined, clause: ClauseId): number {
  return (diagnosis?.causes ?? []).findIndex(({ explains }) => explains.includes(clause));
}

/** `cause 2`, or `cause` where there is only one. */
export const causeName = (index: number, diagnosis: Diagnosis | undefined): string =>
  diagnosis?.causes.length === 1 ? 'cause' : `cause ${index + 1}`;

/** The condition that separates broken cases from good ones; undefined if none was found, or nothing else was judged. */
export function conditionOf(contrast: ReportedContrast | undefined): string | undefined {
  const { when, elsewhere } = contrast ?? {};
  return when === undefined || elsewhere?.of === 0 ? undefined : when;
}

type Evidence = { readonly contrast: ReportedContrast | undefined; readonly findings: readonly ReportedFinding[] };

/** What usually breaks them lets only some responses bypass what writes the others. */
const BROKEN_BY_BYPASSES: ReadonlySet<ClauseId> = new Set(['errors.shape']);

/** Whether every response is broken by itself. */
function isEachTime(contrast: ReportedContrast | undefined): boolean {
  return contrast !== undefined && contrast.when === undefined && contrast.there.broken === contrast.there.of;
}

const STATUSES = /\b[2-5]\d\d\b/g;

/** Whether the evidence is a single error status, and a text that lists statuses does not name it. */
function isOfOtherStatus(text: string, findings: readonly ReportedFinding[]): boolean {
  const named = text.match(STATUSES)?.map(Number) ?? [];
  const responses = findings.map(({ exchanges }) => exchanges.at(-1)?.answer);
  const [status = 0, ...others] = new Set(responses.map((response) => (response?.kind === 'answered' ? response.status : 0)));
  return named.length > 0 && status >= LEAST_ERROR && others.length === 0 && !named.includes(status);
}

/**
 * Why a clause is broken, for every format: the likely causes that were found, with their numbers if there are several, or else what usually breaks such a
 * clause. The usual cause is left out if it is known when the clause is broken and when it is not, or if the evidence contradicts it.
 */
export function likelyText(
  { id, likelyCause }: ClauseRecord,
  { diagnosis, contrast, findings }: Evidence & { readonly diagnosis: Diagnosis | undefined },
): string {
  const causes = diagnosis?.causes ?? [];
  const numberOf = (index: number): string => (causes.length === 1 ? '' : `${causeName(index, diagnosis)}: `);
  const found = causes.flatMap(({ explains, title }, index) => (explains.includes(id) ? [`${numberOf(index)}${title}`] : []));
  if (found.length > 0) return found.join('; ');
  const isContradicted = (BROKEN_BY_BYPASSES.has(id) && isEachTime(contrast)) || isOfOtherStatus(likelyCause, findings);
  const isKnown = conditionOf(contrast) !== undefined && contrast?.elsewhere.broken === 0;
  return isContradicted || isKnown ? '' : likelyCause;
}

/** What to change for a clause, from the causes that were found; empty if there are none. */
export function adviceText({ id }: ClauseRecord, diagnosis: Diagnosis | undefined): string {
  const found = (diagnosis?.causes ?? []).filter((cause) => cause.explains.includes(id));
  return found.map(({ advice }) => advice).join('. ');
}
