import { haltInconclusive, pass } from '../../src/clause/halt.ts';
import type { Outcome } from '../../src/clause/outcome.ts';
import { finding, petsOf } from '../../src/expect/expect.ts';
import type { NewPetInput } from '../../src/schema/pet.ts';
import type { Session } from '../../src/session/session.ts';
import type { Exchange } from '../../src/wire/exchange.ts';
import { firstLists } from '../judging/creations/first-lists.ts';
import { readBack } from '../judging/creations/read-back.ts';
import { showName } from '../judging/creations/show-name.ts';
import { combineRows, judgeRow } from '../judging/judge-rows.ts';
import { askList } from '../judging/lists/ask-list.ts';
import { idsIn } from '../judging/lists/ids-in.ts';
import { missingFrom } from '../judging/lists/missing-from.ts';

const LARGEST = 100;
const LEAST = 3;

type First = { readonly id: bigint; readonly sent: NewPetInput; readonly exchange: Exchange };

/**
 * Whether the status that was sent, or its absence, determines exactly which animals are missing. A page may be cut anywhere, so that
 * some animals are on a later one, but not exactly between these and all others.
 */
function isByStatus(animals: readonly First[], missing: readonly First[]): boolean {
  const absent = new Set(missing);
  const statuses = new Set(missing.map(({ sent }) => sent.status));
  const others = animals.filter((animal) => !absent.has(animal));
  return statuses.size === 1 && others.length >= LEAST && others.every(({ sent }) => !statuses.has(sent.status));
}

/**
 * The largest list had room at the start of the run for what it shows at the end. So the animals of one status, or without one, that were
 * created at the start, and that it omitted throughout the consistency window while it showed all the others, were wrongly omitted.
 */
export async function judgeRoomOfFirst(s: Session): Promise<Outcome> {
  const { known, lists } = await firstLists(s);
  const animals: readonly First[] = known.map(({ pet, sent, exchange }) => ({ id: pet.id, sent, exchange }));
  const first = lists.find(({ request }) => request.intent.limit === LARGEST);
  if (first === undefined) haltInconclusive('the largest list was not requested', 'circumstance');
  const missing = missingFrom(first, animals);
  if (missing.length === 0) return pass(`${animals.length} animals, all of them in a list of ${petsOf(first).length}`);
  if (!isByStatus(animals, missing))
    haltInconclusive('the pages may be full, so the missing animals may be on a later one', 'circumstance');
  const last = await askList(s, { limit: LARGEST });
  if (petsOf(last).length <= petsOf(first).length) haltInconclusive('the page never showed more animals', 'circumstance');
  const judged = await s.all(missing, ({ id, sent, exchange }) =>
    judgeRow(async () => {
      const { pet, exchange: read } = await readBack(s, id);
      if (pet === undefined) haltInconclusive(`animal ${id} can't be read either`, 'list.complete');
      return finding([exchange, first, read, last], {
        summary: `animal ${id} (${showName(sent.name)}) was created, but GET /pets?limit=${LARGEST} omitted it while showing ${idsIn(first).size} animals, and showed ${idsIn(last).size} later`,
        expected: [`animal ${id} within the consistency window`],
        received: `${idsIn(first).size} other animals`,
      });
    }),
  );
  return combineRows(judged, '');
}
