import type { Session } from '../../../src/session/session.ts';
import { ignoringHalts } from '../ignoring-halts.ts';
import { firstLists } from './first-lists.ts';

/** Waits until the lists have been searched for the first animals, whatever the result. */
export async function afterFirstLists(s: Session): Promise<void> {
  await ignoringHalts(() => firstLists(s));
}
