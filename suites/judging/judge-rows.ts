import { Halt, inconclusive, pass } from '../../src/clause/halt.ts';
import type { Finding, Outcome, Why } from '../../src/clause/outcome.ts';

/** The result of judging one row of a table: nothing wrong, or what is. */
export type RowFindings = Finding | undefined | readonly (Finding | undefined)[];

/** A fully judged row, or the outcome that stopped it. */
export type JudgedRow = { readonly findings: readonly Finding[]; readonly halted: Outcome | undefined };

/** Judges one row; a halt affects this row only. */
export async function judgeRow(work: () => Promise<RowFindings>): Promise<JudgedRow> {
  try {
    const findings = [await work()].flat();
    return { findings: findings.filter((finding) => finding !== undefined), halted: undefined };
  } catch (error) {
    if (!(error instanceof Halt)) throw error;
    if (error.outcome.kind === 'fail') return { findings: error.outcome.findings, halted: undefined };
    return { findings: [], halted: error.outcome };
  }
}

const URGENCY: readonly Why[] = ['waits', 'service', 'choice', 'circumstance'];

/** The outcome that stopped rows: the most telling undecided one, or not-applicable when that stopped every row. */
export function stopped(rows: readonly JudgedRow[]): Outcome | undefined {
  const halts = rows.map(({ halted }) => halted).filter((outcome) => outcome !== undefined);
  const undecided = halts.filter((outcome) => outcome.kind === 'inconclusive');
  const [first] = URGENCY.flatMap((why) => undecided.filter((outcome) => outcome.why === why));
  if (first === undefined) return halts.length > 0 && halts.length === rows.length ? halts[0] : undefined;
  return rows.length === 1 ? first : { ...first, missing: `${undecided.length} of ${rows.length}: ${first.missing}` };
}

/** Combines the rows into one outcome: a failure wins over an undecided row, an undecided row over a pass. */
export function combineRows(rows: readonly JudgedRow[], evidence: string): Outcome {
  const [first, ...rest] = rows.flatMap(({ findings }) => findings);
  if (first !== undefined) return { kind: 'fail', findings: [first, ...rest] };
  return stopped(rows) ?? (rows.length === 0 ? inconclusive('nothing to judge', 'circumstance') : pass(evidence));
}
