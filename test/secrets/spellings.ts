/** A key with characters that every encoding treats differently. */
export const CANARY = 'q7/Zk+W=&<T"x\'9%p2F~b:V;c@K#h!M?(J)';

const PIECE = 8;
/** The number of hexadecimal digits that contain eight of a piece without separators, wherever it begins. */
const SEPARATED_PIECE = 12;

/** Every spelling in which a key could be found, completely and in pieces of eight characters. */
export function spellings(key: string): ReadonlyMap<string, string> {
  const html = key.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
  const whole: [string, string][] = [
    ['raw', key],
    ['JSON', JSON.stringify(key).slice(1, -1)],
    ['JSON twice', JSON.stringify(JSON.stringify(key)).slice(3, -3)],
    ['JSON with escaped slashes', JSON.stringify(key).slice(1, -1).replaceAll('/', '\\/')],
    ['JSON with escaped marks', key.replace(/["&<>']/g, (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`)],
    ['URL component', encodeURIComponent(key)],
    ['URL', encodeURI(key)],
    ['HTML', html],
    ['HTML with decimal apostrophe', html.replaceAll("'", '&#39;')],
    ['HTML with hexadecimal apostrophe', html.replaceAll("'", '&#x27;')],
    ['XML', html.replaceAll("'", '&apos;')],
    ['HTML of JSON', JSON.stringify(key).slice(1, -1).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')],
    ['shell', key.replaceAll("'", `'\\''`)],
    ['hexadecimal', Buffer.from(key).toString('hex')],
    ['hexadecimal with spaces', separated(Buffer.from(key).toString('hex').match(/../g), ' ')],
    ['hexadecimal with colons', separated(Buffer.from(key).toString('hex').match(/../g), ':')],
  ];
  const found = new Map<string, string>();
  for (const [how, text] of whole) {
    const length = how.startsWith('hexadecimal with') ? SEPARATED_PIECE : PIECE;
    for (let at = 0; at + length <= text.length; at += 1) {
      // A piece that consists only of escapes ("&lt;&gt;") says nothing about the key.
      const piece = text.slice(at, at + length);
      if (plainLetters(piece) >= 4) found.set(piece, `${how}, from ${at}`);
    }
  }
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

function plainLetters(piece: string): number {
  return piece.replace(/^[#\w]+;|^u?[0-9a-f]{1,4}(?=\\)|&(?:#\w*|[a-z]*);?|\\u[0-9a-f]*|\\[^&]?|%[0-9A-F]{0,2}/g, '').length;
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

/** Where bytes contain the key or a piece of it. */
export function leaks(name: string, text: string, key = CANARY): string[] {
  return [...spellings(key)].filter(([piece]) => text.includes(piece)).map(([piece, how]) => `${name}: ${piece} (${how})`);
}
