import { haltInconclusive, pass } from '../../src/clause/halt.ts';
import type { Outcome } from '../../src/clause/outcome.ts';
import { finding, petsOf } from '../../src/expect/expect.ts';
import type { Session } from '../../src/session/session.ts';
import { PET_STATUSES } from '../../src/wire/exchange.ts';
import { firstLists } from '../shared/creations.ts';
import { conclude, settle } from '../shared/judge-rows.ts';
import { askList } from '../shared/list-laws.ts';
import { idsIn, missingFrom } from '../shared/sightings.ts';
import { readBack, showName } from '../shared/stored.ts';

const LARGEST = 100;
const LEAST = 3;

/**
 * A filtered list that is longer than the one without filter and the same limit shows that this has room: what it leaves out to the
 * end of the consistency window, though the filter shows it, is left out for good.
 */
async function judgeAgainstLonger(s: Session): Promise<Outcome> {
  const filtered = await s.all(PET_STATUSES, (status) => askList(s, { status, limit: LARGEST }));
  const longest = filtered.toSorted((one, other) => idsIn(other).size - idsIn(one).size)[0];
  if (longest === undefined) haltInconclusive('no filtered list was asked for');
  const shown = petsOf(longest);
  const whole = await s.poll(
    () => s.api.list({ limit: LARGEST }),
    (list) => missingFrom(list, shown).length < shown.length || idsIn(list).size >= shown.length,
  );
  const left = missingFrom(whole, shown).filter(({ id }) => s.knowledge.created.has(String(id)));
  if (petsOf(whole).length >= shown.length || left.length < LEAST)
    haltInconclusive('the pages are full: none of the first animals is on them');
  return conclude(
    [
      {
        findings: [
          finding([longest, whole], {
            summary: `${left.length} animals that the list with status=${longest.request.intent.status} shows are left out of the one without, which is shorter`,
            wanted: [`as many animals as the ${shown.length} with that status`],
            came: `${idsIn(whole).size} animals`,
          }),
        ],
        halted: undefined,
      },
    ],
    '',
  );
}

/**
 * What the largest list held at the end of the run it had room for at the beginning: animals that were created then, that it did not
 * show to the end of the consistency window while it showed others of them, and that are there, were left out.
 */
export async function judgeRoomOfFirst(s: Session): Promise<Outcome> {
  const { known, lists } = await firstLists(s);
  const animals = known.map(({ pet, sent, exchange }) => ({ id: pet.id, sent, exchange }));
  const first = lists.find(({ request }) => request.intent.limit === LARGEST);
  if (first === undefined) haltInconclusive('the largest list was not asked for');
  const missing = missingFrom(first, animals);
  if (missing.length === 0) return pass(`${animals.length} animals, all in a list of ${petsOf(first).length}`);
  if (missing.length === animals.length) return judgeAgainstLonger(s);
  const last = await askList(s, { limit: LARGEST });
  if (petsOf(last).length <= petsOf(first).length) haltInconclusive('the page never had room for more');
  const settled = await s.all(missing, ({ id, sent, exchange }) =>
    settle(async () => {
      const { pet, exchange: read } = await readBack(s, id);
      if (pet === undefined) haltInconclusive(`animal ${id} is not found either`);
      return finding([exchange, first, read, last], {
        summary: `animal ${id} (${showName(sent.name)}) was created and is left out of the list with limit=${LARGEST}, which held ${idsIn(first).size} animals then and ${idsIn(last).size} later`,
        wanted: [`animal ${id} within the consistency window`],
        came: `${idsIn(first).size} other animals`,
      });
    }),
  );
  return conclude(settled, '');
}
