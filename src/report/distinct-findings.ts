import type { ReportedFinding } from '../clause/run-record.ts';

/** The findings of a check for a person: repeated ones are only counted. */
export type DistinctFindings = { readonly shown: readonly ReportedFinding[]; readonly hidden: number };

/** The first finding of each summary, at most `most`; and the number of others. */
export function distinctFindings(findings: readonly ReportedFinding[], most: number): DistinctFindings {
  const distinct = new Map<string, ReportedFinding>();
  for (const finding of findings) {
    if (!distinct.has(finding.summary)) distinct.set(finding.summary, finding);
  }
  const shown = [...distinct.values()].slice(0, most);
  return { shown, hidden: findings.length - shown.length };
}
