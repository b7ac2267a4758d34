// How much a run sends.

import type { SessionOptions } from '../session/session.ts';

export type Extent = Pick<SessionOptions, 'depth' | 'readOnly'>;

type EachDepth = Readonly<Record<SessionOptions['depth'], number>>;
/** Requests to a conforming server with a few animals. */
const ALL: EachDepth = { quick: 394, standard: 1_790, thorough: 2_540 };
const READS: EachDepth = { quick: 400, standard: 976, thorough: 1_296 };

/** About how many requests a whole run sends. */
export const plannedRequests = ({ depth, readOnly }: Extent): number => (readOnly ? READS : ALL)[depth];
