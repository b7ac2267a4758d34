import type { Attack } from './attack.ts';
import { bodies } from './attacks/bodies.ts';
import { codings } from './attacks/codings.ts';
import { connections } from './attacks/connections.ts';
import { echoes } from './attacks/echoes.ts';
import { elsewhere } from './attacks/elsewhere.ts';
import { framing } from './attacks/framing.ts';
import { growth } from './attacks/growth.ts';
import { network } from './attacks/network.ts';
import { silence } from './attacks/silence.ts';
import { statuses } from './attacks/statuses.ts';
import { words } from './attacks/words.ts';

/** Every attack, in the order of the table. */
export const attacks: readonly Attack[] = [
  ...silence,
  ...codings,
  ...framing,
  ...bodies,
  ...statuses,
  ...connections,
  ...network,
  ...echoes,
  ...words,
  ...elsewhere,
  ...growth,
];
