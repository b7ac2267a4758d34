// Where a text contains the key, however it is spelled.

import { reversed, swapAlike } from './key-spellings.ts';

/** Where a text contains the key: from (inclusive) and to (exclusive). */
export type KeyRange = readonly [from: number, to: number];

const PIECE = 8;
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", sol: '/', plus: '+', equals: '=' };
const SHORT_ESCAPES: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };
const ESCAPED =
  /&(?:#(?<decimal>\d{1,7})|#[xX](?<hex>[0-9a-fA-F]{1,6})|(?<entity>[a-z]{2,6}));|\\u(?<unicode>[0-9a-fA-F]{4})|\\x(?<byte>[0-9a-fA-F]{2})|\\(?<short>[^ux])|%(?<percent>[0-9a-fA-F]{2})/g;
/** Most texts contain none of these, so they need no search for escapes. */
const ESCAPING = /[&\\%]/;
/** Escapes may be nested: JSON in HTML, a URL in JSON. */
const LAYERS = 3;

/** ASCII only: other letters may change their length with their case, which would shift all later positions. */
function foldCase(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** A text with the original position of each of its UTF-16 units (and one more for the end); undefined if the positions are the same. */
type Mapped = { readonly text: string; readonly origins: readonly number[] | undefined };

const originOf = ({ origins }: Mapped, at: number): number => (origins === undefined ? at : (origins[at] ?? 0));

function decodedCharacter(groups: Readonly<Record<string, string | undefined>>): string | undefined {
  const { decimal, hex, entity, unicode, byte, short, percent } = groups;
  if (entity !== undefined) return ENTITIES[entity];
  if (short !== undefined) return SHORT_ESCAPES[short] ?? short;
  const code = decimal === undefined ? Number.parseInt(hex ?? unicode ?? byte ?? percent ?? '', 16) : Number(decimal);
  return code <= 0xffff ? String.fromCharCode(code) : undefined;
}

function unescapeOnce(mapped: Mapped): Mapped {
  const { text } = mapped;
  if (!ESCAPING.test(text)) return mapped;
  let decoded = '';
  const begins: number[] = [];
  let end = 0;
  const copy = (to: number): void => {
    decoded += text.slice(end, to);
    for (let at = end; at < to; at += 1) begins.push(originOf(mapped, at));
  };
  for (const match of text.matchAll(ESCAPED)) {
    const character = decodedCharacter(match.groups ?? {});
    if (character === undefined) continue;
    copy(match.index);
    decoded += character;
    begins.push(originOf(mapped, match.index));
    end = match.index + match[0].length;
  }
  if (end === 0) return mapped;
  copy(text.length);
  begins.push(originOf(mapped, text.length));
  return { text: decoded, origins: begins };
}

/** The characters of a base64 text that depend on the key alone, for each of its three possible offsets. */
function base64Cores(key: string): string[] {
  const bytes = Buffer.from(key, 'utf8');
  return [0, 1, 2].flatMap((shift) => {
    const encoded = Buffer.concat([Buffer.alloc(shift), bytes]).toString('base64');
    const core = encoded.slice(Math.ceil((shift * 8) / 6), Math.floor(((shift + bytes.length) * 8) / 6));
    return [core, core.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

/** All pieces of a length. A text is compared with them only where it has the first two characters of one: few places of few texts. */
type Pieces = { readonly length: number; readonly texts: ReadonlySet<string>; readonly starts: ReadonlySet<number> };

const startAt = (text: string, at: number): number => text.charCodeAt(at) * 2 ** 16 + text.charCodeAt(at + 1);

function piecesOf(forms: readonly string[], length: number): Pieces {
  const texts = new Set<string>();
  for (const form of forms) for (let at = 0; at + length <= form.length; at += 1) texts.add(form.slice(at, at + length));
  return { length, texts, starts: new Set([...texts].map((text) => startAt(text, 0))) };
}

function hits(text: string, { length, texts, starts }: Pieces): KeyRange[] {
  const found: KeyRange[] = [];
  for (let at = 0; at + length <= text.length; at += 1)
    if (starts.has(startAt(text, at)) && texts.has(text.slice(at, at + length))) found.push([at, at + length]);
  return found;
}

function separatedHits(text: string, pieces: Pieces): KeyRange[] {
  const found: KeyRange[] = [];
  for (const { text: joined, positions } of joinSeparated(text)) {
    for (const [from, to] of hits(joined, pieces)) found.push([positions[from] ?? 0, (positions[to - 1] ?? 0) + 1]);
  }
  return found;
}

/**
 * Finds the key and every piece of eight of its characters, ignoring letter case: reversed, or with letters and digits that look alike; raw
 * or under up to three layers of HTML, JSON, and percent escapes, in base64 and base64 of base64 at any offset, in hexadecimal, and with
 * separators between characters or bytes, as in debug dumps. A key of eight characters is also found without its last one; shorter ones are masked by `createShortKeyMask`.
 */
export function createKeyFinder(key: string): (text: string) => KeyRange[] {
  const length = Math.min(PIECE, key.length - 1);
  const cores = base64Cores(key);
  const hexadecimal = Buffer.from(key, 'utf8').toString('hex');
  const forms = [
    key,
    reversed(key),
    swapAlike(key),
    encodeURIComponent(key.toWellFormed()),
    hexadecimal,
    ...cores,
    ...cores.flatMap(base64Cores),
  ];
  const pieces = piecesOf(forms.map(foldCase), length);
  return (text) => {
    const found: KeyRange[] = [];
    let mapped: Mapped = { text: foldCase(text), origins: undefined };
    for (let layer = 0; layer <= LAYERS; layer += 1) {
      const { text: layerText } = mapped;
      for (const [from, to] of [...hits(layerText, pieces), ...separatedHits(layerText, pieces)])
        found.push([originOf(mapped, from), originOf(mapped, to)]);
      const next = unescapeOnce(mapped);
      if (next === mapped) break;
      mapped = { text: foldCase(next.text), origins: next.origins };
    }
    return found;
  };
}

/** A text without its separators, and where each of its characters stood. */
export type Joined = { readonly text: string; readonly positions: readonly number[] };

/** Single characters with the same separator between them: `k e y`, `k.e.y`, `"k","e","y"`, and UTF-16 read as bytes. */
const SPACED = /[\s\S]([^a-z0-9]{1,6}?)[\s\S](?:\1[\s\S]){5,}/g;
/** The same with one to four bytes at a time in hexadecimal: `6b 65 79`, `6b:65:79`, `0x6b, 0x65`, `6b65 7900`. */
const HEXADECIMAL = /(?:[0-9a-f]{2}){1,4}([^0-9a-f]{1,4}?|[^0-9a-f]{0,4}0x)(?:[0-9a-f]{2}){1,4}(?:\1(?:[0-9a-f]{2}){1,4})*/g;

function pick(text: string, positions: readonly number[]): Joined {
  return { text: positions.map((at) => text.charAt(at)).join(''), positions };
}

/**
 * All matches. The last characters of one, as many as `shared`, may also begin the next: in `k e y | k.e.y` a character belongs to both, and in
 * `code":"6b 65 79` a byte, because `de":"6b` are two bytes as well.
 */
function* overlapping(text: string, pattern: RegExp, shared: number): Generator<RegExpExecArray> {
  const search = new RegExp(pattern);
  for (let match = search.exec(text); match !== null; match = search.exec(text)) {
    yield match;
    search.lastIndex = match.index + match[0].length - shared;
  }
}

function* joinSpaced(text: string): Generator<Joined> {
  for (const { 0: run, 1: separator = '', index } of overlapping(text, SPACED, 1)) {
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
  for (const { 0: run, 1: separator = '', index } of overlapping(text, HEXADECIMAL, 2)) {
    const positions: number[] = [];
    for (let at = 0; at < run.length; at += 1) {
      if (run.startsWith(separator, at)) at += separator.length - 1;
      else positions.push(index + at);
    }
    yield pick(text, positions);
  }
}

/** The parts of a lowercase text in which debug dumps write something between characters or bytes, each without these separators. */
function* joinSeparated(text: string): Generator<Joined> {
  yield* joinSpaced(text);
  yield* joinHexadecimal(text);
}
