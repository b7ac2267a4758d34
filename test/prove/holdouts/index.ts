import { database } from './database.ts';
import type { Holdout } from './holdout.ts';

/** The servers of each author, by the theme that was given. */
export const CORPORA = { database } as const satisfies Readonly<Record<string, readonly Holdout[]>>;

export const holdouts: readonly Holdout[] = Object.values(CORPORA).flat();
