import type { CheckRecord, ReportedFinding } from '../clause/run-record.ts';
import { MOST_FINDINGS } from './judge-check.ts';

/** The same records with at most twenty findings per clause, so that a report keeps its size; `cases` still holds all of them. */
export function boundFindings(checks: readonly CheckRecord[]): CheckRecord[] {
  const shown = new Set([...Map.groupBy(checks, ({ clause }) => clause).values()].flatMap(shownOf));
  return checks.map((check) => ({ ...check, findings: check.findings.filter((finding) => shown.has(finding)) }));
}

/**
 * The first finding of each check, then the second of each, and so on: first each exchange once, then what else is wrong with it, such as
 * other animals that a list omits. Findings of several checks with the same text are shown once.
 */
function shownOf(checks: readonly CheckRecord[]): readonly ReportedFinding[] {
  const first = checks.flatMap(({ findings }) => findings.slice(0, 1));
  const said = new Set(first.map(wordsOf));
  const turns = new Map<number | undefined, number>(first.map((finding) => [numberOf(finding), 1]));
  const others = checks
    .flatMap(({ findings }) => findings.slice(1).map((finding, place) => ({ finding, place })))
    .toSorted((left, right) => left.place - right.place)
    .flatMap(({ finding }) => {
      if (said.has(wordsOf(finding))) return [];
      said.add(wordsOf(finding));
      const number = numberOf(finding);
      const turn = number === undefined ? 0 : (turns.get(number) ?? 0);
      turns.set(number, turn + 1);
      return [{ finding, turn }];
    })
    .toSorted((left, right) => left.turn - right.turn)
    .map(({ finding }) => finding);
  return [...first, ...others.slice(0, Math.max(0, MOST_FINDINGS - first.length))];
}

const wordsOf = (finding: ReportedFinding): string => `${numberOf(finding)} ${finding.summary}`;

/** The number of the exchange with the wrong response. */
function numberOf({ exchanges }: ReportedFinding): number | undefined {
  return exchanges.at(-1)?.number;
}
