// What a run takes from the suite: its clauses, and what it sends for those that are selected.

import { AGAIN } from '../../suites/plan/again.ts';
import { suiteWith } from '../../suites/plan/index.ts';
import { WORDING } from '../../suites/plan/narrowing.ts';
import type { JudgingJob } from '../judge/judging.ts';
import { selectClauses } from '../judge/selection.ts';
import type { OwnClause } from '../oracle/own.ts';
import type { Clause } from '../oracle/rule.ts';
import type { Job, Listing } from './messages.ts';

export type PlannedRun = {
  readonly run: JudgingJob;
  readonly listing: Listing;
  /** In the order of the document. */
  readonly selected: readonly Clause[];
};

type Asked = Pick<Job, 'session' | 'only' | 'skip' | 'endsBy'> & { readonly own: readonly OwnClause[] };

/** Throws SelectionError when nothing is selected, OwnClauseError for clauses that can't be judged together. */
export function planRun({ session, own, endsBy, ...patterns }: Asked): PlannedRun {
  const suite = suiteWith(own, session);
  const { clauses: only, notices } = selectClauses(suite.clauses, patterns);
  return {
    run: {
      ...{ ...suite, options: session, wording: WORDING, again: AGAIN },
      ...(only === undefined ? {} : { only }),
      ...(endsBy === undefined ? {} : { deadline: Math.max(1, endsBy - Date.now()) }),
    },
    listing: { registry: suite.clauses.map(({ id, since }) => (since === undefined ? { id } : { id, since })), selection: notices },
    selected: only === undefined ? suite.clauses : suite.clauses.filter(({ id }) => only.has(id)),
  };
}
