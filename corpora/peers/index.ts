import { dredd } from './dredd/peer.ts';
import { hurl } from './hurl/peer.ts';
import { k6 } from './k6/peer.ts';
import type { Peer } from './peer.ts';
import { portman } from './portman/peer.ts';
import { prism } from './prism/peer.ts';
import { respect } from './respect/peer.ts';
import { runs } from './run/peer.ts';
import { schemathesis } from './schemathesis/peer.ts';
import { specmatic } from './specmatic/peer.ts';

/** Every compared program, this one first. */
export const peers: readonly Peer[] = [...runs, schemathesis, specmatic, hurl, k6, portman, respect, prism, dredd];
