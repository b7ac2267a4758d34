// JSON as text, cut or broken as it may be: where a pointer points, and one line per member.

/** A range of a text, from the first character to after the last. */
export type Span = { readonly from: number; readonly to: number };

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/gy;
const SPACE = /\s*/y;

/**
 * Where a text contains the value that a JSON pointer (RFC 6901) names.
 *
 * Works on the text and not on a parsed value, because bodies in reports are cut: values before the cut are found anyway.
 * Undefined if the text is not JSON up to that place, or has no such place.
 */
export function locatePointer(text: string, pointer: string): Span | undefined {
  const expected =
    pointer === ''
      ? []
      : pointer
          .slice(1)
          .split('/')
          .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (pointer !== '' && !pointer.startsWith('/')) return undefined;
  const scanner = new Scanner(text);
  for (const part of expected) {
    if (!scanner.enter(part)) return undefined;
  }
  return scanner.value();
}

/** Walks over JSON tokens; a failed step means that the place does not exist. */
class Scanner {
  private at = 0;
  private readonly text: string;

  constructor(text: string) {
    this.text = text;
    this.space();
  }

  /** Moves from the start of a container to the start of its member or item. */
  enter(part: string): boolean {
    const opening = this.token();
    if (opening === '[') return this.toItem(part);
    return opening === '{' && this.toMember(part);
  }

  /** The span of the value that starts here. */
  value(): Span | undefined {
    const from = this.at;
    return this.skip() ? { from, to: this.at } : from < this.text.length ? { from, to: this.text.length } : undefined;
  }

  private toItem(part: string): boolean {
    if (!/^(0|[1-9]\d*)$/.test(part)) return false;
    for (let index = 0; index < Number(part); index += 1) {
      if (this.peek() === ']' || !this.skip()) return false;
      this.space();
      if (this.token() !== ',') return false;
      this.space();
    }
    this.space();
    return this.at < this.text.length && this.peek() !== ']';
  }

  private toMember(part: string): boolean {
    for (;;) {
      this.space();
      const name = this.token();
      this.space();
      if (name === undefined || !name.startsWith('"') || this.token() !== ':') return false;
      this.space();
      if (isSameName(name, part)) return this.at < this.text.length;
      if (!this.skip()) return false;
      this.space();
      if (this.token() !== ',') return false;
    }
  }

  /** Skips one whole value; false if the text ends within it. */
  private skip(): boolean {
    let depth = 0;
    do {
      this.space();
      const token = this.token();
      if (token === undefined) return false;
      if (token === '{' || token === '[') depth += 1;
      else if (token === '}' || token === ']') depth -= 1;
    } while (depth > 0);
    return depth === 0;
  }

  private peek(): string | undefined {
    return this.text[this.at];
  }

  private token(): string | undefined {
    TOKEN.lastIndex = this.at;
    const token = TOKEN.exec(this.text)?.[0];
    this.at += token?.length ?? 0;
    return token;
  }

  private space(): void {
    SPACE.lastIndex = this.at;
    this.at += SPACE.exec(this.text)?.[0].length ?? 0;
  }
}

function isSameName(token: string, name: string): boolean {
  try {
    return JSON.parse(token) === name;
  } catch {
    return false;
  }
}

const LAID_OUT_TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/**
 * JSON with one line per member, every digit and letter as sent; text that is not JSON is returned unchanged, because its layout may be
 * what is wrong.
 *
 * Works on tokens: parsing and serializing would lose digits, and the order of members with numeric names.
 */
export function layOutJson(text: string): string {
  if (!/^\s*[{[]/.test(text) || !isJson(text)) return text;
  let depth = 0;
  let result = '';
  let last = '';
  for (const [token] of text.matchAll(LAID_OUT_TOKEN)) {
    const closes = token === '}' || token === ']';
    if (closes) depth -= 1;
    const emptied = (last === '{' && token === '}') || (last === '[' && token === ']');
    const breaks = !emptied && (closes || last === '{' || last === '[' || last === ',');
    result += `${breaks ? `\n${'  '.repeat(Math.min(depth, 40))}` : ''}${token}${token === ':' ? ' ' : ''}`;
    if (token === '{' || token === '[') depth += 1;
    last = token;
  }
  return result;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
