import type { Peer } from './peer.ts';
import { runs } from './run/peer.ts';

/** Every program that is compared, ourselves first. */
export const peers: readonly Peer[] = [...runs];
