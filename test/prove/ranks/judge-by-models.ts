import type { CheckRecord } from '../../../src/clause/run-record.ts';
import { faults } from '../../../src/reference/faults/index.ts';
import { clauses } from '../../../suites/index.ts';
import { type ReadRun, readHistory } from '../recorded/history-file.ts';
import { judgeReadRun } from '../recorded/judge-recorded.ts';
import { clauseBrokenBy, type RegistrySubject } from '../result.ts';
import { explainBy, MODELS, ranksOf } from './ranks.ts';

/** The broken clauses of a recorded server, advised ones included, by the name of the model. */
export type Ranked = Readonly<Record<string, readonly string[]>>;

const RANKS = ranksOf(clauses);

const redIn = (records: readonly CheckRecord[]): readonly string[] =>
  [...new Set(records.filter(({ verdict }) => verdict === 'fail').map(({ clause }): string => clause))].sort();

/** Judges a recorded server by each model. What a fault breaks when its clause alone was judged counts if it was recorded so. */
export function judgeByModels(folder: string, subject: RegistrySubject): Ranked {
  const own = faults.find(({ name }) => subject.kind === 'fault' && name === subject.name)?.clause;
  // Each time from the file, because a run that has been judged once is read as at its end.
  const judge = (model: (typeof MODELS)[number]): readonly string[] => {
    const { runs } = readHistory(folder, subject);
    const [whole, alone] = runs;
    if (whole === undefined) throw new Error(`${subject.name}: no run was recorded`);
    const red = (run: ReadRun, judged: typeof clauses) => redIn(judgeReadRun(run, judged, { explain: explainBy(model, RANKS) }).records);
    const found = red(whole, clauses);
    if (own === undefined || alone === undefined || found.includes(own)) return found;
    return [...found, ...red(alone, clauseBrokenBy(subject.name)).filter((clause) => clause === own)];
  };
  return Object.fromEntries(MODELS.map((model) => [model.name, judge(model)]));
}
