import { CHAPTER_COLUMNS, type ChapterColumn, chapterCounts, columnWord } from '../tally.ts';
import { columns, pad, wrap } from '../text.ts';
import type { Page, Style } from './page.ts';

/** A chapter has the mark of its worst result; the worst comes first. */
const MARKS: readonly (readonly [column: ChapterColumn, mark: string, style: Style])[] = [
  ['failed', '✗', 'red'],
  ['warnings', '!', 'yellow'],
  ['inconclusive', '?', 'yellow'],
  ['waived', '~', 'yellow'],
  ['passed', '✓', 'green'],
  ['observed', '·', 'cyan'],
  ['notApplicable', '–', 'dim'],
];

/** One line per chapter: how many of its clauses passed, failed, only warn, and so on. */
export function chapterLines(page: Page): string[] {
  const chapters = chapterCounts(page.record);
  const first = Math.max(0, ...chapters.map(({ chapter }) => chapter.length));
  const present = CHAPTER_COLUMNS.filter((column) => chapters.some(({ counts }) => counts[column] > 0));
  const widths = new Map(
    present.map((column) => [column, Math.max(...chapters.map(({ counts }) => columns(cell(column, counts[column]))))]),
  );
  const aligned = 2 + first + [...widths.values()].reduce((sum, width) => sum + 2 + width, 0) <= page.width;
  return chapters.flatMap(({ chapter, counts }) => {
    const [, mark = '', style = 'dim'] = MARKS.find(([column]) => counts[column] > 0) ?? [];
    const head = `${page.paint(style, mark)} ${pad(chapter, first)}`;
    if (aligned) {
      const cells = present.map((column) => painted(page, column, pad(cell(column, counts[column]), widths.get(column) ?? 0)));
      return [`${head}  ${cells.join('  ')}`.trimEnd()];
    }
    const said = present.filter((column) => counts[column] > 0).map((column) => cell(column, counts[column]).trim());
    const [line = '', ...rest] = wrap(said.join(', '), page.width - first - 4);
    return [`${head}  ${line}`, ...rest.map((one) => ' '.repeat(first + 4) + one)];
  });
}

function cell(column: ChapterColumn, amount: number): string {
  return amount === 0 ? '' : `${pad(String(amount), 2, 'left')} ${columnWord(column, amount)}`;
}

function painted(page: Page, column: ChapterColumn, text: string): string {
  const [, , style = 'dim'] = MARKS.find(([name]) => name === column) ?? [];
  return column === 'passed' || text.trim() === '' ? text : page.paint(style, text);
}
