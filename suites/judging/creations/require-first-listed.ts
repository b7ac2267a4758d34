import { haltInconclusive } from '../../../src/clause/halt.ts';
import type { Session } from '../../../src/session/session.ts';
import { hasRoom } from '../lists/has-room.ts';
import { missingFrom } from '../lists/missing-from.ts';
import { firstLists } from './first-lists.ts';

/** Halts as blocked by list.complete when a list with room omits even the first animals, created one after the other. */
export async function requireFirstListed(s: Session): Promise<void> {
  const { known, lists } = await firstLists(s);
  const pets = known.map(({ pet }) => pet);
  if (lists.some((list) => hasRoom(list) && missingFrom(list, pets).length > 0))
    haltInconclusive('the lists omit some of the first animals created', 'list.complete');
}
