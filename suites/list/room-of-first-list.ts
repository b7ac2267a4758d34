import { haltInconclusive, pass } from '../../src/clause/halt.ts';
import type { Outcome } from '../../src/clause/outcome.ts';
import { finding, petsOf } from '../../src/expect/expect.ts';
import type { NewPetInput } from '../../src/schema/pet.ts';
import type { Session } from '../../src/session/session.ts';
import type { Exchange } from '../../src/wire/exchange.ts';
import { firstLists } from '../judging/creations/creations.ts';
import { readBack, showName } from '../judging/creations/read-back.ts';
import { conclude, settle } from '../judging/judge-rows.ts';
import { idsIn, missingFrom } from '../judging/lists/list-contents.ts';
import { askList } from '../judging/lists/list-queries.ts';

const LARGEST = 100;
const LEAST = 3;

type First = { readonly id: bigint; readonly sent: NewPetInput; readonly exchange: Exchange };

/**
 * Whether the status that was sent, or that none was, tells exactly which animals are missing. A page may be cut in any way, so that
 * some animals come on a later one: but hardly between these and all others.
 */
function isByStatus(animals: readonly First[], missing: readonly First[]): boolean {
  const absent = new Set(missing);
  const statuses = new Set(missing.map(({ sent }) => sent.status));
  const others = animals.filter((animal) => !absent.has(animal));
  return statuses.size === 1 && others.length >= LEAST && others.every(({ sent }) => !statuses.has(sent.status));
}

/**
 * What the largest list held at the end of the run it had room for at the beginning: the animals of one status, or without one, that were
 * created then, that it did not show to the end of the consistency window while it showed all others of them, and that are there, were left out.
 */
export async function judgeRoomOfFirst(s: Session): Promise<Outcome> {
  const { known, lists } = await firstLists(s);
  const animals: readonly First[] = known.map(({ pet, sent, exchange }) => ({ id: pet.id, sent, exchange }));
  const first = lists.find(({ request }) => request.intent.limit === LARGEST);
  if (first === undefined) haltInconclusive('the largest list was not asked for', 'circumstance');
  const missing = missingFrom(first, animals);
  if (missing.length === 0) return pass(`${animals.length} animals, all in a list of ${petsOf(first).length}`);
  if (!isByStatus(animals, missing)) haltInconclusive('the pages may be full: what is missing may be on a later one', 'circumstance');
  const last = await askList(s, { limit: LARGEST });
  if (petsOf(last).length <= petsOf(first).length) haltInconclusive('the page never had room for more', 'circumstance');
  const settled = await s.all(missing, ({ id, sent, exchange }) =>
    settle(async () => {
      const { pet, exchange: read } = await readBack(s, id);
      if (pet === undefined) haltInconclusive(`animal ${id} is not found either`, 'list.complete');
      return finding([exchange, first, read, last], {
        summary: `animal ${id} (${showName(sent.name)}) was created and is left out of the list with limit=${LARGEST}, which held ${idsIn(first).size} animals then and ${idsIn(last).size} later`,
        expected: [`animal ${id} within the consistency window`],
        received: `${idsIn(first).size} other animals`,
      });
    }),
  );
  return conclude(settled, '');
}
