// What runs of the probe take from the suite, composed once for all targets.

import { catalogWith, PROBE, SMOKE_CLAUSES, turnsOf } from '../../suites/plan/smoke.ts';
import type { ClauseId } from '../clause/clause.ts';
import { isOwnClause } from '../clause/clause-ids.ts';
import { type Patterns, selectClauses } from '../judge/selection.ts';
import type { OwnClause } from '../oracle/own.ts';
import type { Clause } from '../oracle/rule.ts';
import { oncePer, oncePerObject } from '../wire/once.ts';
import type { TurnPlan } from './turn-state.ts';

const EVERY_RUN = new Set<ClauseId>(SMOKE_CLAUSES);

/** Whether the requests of every run reach a verdict on a clause; the rules of clauses from outside judge any request. */
export const isOfEveryRun = (id: ClauseId): boolean => EVERY_RUN.has(id) || isOwnClause(id);

export type ProbeSuite = {
  /** Clauses from outside. */
  readonly own: readonly OwnClause[];
  /** The catalog, followed by them. */
  readonly clauses: readonly Clause[];
  /** The clauses that patterns select; undefined for all of them. Throws SelectionError as `selectClauses` does. */
  readonly selected: (patterns: Patterns) => ReadonlySet<ClauseId> | undefined;
  /** What such a target is sent beyond the requests of every run. */
  readonly planOf: (only?: ReadonlySet<ClauseId>) => TurnPlan;
};

export const NO_CLAUSES: readonly OwnClause[] = [];

/** The same suite for the same clauses: each plan has a thousand requests. */
export const suiteWith = oncePerObject((own: readonly OwnClause[]): ProbeSuite => {
  const clauses = catalogWith(own);
  return {
    own,
    clauses,
    selected: oncePer(
      (patterns) => selectClauses(clauses, patterns).clauses,
      ({ only, skip }) => JSON.stringify([only, skip]),
    ),
    planOf: (only) => ({ ...turnsOf({ only, own }), consentsOf: PROBE.consentsOf }),
  };
});
