import type { RunRecord } from '../../src/clause/run-record.ts';
import { oneLine } from '../../src/report/text.ts';

const LONGEST = 200;

/** One line per clause: its id, its verdict, and what it says, between tabs. */
export function renderTabSeparated({ clauses }: RunRecord): string {
  return clauses.map(({ id, verdict, note }) => `${[id, verdict, oneLine(note, LONGEST)].join('\t')}\n`).join('');
}
