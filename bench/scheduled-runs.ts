import type { CheckId } from '../src/clause/clause.ts';
import { createRotation } from '../src/probe/rotation/rotation.ts';
import { createSmoke } from '../src/probe/smoke.ts';
import { type ReferenceOptions, startReference } from '../src/reference/server.ts';
import { clauses } from '../suites/index.ts';
import { probeClauses } from '../suites/probe.ts';
import { memoryHistory } from '../test/probe/samples.ts';
import { judgeReference, KEY } from '../test/prove/judge-reference.ts';
import type { settingOf } from '../test/prove/result.ts';

/** What scheduled runs on one target may do. */
export type ScheduledRuns = { readonly runs: number; readonly budget: number; readonly nearMisses: boolean };

export type Server = Omit<ReferenceOptions, 'apiKey'>;

export const binding = new Set<string>(clauses.filter(({ level }) => level === 'required' || level === 'implied').map(({ id }) => id));
const isBinding = (check: string): boolean => binding.has(check.split('/')[0] ?? '');

/** The binding checks that a read-only run of the gate fails. */
export async function failedByGate({ server, session }: ReturnType<typeof settingOf>): Promise<readonly CheckId[]> {
  const { records } = await judgeReference(server, { session: { ...session, readOnly: true, intrusive: false } });
  return records.filter(({ verdict, id }) => verdict === 'fail' && isBinding(id)).map(({ id }) => id);
}

/** The first run, counted from 1, that fails; undefined if none does until all kinds of a day have had their turns. */
export async function firstFailingRun(
  server: Server,
  now: Date | undefined,
  { runs, budget, nearMisses }: ScheduledRuns,
): Promise<number | undefined> {
  const reference = await startReference({ ...server, apiKey: KEY });
  const rotation = createRotation({ clauses, history: memoryHistory(), wall: () => Date.now() });
  const target = { name: 'bench', baseUrl: reference.baseUrl, apiKey: () => KEY, rotation: { budget, nearMisses } };
  try {
    for (let run = 1; run <= runs; run += 1) {
      const judge = createSmoke(target, {
        clauses: probeClauses,
        version: 'bench',
        rotation: rotation.of(target),
        ...(now === undefined ? {} : { now: () => now }),
      });
      const { sample } = await judge.run();
      rotation.keep(sample);
      // Without a response no clause fails, but the run does.
      if (sample.verdict === 'fail' || sample.failures.some(({ clause }) => binding.has(clause))) return run;
      const { of, passed, notApplicable } = rotation.coverage(target);
      if (budget > 0 && of === passed + notApplicable) return undefined;
    }
    return undefined;
  } finally {
    await reference.close();
  }
}
