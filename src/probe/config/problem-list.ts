/** What is wrong with a field of the configuration. */
export type Problem = { readonly path: readonly string[]; readonly text: string };

/** More than anybody reads at once. Finding the line of a problem walks the document, so thousands would take minutes. */
const MOST_PROBLEMS = 50;

/** `targets[0].interval`, as a person names a field. */
export function fieldName(path: readonly string[]): string {
  return path.map((part, position) => (/^\d+$/.test(part) ? `[${part}]` : position === 0 ? part : `.${part}`)).join('') || 'the file';
}

/** The first problems as lines, and how many more there are. */
export function boundProblems<One>(problems: readonly One[], format: (problem: One) => string): string[] {
  const lines = problems.slice(0, MOST_PROBLEMS).map(format);
  const more = problems.length - lines.length;
  return more === 0 ? lines : [...lines, `and ${more} more ${more === 1 ? 'problem' : 'problems'}`];
}
