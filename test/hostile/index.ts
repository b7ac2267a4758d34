import type { Attack } from './attack.ts';
import { bodies } from './attacks/bodies.ts';
import { codings } from './attacks/codings.ts';
import { connections } from './attacks/connections.ts';
import { framing } from './attacks/framing.ts';
import { network } from './attacks/network.ts';
import { silence } from './attacks/silence.ts';
import { statuses } from './attacks/statuses.ts';

/** Every attack, in the order of the table. */
export const attacks: readonly Attack[] = [...silence, ...codings, ...framing, ...bodies, ...statuses, ...connections, ...network];
