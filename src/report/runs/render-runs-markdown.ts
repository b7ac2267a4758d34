import { headline, judgedText } from '../headline.ts';
import { type Status, statusWord } from '../html/clause-status.ts';
import { inertText } from '../inert.ts';
import { inlineCode, prose, table } from '../markdown.ts';
import { count } from '../text.ts';
import type { RunCell, RunComparison } from './compare-runs.ts';
import { likewise } from './words.ts';

const SIGNS: Readonly<Record<Status, string>> = {
  failed: '❌',
  warning: '⚠️',
  inconclusive: '❔',
  waived: '〰️',
  passed: '✅',
  observed: '·',
  'not-applicable': '–',
};

function cellText(cell: RunCell): string {
  if (cell === undefined) return '';
  return `${SIGNS[cell.status]} ${statusWord(cell.status)}${cell.found === '' ? '' : `: ${prose(cell.found, 160)}`}`;
}

/** Several runs clause by clause in GitHub's Markdown: differences first, then the rest. */
export function renderRunsMarkdown({ runs, chapters, answers }: RunComparison): string {
  const names = runs.map(({ name }) => prose(name, 80));
  const rows = chapters.flatMap((one) => one.rows);
  const section = (title: string, differs: boolean): string[] => {
    const shown = rows.filter((row) => row.differs === differs).map((row) => [inlineCode(row.id), row.level, ...row.cells.map(cellText)]);
    return shown.length === 0 ? [] : [`### ${title}`, table(['requirement', 'level', ...names], shown)];
  };
  const open = answers.filter(({ differs }) => differs);
  const parts = [
    `## Pet Store conformance: ${count(runs.length, 'run')} side by side`,
    `${likewise(rows.filter(({ differs }) => differs).length, chapters)}.`,
    table(
      ['run', 'address', 'verdict', 'judged'],
      runs.map(({ name, record }) => [
        prose(name, 80),
        inlineCode(record.target.baseUrl),
        prose(headline(record), 200),
        judgedText(record),
      ]),
    ),
    ...section('Where they differ', true),
    ...(open.length === 0
      ? []
      : [
          '### Left open by the document, and done differently',
          table(
            ['question', ...names],
            open.map(({ question, answers: all }) => [prose(question, 200), ...all.map((answer) => prose(answer ?? 'not observed', 160))]),
          ),
        ]),
    ...section('Where they agree', false),
  ];
  return `${inertText(parts.join('\n\n'))}\n`;
}
