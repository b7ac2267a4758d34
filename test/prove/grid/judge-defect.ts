import { contrastText } from '../../../src/report/contrast-text.ts';
import { clauses } from '../../../suites/index.ts';
import { startParts } from '../../support/start-parts.ts';
import { judgeServer, type ReferenceRun } from '../judge-reference.ts';
import { CONFORMING_TIMEOUT, FAULT_WINDOW } from '../result.ts';
import { breakParts, type Defect, defectCalled } from './defects.ts';

const BINDING = new Set<string>(clauses.filter(({ level }) => level === 'required' || level === 'implied').map(({ id }) => id));

/** The gate's result for a server with one defect. */
export type DefectResult = {
  readonly name: string;
  /** Required and implied clauses that it finds broken: none means that the defect was missed. */
  readonly red: readonly string[];
  /** What the report says about when these clauses are broken, if it does, by clause. */
  readonly when: Readonly<Record<string, string>>;
  /** The number of requests of the run for which the defect changed something. */
  readonly applied: number;
  readonly requests: number;
  readonly milliseconds: number;
};

/** Judges a server with a defect of the grid, or the same server without one, as the proof judges a fault. */
export async function judgeBroken(defect: Defect | undefined): Promise<{ readonly run: ReferenceRun; readonly applied: number }> {
  const { parts, applied } = breakParts(defect, { clock: { now: () => Date.now() } });
  const run = await judgeServer(() => startParts(parts, { seedAnimals: defect?.seedAnimals ?? 8 }), {
    session: { timeout: CONFORMING_TIMEOUT, consistencyWindow: FAULT_WINDOW },
  });
  return { run, applied: applied() };
}

/** The gate's result for the defect with that name. */
export async function judgeDefect(name: string): Promise<DefectResult> {
  const { run, applied } = await judgeBroken(defectCalled(name));
  const failed = run.records.filter(({ verdict, clause }) => verdict === 'fail' && BINDING.has(clause));
  const red = [...new Set(failed.map(({ clause }): string => clause))].sort();
  const when = Object.fromEntries(
    failed.flatMap(({ clause, contrast }) => (contrast === undefined ? [] : [[clause, contrastText(contrast)]])),
  );
  return { name, red, when, applied, requests: run.requests, milliseconds: run.milliseconds };
}
