/** Thrown for a fault or variant name that is not in the registry. */
export class UnknownNameError extends Error {
  override readonly name = 'UnknownNameError';
  readonly wanted: string;
  readonly near: readonly string[];
  constructor(kind: string, wanted: string, near: readonly string[]) {
    const meant = near.length === 0 ? ';' : `: did you mean ${near.join(', ')}?`;
    super(`there is no ${kind} "${wanted}"${meant} \`petstore-conformance list ${kind}s\` shows all of them`);
    this.wanted = wanted;
    this.near = near;
  }
}

/** How many words of the two kebab-case names are equal or begin alike. */
function likeness(left: string, right: string): number {
  const others = right.split('-');
  const alike = (word: string) => others.some((other) => other.startsWith(word.slice(0, 4)));
  return left.split('-').filter(alike).length / Math.max(left.split('-').length, others.length);
}

/** The entry with this name. Throws UnknownNameError with up to five near matches. */
export function lookUp<T extends { readonly name: string }>(kind: string, entries: readonly T[], wanted: string): T {
  const found = entries.find((entry) => entry.name === wanted);
  if (found !== undefined) return found;
  const near = entries
    .map(({ name }) => ({ name, score: likeness(wanted, name) }))
    .filter(({ score }) => score > 0)
    .sort((left, right) => right.score - left.score)
    .slice(0, 5);
  throw new UnknownNameError(
    kind,
    wanted,
    near.map(({ name }) => name),
  );
}
