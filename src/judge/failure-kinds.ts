// Of which kinds a failure is: what tells one known failure of a clause from another one.

import type { Chapter } from '../clause/clause.ts';
import type { ReportedCase, ReportedFinding } from '../clause/clause-record.ts';
import { type ClauseFailureKind, kindsOfFailure, placesOf } from '../clause/failure-kind.ts';
import type { Finding } from '../clause/outcome.ts';
import type { PartRecord } from '../clause/part-record.ts';
import { asReceived, type Exchange } from '../wire/exchange.ts';

export function statusIn(exchange: Exchange): string | undefined {
  const { outcome } = asReceived(exchange);
  return outcome.kind === 'answered' ? String(outcome.answer.status) : undefined;
}

/** The kinds of a finding of a clause of that chapter, without the values that the run happened to send and receive. */
export function kindsOf(finding: Finding, chapter: Chapter): readonly ClauseFailureKind[] {
  const exchange = finding.exchanges.at(-1);
  const status = exchange === undefined ? undefined : statusIn(exchange);
  return kindsOfFailure(finding, { chapter, status, operation: exchange?.request.intent.operation });
}

type OfKinds = Pick<ReportedCase | ReportedFinding, 'failureKinds'>;

/** What is left of a failed part with only some of its cases and findings. */
export function withCases(
  { failureKinds = [] }: PartRecord,
  { cases, findings }: { readonly cases: readonly ReportedCase[]; readonly findings: readonly ReportedFinding[] },
): Pick<PartRecord, 'cases' | 'findings' | 'failureKinds'> {
  const counts = failureKinds.map((_kind, place) => cases.filter((one) => placesOf(one).includes(place)).length);
  const left = failureKinds.flatMap((kind, place) => {
    const count = counts[place] ?? 0;
    return count === 0 ? [] : [{ place, kind: { ...kind, cases: count } }];
  });
  const renumber = <One extends OfKinds>(one: One): One => {
    const { failureKinds: _kinds, ...rest } = one;
    const places = left.flatMap(({ place }, index) => (placesOf(one).includes(place) ? [index] : []));
    return (left.length === 1 ? rest : { ...rest, failureKinds: places }) as One;
  };
  return { cases: cases.map(renumber), findings: findings.map(renumber), failureKinds: left.map(({ kind }) => kind) };
}
