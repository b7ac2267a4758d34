/** A text without its separators, and the position of each of its characters. */
export type Joined = { readonly text: string; readonly positions: readonly number[] };

/** Single characters with the same separator between them: `k e y`, `k.e.y`, `"k","e","y"`, and UTF-16 read as bytes. */
const SPACED = /[\s\S]([^a-z0-9]{1,6}?)[\s\S](?:\1[\s\S]){5,}/g;
/** The same with one to four bytes at a time in hexadecimal: `6b 65 79`, `6b:65:79`, `0x6b, 0x65`, `6b65 7900`. */
const HEXADECIMAL = /(?:[0-9a-f]{2}){1,4}([^0-9a-f]{1,4}?|[^0-9a-f]{0,4}0x)(?:[0-9a-f]{2}){1,4}(?:\1(?:[0-9a-f]{2}){1,4})*/g;

/** The characters at those positions, as one text. */
function pick(text: string, positions: readonly number[]): Joined {
  return { text: positions.map((at) => text.charAt(at)).join(''), positions };
}

/** All matches; the last character of one may be the first of the next: in `k e y | k.e.y` it belongs to both. */
function* overlapping(text: string, pattern: RegExp): Generator<RegExpExecArray> {
  const search = new RegExp(pattern);
  for (let match = search.exec(text); match !== null; match = search.exec(text)) {
    yield match;
    search.lastIndex = match.index + match[0].length - 1;
  }
}

function* joinSpaced(text: string): Generator<Joined> {
  for (const { 0: run, 1: separator = '', index } of overlapping(text, SPACED)) {
    const step = separator.length + 1;
    const joined = pick(
      text,
      Array.from({ length: Math.ceil(run.length / step) }, (_unused, number) => index + number * step),
    );
    yield joined;
    // `k","e","y` has quotes between its characters, and then commas between each two of those.
    for (const { text: inner, positions } of joinSpaced(joined.text)) {
      yield { text: inner, positions: positions.map((at) => joined.positions[at] ?? 0) };
    }
  }
}

function* joinHexadecimal(text: string): Generator<Joined> {
  for (const { 0: run, 1: separator = '', index } of text.matchAll(HEXADECIMAL)) {
    const positions: number[] = [];
    for (let at = 0; at < run.length; at += 1) {
      if (run.startsWith(separator, at)) at += separator.length - 1;
      else positions.push(index + at);
    }
    yield pick(text, positions);
  }
}

/** The parts of a lowercase text in which debug dumps write something between characters or bytes, each without these separators. */
export function* joinSeparated(text: string): Generator<Joined> {
  yield* joinSpaced(text);
  yield* joinHexadecimal(text);
}
