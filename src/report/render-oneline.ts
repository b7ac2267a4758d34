import { EXIT_CODES, type ExitCode, type RunRecord } from '../clause/run-record.ts';
import { columnCounts } from './tally.ts';
import { oneLine } from './text.ts';

const VERDICTS: Readonly<Record<ExitCode, string>> = {
  [EXIT_CODES.conformant]: 'conformant',
  [EXIT_CODES.broken]: 'not-conformant',
  [EXIT_CODES.usage]: 'usage',
  [EXIT_CODES.unjudged]: 'not-judged',
  [EXIT_CODES.hungUp]: 'interrupted',
  [EXIT_CODES.interrupted]: 'interrupted',
  [EXIT_CODES.terminated]: 'interrupted',
};

export function targetName({ target }: RunRecord): string {
  return oneLine(target.name ?? target.baseUrl, 120);
}

/**
 * The verdict in one line, for scripts: `not-conformant clauses=85 passed=80 failed=1 warnings=0 waived=0 inconclusive=2 target=staging`. The
 * words are those of the GitHub Action's outputs; the name is last, because it may have spaces.
 */
export function renderOneline(record: RunRecord): string {
  const { passed, failed, warnings, waived, inconclusive } = columnCounts(record.clauses, record.options);
  const counts = { clauses: record.clauses.length, passed, failed, warnings, waived, inconclusive };
  const words = Object.entries(counts).map(([name, count]) => `${name}=${count}`);
  return `${[VERDICTS[record.conclusion.exitCode], ...words].join(' ')} target=${targetName(record)}\n`;
}
