import { haltInconclusive } from '../../src/clause/halt.ts';
import type { Finding, Outcome } from '../../src/clause/outcome.ts';
import { petsOf } from '../../src/expect/expect.ts';
import type { Session } from '../../src/session/session.ts';
import { made } from '../judging/creations/made.ts';
import { send } from '../judging/creations/send.ts';
import { combineRows, type JudgedRow, judgeRow } from '../judging/judge-rows.ts';
import { askList } from '../judging/lists/ask-list.ts';
import { hasRoom } from '../judging/lists/has-room.ts';
import { missingFrom } from '../judging/lists/missing-from.ts';
import { pollList } from '../judging/lists/poll-list.ts';
import { requireSameDefault } from '../judging/lists/same-default.ts';
import { judgeHiddenStatus } from './hidden-status.ts';
import { unlistedFinding } from './unlisted-animal.ts';

const ROUNDS = 3;

/** Creates an animal and requests lists that were requested before: they show it within the consistency window. */
async function judgeNewAnimal(s: Session): Promise<readonly (Finding | undefined)[]> {
  const creation = made(await send(s, await s.fixtures.plain('sold')));
  const animal = { ...creation, id: creation.pet.id };
  const [whole, large, filtered] = await s.all([{}, { limit: 100 }, { status: 'sold' as const }], (parameters) =>
    pollList(s, parameters, [animal]),
  );
  if (whole === undefined || large === undefined || filtered === undefined) return [];
  if (missingFrom(whole, [animal]).length > 0 && hasRoom(whole)) {
    await requireSameDefault(s, whole);
    return [unlistedFinding(animal, whole)];
  }
  // list.filter-complete judges an animal that is shown without the filter but not with it.
  if ([whole, large, filtered].some((list) => missingFrom(list, [animal]).length === 0)) return [];
  if (!hasRoom(filtered)) haltInconclusive("the pages are full, and an animal on a later page can't be seen", 'circumstance');
  const sold = petsOf(large).filter(({ status }) => status === 'sold');
  if (missingFrom(filtered, sold).length > 0) haltInconclusive('status=sold omits other animals too', 'list.filter-complete');
  return [unlistedFinding(animal, filtered)];
}

/** Requests lists and judges whether they show animals created afterwards. */
export async function judgeRequestedBefore(s: Session): Promise<Outcome> {
  await s.all([{}, { status: 'sold' as const }], (parameters) => askList(s, parameters));
  const judged: JudgedRow[] = [];
  for (let round = 0; round < ROUNDS; round += 1) judged.push(await judgeRow(() => judgeNewAnimal(s)));
  judged.push(await judgeRow(() => judgeHiddenStatus(s)));
  return combineRows(judged, `${ROUNDS} animals, each created after the list had been requested, are listed`);
}
