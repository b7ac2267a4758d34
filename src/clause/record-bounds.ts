// How much of what is broken a record has, and how it says so.

/** Findings of a clause that are kept with their exchanges; of the others only the summary is kept. */
export const MOST_FINDINGS = 20;
/** Exchanges of a finding: the last ones, among which is the wrong one. */
export const MOST_EXCHANGES = 12;
const LONGEST_CASE = 300;

/** The summary of a case, in one short line. */
export function caseText(text: string): string {
  return text.length <= LONGEST_CASE ? text : `${text.slice(0, LONGEST_CASE - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** The first summary of what is broken, and how many more there are; `judged`: of how many exchanges, if somebody counted them. */
export function failureNote(first: string, { broken, judged }: { readonly broken: number; readonly judged?: number }): string {
  if (broken === 1) return first;
  return judged === undefined ? `${first} (and ${broken - 1} more)` : `${first} (${broken} of ${judged} exchanges)`;
}
