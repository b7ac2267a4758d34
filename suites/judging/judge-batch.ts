import { Halt } from '../../src/clause/halt.ts';
import type { Finding } from '../../src/clause/outcome.ts';
import type { Session } from '../../src/session/session.ts';
import { judgeRow, stopped, type Table } from './judge-rows.ts';

/** Judges several things concurrently as one row: all findings or, without any, the most telling halt. */
export async function judgeBatch<Row>(s: Session, table: Omit<Table<Row>, 'evidence'>): Promise<readonly Finding[]> {
  const judged = await s.all(table.rows, (row) => judgeRow(() => table.judge(row)));
  const findings = judged.flatMap((row) => row.findings);
  const halt = stopped(judged);
  if (findings.length === 0 && halt !== undefined) throw new Halt(halt);
  return findings;
}
