import type { CheckRecord, ReportedFinding } from '../clause/run-record.ts';
import { MOST_FINDINGS } from './judge-check.ts';

/** The same records with twenty findings a clause at most, so that a report keeps its size; `cases` still holds all of them. */
export function boundFindings(checks: readonly CheckRecord[]): CheckRecord[] {
  const shown = new Set([...Map.groupBy(checks, ({ clause }) => clause).values()].flatMap(shownOf));
  return checks.map((check) => ({ ...check, findings: check.findings.filter((finding) => shown.has(finding)) }));
}

/** The first finding of each check, then the second of each, and so on; an exchange that is shown already is left out. */
function shownOf(checks: readonly CheckRecord[]): readonly ReportedFinding[] {
  const first = checks.flatMap(({ findings }) => findings.slice(0, 1));
  const numbers = new Set(first.map(numberOf));
  const others = checks
    .flatMap(({ findings }) => findings.slice(1).map((finding, place) => ({ finding, place })))
    .toSorted((left, right) => left.place - right.place)
    .map(({ finding }) => finding)
    .filter((finding) => {
      const number = numberOf(finding);
      if (number === undefined) return true;
      const known = numbers.has(number);
      numbers.add(number);
      return !known;
    });
  return [...first, ...others.slice(0, Math.max(0, MOST_FINDINGS - first.length))];
}

/** The exchange whose response is wrong. */
function numberOf({ exchanges }: ReportedFinding): number | undefined {
  return exchanges.at(-1)?.number;
}
