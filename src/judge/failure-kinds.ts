// Of which kinds a failure is: what tells one known failure of a clause from another one.

import type { Chapter } from '../clause/clause.ts';
import type { ReportedCase, ReportedFinding } from '../clause/clause-record.ts';
import { type ClauseFailureKind, keyOfKind, placeOf, type StatedKind } from '../clause/failure-kind.ts';
import type { Finding } from '../clause/outcome.ts';
import type { PartRecord } from '../clause/part-record.ts';
import { asReceived, type Exchange, type Operation } from '../wire/exchange.ts';

const STATUS = /^(\d{3})\b/;

/** The expected statuses; undefined if a finding is about something else. */
export function expectedStatuses({ expected }: Pick<Finding, 'expected'>): readonly string[] | undefined {
  const statuses = expected.map((one) => STATUS.exec(one)?.[1]);
  return statuses.length > 0 && statuses.every((status) => status !== undefined) ? statuses : undefined;
}

export function statusIn(exchange: Exchange): string | undefined {
  const { outcome } = asReceived(exchange);
  return outcome.kind === 'answered' ? String(outcome.answer.status) : undefined;
}

/** What a chapter is about wherever its clauses are seen to be broken: lists show which animals creations left. */
const OPERATION_OF: Partial<Record<Chapter, Operation>> = { 'list-pets': 'listPets', 'create-pet': 'createPet', 'get-pet': 'getPet' };

const LONGEST_TEXT = 120;

/** Texts of clauses from outside may show values. */
function withoutValues(text: string): string {
  return text
    .replace(/"(?:[^"\\]|\\.)*"/g, '"…"')
    .replace(/-?\d+(?:\.\d+)?/g, 'N')
    .slice(0, LONGEST_TEXT);
}

function statedOrDefault(finding: Finding, status: string | undefined): readonly StatedKind[] {
  if (finding.failureKinds !== undefined && finding.failureKinds.length > 0) return finding.failureKinds;
  const statuses = expectedStatuses(finding);
  if (statuses !== undefined && !(status !== undefined && statuses.includes(status)))
    return [{ place: 'HTTP status', expected: [...new Set(statuses)].sort().join(' or ') }];
  const place = finding.pointer === undefined ? 'response' : placeOf(finding.pointer);
  return [{ place, expected: finding.expected.map(withoutValues).join(' or ') }];
}

/** The kinds of a finding of a clause of that chapter, without the values that the run happened to send and receive. */
export function kindsOf(finding: Finding, chapter: Chapter): readonly ClauseFailureKind[] {
  const exchange = finding.exchanges.at(-1);
  const status = exchange === undefined ? undefined : statusIn(exchange);
  const received = status === undefined ? 'no response' : `${status.charAt(0)}xx`;
  return statedOrDefault(finding, status).map(({ operation, ...kind }) => ({
    must: operation ?? OPERATION_OF[chapter] ?? exchange?.request.intent.operation ?? 'listPets',
    received,
    ...kind,
  }));
}

/** Kinds, each once, by their fields. */
export function createKindTable() {
  const places = new Map<string, number>();
  const failureKinds: ClauseFailureKind[] = [];
  return {
    failureKinds,
    /** The places of these in the table. */
    add(some: readonly ClauseFailureKind[]): readonly number[] {
      const of = some.map((kind) => {
        const key = keyOfKind(kind);
        const known = places.get(key) ?? failureKinds.push(kind) - 1;
        places.set(key, known);
        return known;
      });
      return [...new Set(of)];
    },
  };
}

type OfKinds = Pick<ReportedCase | ReportedFinding, 'failureKinds'>;

/** The places of the kinds of a case or finding in the table of its record. */
export const placesOf = ({ failureKinds = [0] }: OfKinds): readonly number[] => failureKinds;

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
