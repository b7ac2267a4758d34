import { faults } from '../../../src/reference/faults/index.ts';
import { clauses } from '../../../suites/index.ts';
import type { ReadHistory } from '../recorded/history-file.ts';
import { casesInReadRun } from '../recorded/judge-recorded.ts';

/** The requests by which a recorded server was judged, and those that show a fault. */
export type Shown = {
  readonly name: string;
  /** Requests of the run by what sent them: the id of a kind or check, or `first contact`. */
  readonly requests: Readonly<Record<string, number>>;
  /** For a fault: the stimuli with a request that shows that its clause is broken. */
  readonly stimuli: readonly string[];
  /** For a fault: the rules of its clause that find it, by index. */
  readonly rules: readonly number[];
};

/** Requests that belong to no part: reaching the service, and the closing requests. */
const OUTSIDE = 'outside of parts';

const sorted = <One extends number | string>(all: Iterable<One>): readonly One[] => [...new Set(all)].sort((a, b) => (a < b ? -1 : 1));

/** The whole run of a recorded server, judged by today's rules. */
export function shownBy({ subject, runs: [whole] }: ReadHistory): Shown {
  if (whole === undefined) throw new Error(`${subject.name}: no run was recorded`);
  const { cases, history } = casesInReadRun(whole);
  const requests: Record<string, number> = {};
  for (const { asker = OUTSIDE } of history.events) requests[asker] = (requests[asker] ?? 0) + 1;
  const clause = faults.find(({ name }) => subject.kind === 'fault' && name === subject.name)?.clause;
  const broken = (cases.get(clause ?? 'list.success') ?? []).filter(
    ({ breach, explainedBy }) => clause !== undefined && breach !== undefined && explainedBy === undefined,
  );
  const rules = clauses.find(({ id }) => id === clause)?.rules ?? [];
  return {
    name: subject.name,
    requests,
    stimuli: sorted(broken.flatMap(({ event, others = [] }) => [event, ...others].map(({ asker = OUTSIDE }) => asker))),
    rules: sorted(broken.map(({ rule }) => rules.indexOf(rule))),
  };
}
