// The verdict on a part of a clause, as run records of version 1 list them, and the parts of a clause as its one record.

import type { CheckId, ClauseId } from './clause.ts';
import { WHYS_BY_URGENCY } from './clause-counts.ts';
import type { ClauseRecord, MustRecord, ReportedCase, ReportedFinding, ReportedKind } from './clause-record.ts';
import { keyOfKind } from './failure-kind.ts';
import { MOST_FINDINGS } from './record-bounds.ts';

/** The verdict on one check or invariant. */
export type PartRecord = MustRecord &
  Pick<ClauseRecord, 'findings' | 'cases' | 'failureKinds' | 'besideWaivers' | 'contrast' | 'observations' | 'evidence'> & {
    readonly id: CheckId;
    readonly clause: ClauseId;
    readonly kind: 'check' | 'invariant';
    readonly flaky?: boolean;
  };

/** What a clause is, and the verdict on it. */
export type ClauseHead = Pick<
  ClauseRecord,
  'id' | 'chapter' | 'section' | 'level' | 'requirement' | 'quote' | 'derivation' | 'likelyCause' | 'verdict' | 'newer' | 'flaky'
>;

/** The parts of a clause as its record: each becomes one of its musts, and what they found is joined. */
export function joinParts(head: ClauseHead, parts: readonly PartRecord[]): ClauseRecord {
  const deciding = parts.filter(({ verdict }) => verdict === head.verdict);
  const broken = head.verdict === 'fail' || head.verdict === 'waived' ? deciding : [];
  const { besideWaivers } = broken.find((part) => part.besideWaivers !== undefined) ?? {};
  const { contrast } = broken.find((part) => part.contrast !== undefined) ?? {};
  const counted = parts.flatMap(({ evidence }) => evidence ?? []);
  return {
    ...head,
    ...wordsOf(head, deciding),
    musts: parts.map(mustOf),
    ...joinCases(broken, broken.length === 0 ? [] : parts),
    ...(besideWaivers === undefined ? {} : { besideWaivers }),
    ...(contrast === undefined ? {} : { contrast }),
    observations: parts.flatMap(({ observations }) => observations),
    ...(counted.length === 0 ? {} : { evidence: { judged: sum(counted, 'judged'), broken: sum(counted, 'broken') } }),
  };
}

const sum = (counted: readonly { readonly judged: number; readonly broken: number }[], what: 'judged' | 'broken'): number =>
  counted.reduce((all, one) => all + one[what], 0);

function mustOf({ title, verdict, note, why, blockedBy, newer }: PartRecord): MustRecord {
  return {
    ...{ title, verdict, note },
    ...(why === undefined ? {} : { why }),
    ...(blockedBy === undefined ? {} : { blockedBy }),
    ...(newer === undefined ? {} : { newer }),
  };
}

/** The note of the first part that decides, or those of all where each says something else. */
function wordsOf({ verdict }: ClauseHead, deciding: readonly PartRecord[]): Pick<ClauseRecord, 'note' | 'why' | 'blockedBy'> {
  if (verdict === 'waived' || verdict === 'observed') return { note: [...new Set(deciding.map(({ note }) => note))].join('; ') };
  const urgent = WHYS_BY_URGENCY.flatMap((one) => deciding.find(({ why }) => why === one) ?? []);
  const { note = '', why, blockedBy } = urgent[0] ?? deciding[0] ?? {};
  return { note, ...(why === undefined ? {} : { why }), ...(blockedBy === undefined ? {} : { blockedBy }) };
}

type OfKinds = { readonly failureKinds?: readonly number[] };

/** The findings and cases of the broken parts, each once, and the kinds of failures, those of waived parts included. */
function joinCases(broken: readonly PartRecord[], all: readonly PartRecord[]): Pick<ClauseRecord, 'findings' | 'cases' | 'failureKinds'> {
  const kinds: ReportedKind[] = [];
  const known = new Map<string, number>();
  const placesOf = new Map(
    all.map(({ id, failureKinds = [] }) => {
      const places = failureKinds.map((kind) => {
        const key = `${keyOfKind(kind)}\n${kind.waiver?.entry}`;
        const place = known.get(key) ?? kinds.push(kind) - 1;
        known.set(key, place);
        return place;
      });
      return [id, places] as const;
    }),
  );
  const renumbered = <One extends OfKinds>(
    { id }: PartRecord,
    { failureKinds: own = [0], ...rest }: One,
  ): Omit<One, 'failureKinds'> & OfKinds => {
    const places = [...new Set(own.flatMap((place) => placesOf.get(id)?.[place] ?? []))];
    return kinds.length < 2 ? rest : { ...rest, failureKinds: places };
  };
  const cases = onceByWords(broken.flatMap((part) => (part.cases ?? []).map((one) => renumbered(part, one))));
  const isOf =
    (place: number) =>
    ({ failureKinds = [0] }: OfKinds): boolean =>
      failureKinds.includes(place);
  // Cases that a waiver covers are listed only if it covers all of the clause.
  const failureKinds = kinds.map((kind, place) => ({ ...kind, cases: cases.filter(isOf(place)).length || kind.cases }));
  return {
    findings: boundedFindings(broken.map((part) => part.findings.map((one) => renumbered(part, one)))),
    ...(broken.some((part) => part.cases !== undefined) ? { cases } : {}),
    ...(kinds.length === 0 ? {} : { failureKinds }),
  };
}

function onceByWords<One extends ReportedCase>(cases: readonly One[]): readonly One[] {
  const said = new Set<string>();
  return cases.filter(({ exchange, summary }) => {
    const words = `${exchange} ${summary}`;
    const isNew = !said.has(words);
    said.add(words);
    return isNew;
  });
}

/**
 * At most twenty findings of a clause, so that a report keeps its size: the first finding of each part, then the second of each, and so on;
 * first each exchange once, then what else is wrong with it, such as other animals that a list omits. The same text is shown once.
 */
function boundedFindings(parts: readonly (readonly ReportedFinding[])[]): readonly ReportedFinding[] {
  const turns = new Map<number | undefined, number>();
  const said = new Set<string>();
  const inTurn = parts
    .flatMap((findings) => findings.map((finding, place) => ({ finding, place })))
    .toSorted((left, right) => left.place - right.place)
    .flatMap(({ finding, place }) => {
      const number = finding.exchanges.at(-1)?.number;
      const words = `${number} ${finding.summary}`;
      if (said.has(words)) return [];
      said.add(words);
      const turn = number === undefined || place === 0 ? 0 : (turns.get(number) ?? 0);
      turns.set(number, turn + 1);
      return [{ finding, turn: place === 0 ? -1 : turn }];
    })
    .toSorted((left, right) => left.turn - right.turn);
  const shown = new Set(inTurn.slice(0, MOST_FINDINGS).map(({ finding }) => finding));
  return parts.flat().filter((finding) => shown.has(finding));
}
