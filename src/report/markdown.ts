import type { Status } from './html/status.ts';
import { codeSpans, LONGEST_FIELD, oneLine, plain } from './text.ts';

/**
 * One line of prose for GitHub's Markdown that shows the text as is: no markup, no HTML, no math.
 *
 * Mentions, issue references, and bare addresses are linked after escapes are undone; an empty comment within them prevents that.
 */
export function prose(text: string, longest = LONGEST_FIELD): string {
  return oneLine(text, longest)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/[\\`*_[\]|~$]/g, '\\$&')
    .replace(/^(\d*)(?=[#+-]|[.)](?:\s|$))/, '$1\\')
    .replace(/[@#](?=\w)|:(?=\/\/)|www(?=\.)/gi, '$&<!-- -->');
}

/** One line of prose with what is between backticks as inline code. */
export function proseWithCode(text: string): string {
  const space = (is: boolean): string => (is ? ' ' : '');
  return codeSpans(oneLine(text))
    .map((part, index) => (index % 2 === 1 ? inlineCode(part) : `${space(/^\s/.test(part))}${prose(part)}${space(/\S\s+$/.test(part))}`))
    .join('');
}

/** One line as inline code, safe in a table too. */
export function inlineCode(text: string, longest = 200): string {
  const line = oneLine(text, longest);
  const fence = '`'.repeat(longestRun(line) + 1);
  const space = line.startsWith('`') || line.endsWith('`') || line === '' ? ' ' : '';
  return `${fence}${space}${line.replaceAll('|', '\\|')}${space}${fence}`;
}

/** A code block with a fence longer than any fence in it. */
export function codeBlock(text: string, language = ''): string {
  const code = plain(text, 20_000);
  const fence = '`'.repeat(Math.max(3, longestRun(code) + 1));
  return `${fence}${language}\n${code}\n${fence}`;
}

function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
}

const SIGNS: Readonly<Record<Status, string>> = {
  failed: '❌',
  warning: '⚠️',
  inconclusive: '❔',
  waived: '〰️',
  passed: '✅',
  observed: '·',
  'not-applicable': '–',
};

/** A sign for a status, so that no reader depends on words alone. */
export function signOf(status: Status): string {
  return SIGNS[status];
}

/** A table; cells already are Markdown. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map((_cell, index) => (index === 0 ? '---' : ':-'))), ...rows.map(line)].join('\n');
}

/** Collapsed content. The summary already is Markdown. */
export function details(summary: string, content: string): string {
  return `<details><summary>${summary}</summary>\n\n${content}\n\n</details>`;
}

/** A part of a text of bounded size: the full text, and its replacement if that does not fit. */
export type Part = { readonly full: string; readonly brief: string };

/** The parts in order, as many of the first ones in full as the size allows. Room for the brief versions of the others is reserved. */
export function fitParts(parts: readonly Part[], limit: number): string {
  const size = (text: string): number => (text === '' ? 0 : Buffer.byteLength(text) + 2);
  let reserved = parts.reduce((sum, { brief }) => sum + size(brief), 0);
  let used = 0;
  const taken: string[] = [];
  for (const { full, brief } of parts) {
    reserved -= size(brief);
    const chosen = used + size(full) + reserved <= limit ? full : used + size(brief) <= limit ? brief : '';
    used += size(chosen);
    if (chosen !== '') taken.push(chosen);
  }
  return `${taken.join('\n\n')}\n`;
}
