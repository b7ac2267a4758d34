// What a name that does not exist was meant to be.

/** The number of characters to insert, remove, replace, or swap with their neighbor to turn one text into the other. */
export function editDistance(one: string, other: string): number {
  const rows: number[][] = [Array.from({ length: other.length + 1 }, (_unused, column) => column)];
  const at = (row: number, column: number): number => rows[row]?.[column] ?? 0;
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row];
    rows.push(current);
    for (let column = 1; column <= other.length; column += 1) {
      const replaced = at(row - 1, column - 1) + (one[row - 1] === other[column - 1] ? 0 : 1);
      const swaps = row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      const swapped = swaps ? at(row - 2, column - 2) + 1 : replaced;
      current.push(Math.min(at(row - 1, column) + 1, at(row, column - 1) + 1, replaced, swapped));
    }
  }
  return at(one.length, other.length);
}

const letters = (name: string): string => name.replaceAll('*', '').toLowerCase();

/** How many characters a name may differ in to be a typo of another. */
const ofTypo = (known: string): number => Math.max(1, Math.floor(known.length / 3));

/** The name that another one was probably meant to be: at most a third of its characters differ. Undefined if none is similar. */
export function nearestName(name: string, names: readonly string[]): string | undefined {
  return names
    .map((known) => ({ known, distance: editDistance(letters(name), letters(known)) }))
    .filter(({ known, distance }) => distance <= ofTypo(known))
    .toSorted((a, b) => a.distance - b.distance)[0]?.known;
}

/** How many names are suggested: one line of a terminal has room for about five. */
const SUGGESTIONS = 5;

/** More than any name has characters. */
const FIRST = 1_000;

/** Names that resemble a wanted one or a pattern: those with one typo or two, then those that share the most words. */
export function similarNames(wanted: string, names: readonly string[]): readonly string[] {
  const text = letters(wanted);
  const shared = (name: string): number => {
    const words = [...new Set(name.split(/[./-]/))].filter((word) => word.length > 2 && text.includes(word));
    return words.join('').length + (text !== '' && name.includes(text) ? text.length : 0);
  };
  return names
    .map((name) => ({ name, score: shared(name), typos: text.length < 5 ? Infinity : editDistance(text, letters(name)) }))
    .map(({ name, score, typos }) => ({ name, score: typos <= 2 ? FIRST - typos : score }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score || a.name.length - b.name.length)
    .slice(0, SUGGESTIONS)
    .map(({ name }) => name);
}
