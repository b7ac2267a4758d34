import { BEHAVIOR_VERSION, type Behavior } from '../../report/behavior.ts';
import type { Fact } from './settle-fact.ts';

const DAY = 86_400_000;

/** Midnight in UTC before a moment. */
export function dayOf(at: number): number {
  return Math.floor(at / DAY) * DAY;
}

/** The choices of a target where the document is silent, in the form of behavior.json; without what differs from run to run. */
export function observationsOf(facts: ReadonlyMap<string, Fact>): Behavior['observations'] {
  const kept = [...facts].flatMap(([key, { value }]) => {
    const [kind, clause = '', ...question] = key.split(' ');
    return kind === 'behavior' ? [{ clause, question: question.join(' '), value }] : [];
  });
  const nameOf = ({ clause, question }: (typeof kept)[number]): string => `${clause} ${question}`;
  const sorted = kept.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  const clauses = Map.groupBy(sorted, ({ clause }) => clause);
  return Object.fromEntries(
    [...clauses].map(([clause, rows]) => [clause, Object.fromEntries(rows.map(({ question, value }) => [question, value]))]),
  );
}

/** A behavior.json of one day: input for `compare` and `run --baseline`. */
export function behaviorOfDay(
  observations: Behavior['observations'],
  of: { readonly target: string; readonly day: number; readonly version: string },
): Behavior {
  return {
    kind: 'behavior',
    version: BEHAVIOR_VERSION,
    clauses: Object.fromEntries(Object.keys(observations).map((clause) => [clause, { level: 'open', verdict: 'observed' }])),
    observations,
    statuses: {},
    headers: {},
    members: {},
    run: { target: of.target, startedAt: new Date(of.day).toISOString(), toolVersion: of.version, latency: {} },
  };
}
