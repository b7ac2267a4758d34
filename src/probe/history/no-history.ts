import { type History, NO_COUNTS, NO_RUNS } from './history.ts';

/** No history at all: the page only shows the present. */
export const NO_HISTORY: History = {
  add: () => undefined,
  keepTurns: () => undefined,
  turns: () => new Map(),
  keepFact: () => undefined,
  keepChange: () => undefined,
  keepChangesAnew: () => undefined,
  keepBehavior: () => undefined,
  keepIncident: () => undefined,
  incidents: () => [],
  incident: () => undefined,
  facts: () => new Map(),
  changes: () => [],
  behavior: () => undefined,
  flush: () => undefined,
  prune: () => undefined,
  slices: () => [],
  counts: () => NO_COUNTS,
  runs: () => NO_RUNS,
  available: () => true,
  onSetAside: () => undefined,
  close: () => undefined,
};
