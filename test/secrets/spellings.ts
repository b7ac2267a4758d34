/** A key with characters that every encoding treats differently. */
export const CANARY = 'q7/Zk+W=&<T"x\'9%p2F~b:V;c@K#h!M?(J)';

const PIECE = 8;
/** The number of hexadecimal digits that contain eight of a piece without separators, wherever it begins. */
const SEPARATED_PIECE = 12;

const inHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);

/** How characters are spelled, each by itself. */
const ESCAPES: Readonly<Record<string, (text: string) => string>> = {
  raw: (text) => text,
  JSON: inJson,
  'JSON twice': (text) => inJson(inJson(text)),
  'JSON with escaped slashes': (text) => inJson(text).replaceAll('/', '\\/'),
  'JSON with escaped marks': (text) => text.replace(/["&<>']/g, (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`),
  'URL component': encodeURIComponent,
  URL: encodeURI,
  HTML: inHtml,
  'HTML with decimal apostrophe': (text) => inHtml(text).replaceAll("'", '&#39;'),
  'HTML with hexadecimal apostrophe': (text) => inHtml(text).replaceAll("'", '&#x27;'),
  XML: (text) => inHtml(text).replaceAll("'", '&apos;'),
  'HTML of JSON': (text) => inHtml(inJson(text)),
  shell: (text) => text.replaceAll("'", `'\\''`),
};

/** Every spelling in which a key could be found, completely and in pieces of eight of its characters, or of their hexadecimal digits. */
export function spellings(key: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [how, spell] of Object.entries(ESCAPES))
    for (let at = 0; at + PIECE <= key.length; at += 1) found.set(spell(key.slice(at, at + PIECE)), `${how}, from ${at}`);
  const digits = Buffer.from(key).toString('hex');
  for (const [how, text, length] of [
    ['hexadecimal', digits, PIECE],
    ['hexadecimal with spaces', separated(digits.match(/../g), ' '), SEPARATED_PIECE],
    ['hexadecimal with colons', separated(digits.match(/../g), ':'), SEPARATED_PIECE],
  ] as const)
    for (let at = 0; at + length <= text.length; at += 1) found.set(text.slice(at, at + length), `${how}, from ${at}`);
  for (const [how, text] of [...base64Forms(key), ...spacedForms(key)]) found.set(text, how);
  return found;
}

function separated(parts: Iterable<string> | null, separator: string): string {
  return [...(parts ?? [])].join(separator);
}

/** Complete only, because pieces of eight characters would contain four of the key. */
function spacedForms(key: string): [string, string][] {
  return [' ', '.', '","'].map((separator) => [`characters with ${separator} between`, separated(key.slice(0, PIECE), separator)]);
}

function base64Forms(key: string): [string, string][] {
  return ['', 'x', 'xy', 'Bearer ', ':', 'user:'].flatMap((before): [string, string][] => {
    const text = Buffer.from(before + key).toString('base64');
    // Without the characters that mix with what surrounds the key.
    const core = text.slice(Math.ceil((before.length * 4) / 3), -4);
    return [
      [`base64 behind "${before}"`, core],
      [`base64url behind "${before}"`, core.replaceAll('+', '-').replaceAll('/', '_')],
      [
        `base64 of base64 behind "${before}"`,
        Buffer.from(text)
          .toString('base64')
          .slice(Math.ceil((before.length * 16) / 9) + 4, -8),
      ],
    ];
  });
}

type Sought = { readonly how: ReadonlyMap<string, string>; readonly pattern: RegExp };
const soughtFor = new Map<string, Sought>();

/** The spellings of a key, and one pattern of all of them: searching megabytes for each by itself takes fifteen times as long. */
function sought(key: string): Sought {
  const known = soughtFor.get(key);
  if (known !== undefined) return known;
  const how = spellings(key);
  const made = { how, pattern: new RegExp([...how.keys()].map((piece) => piece.replace(/[^\w ]/g, '\\$&')).join('|'), 'g') };
  soughtFor.set(key, made);
  return made;
}

/** Where bytes contain the key or a piece of it. */
export function leaks(name: string, text: string, key = CANARY): string[] {
  const { how, pattern } = sought(key);
  return [...new Set(text.match(pattern))].map((piece) => `${name}: ${piece} (${how.get(piece)})`);
}
