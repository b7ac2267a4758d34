import type { History } from './history.ts';

/** No history at all: the page shows the present only. */
export const NO_HISTORY: History = {
  add: () => undefined,
  flush: () => undefined,
  prune: () => undefined,
  slices: () => new Map(),
  available: () => true,
  close: () => undefined,
};
