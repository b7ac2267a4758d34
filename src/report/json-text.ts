// JSON as text, cut or broken as it may be: where a pointer points, and one line per member.

import { applyEdits, findNodeAtLocation, format, type Node, parseTree } from 'jsonc-parser';

/** From the first character to after the last. */
export type Span = { readonly from: number; readonly to: number };

/** RFC 6901, section 4; an index has no leading zero. */
function pathOf(pointer: string): (string | number)[] {
  const parts = pointer.split('/').slice(1);
  return parts.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function within(node: Node | undefined, part: string | number): Node | undefined {
  if (node?.type !== 'array') return node === undefined ? undefined : findNodeAtLocation(node, [part]);
  return /^(?:0|[1-9]\d*)$/.test(String(part)) ? findNodeAtLocation(node, [Number(part)]) : undefined;
}

/**
 * Where a text contains the value that a JSON pointer (RFC 6901) names.
 *
 * Bodies in reports are cut: values before the cut are found anyway. Undefined if the text is not JSON up to that place, or has no such
 * place.
 */
export function locatePointer(text: string, pointer: string): Span | undefined {
  if (pointer !== '' && !pointer.startsWith('/')) return undefined;
  const found = pathOf(pointer).reduce(within, parseTree(text));
  return found === undefined ? undefined : { from: found.offset, to: found.offset + found.length };
}

/**
 * JSON with one line per member, every digit and letter as sent; text that is not JSON is returned unchanged, because its layout may be
 * what is wrong.
 */
export function layOutJson(text: string): string {
  if (!/^\s*[{[]/.test(text) || !isJson(text)) return text;
  return applyEdits(text, format(text, undefined, { insertSpaces: true, tabSize: 2, eol: '\n' }));
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
