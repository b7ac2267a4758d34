import { haltInconclusive } from '../../src/clause/halt.ts';
import type { Finding, Outcome } from '../../src/clause/outcome.ts';
import { mayBeRemoved } from '../../src/clause/removal.ts';
import { answerOf, describeRequest, finding, petOf, petsOf, statusOf } from '../../src/expect/expect.ts';
import type { PetView } from '../../src/schema/pet.ts';
import type { Session } from '../../src/session/session.ts';
import { type Exchange, PET_STATUSES, type PetStatus } from '../../src/wire/exchange.ts';
import { defineClause } from '../define.ts';
import { allMade, oneOfEachStatus } from '../judging/creations/creations.ts';
import { conclude, settle } from '../judging/judge-rows.ts';
import { hasRoom, missingFrom, pollList } from '../judging/lists/list-contents.ts';
import { judgeable } from '../judging/ownership.ts';

type Read = { readonly pet: PetView; readonly exchange: Exchange | undefined };

/** The animal as getPet shows it; as a list showed it once getPet may be gone; undefined when it can't be read. */
function readOf(s: Session, pet: PetView, exchange: Exchange): Read | undefined {
  if (statusOf(exchange) === 200) return { pet: petOf(exchange), exchange };
  return mayBeRemoved(s.options.now) ? { pet, exchange: undefined } : undefined;
}

/** Judges one animal: a finding, or whether the list with its status shows it. */
async function findByStatus(s: Session, listed: PetView): Promise<Finding | 'found' | 'cut'> {
  const read = readOf(s, listed, await s.fixtures.firstRead(listed.id));
  const status = read?.pet.status;
  if (read === undefined || status === undefined || read.pet.id !== listed.id) return 'cut';
  const first = judgeable(await s.fixtures.firstFiltered(status));
  if (missingFrom(first, [listed]).length === 0 && petsOf(first).length > 0) return 'found';
  const list = await pollList(s, { status, limit: 100 }, [listed]);
  if (missingFrom(list, [listed]).length === 0) return 'found';
  if (!hasRoom(list)) return 'cut';
  // Its status may have changed meanwhile, by an order.
  const again = readOf(s, listed, await s.api.get(listed.id));
  if (again?.pet.status !== status) return 'cut';
  const evidence: readonly [Exchange, ...Exchange[]] = read.exchange === undefined ? [list] : [read.exchange, list];
  return finding(evidence, {
    summary: `animal ${listed.id} is ${status} in getPet and not among the ${petsOf(list).length} animals of ${describeRequest(list)}`,
    expected: [`a list that shows animal ${listed.id}`],
    received: `${answerOf(list).status} with ${petsOf(list).length} animals`,
  });
}

/** One listed animal of each status that the lists show: an empty list proves nothing. */
function oneOfEach(pets: readonly PetView[]): readonly PetView[] {
  const first = (status: PetStatus): PetView | undefined => pets.find((pet) => pet.status === status);
  return PET_STATUSES.map(first).filter((pet) => pet !== undefined);
}

async function findAll(s: Session, pets: readonly PetView[]): Promise<Outcome> {
  if (pets.length === 0) haltInconclusive('no animal with a status is known', 'circumstance');
  let found = 0;
  const rows = await s.all(pets, (pet) =>
    settle(async () => {
      const said = await findByStatus(s, pet);
      if (said === 'found') found += 1;
      return typeof said === 'string' ? undefined : said;
    }),
  );
  const outcome = conclude(rows, `${found} animals, each found by its status`);
  if (outcome.kind === 'pass' && found === 0)
    haltInconclusive('lists with a status are cut before the animals that were looked for, and paging is not shown', 'circumstance');
  return outcome;
}

export const replacement = defineClause({
  id: 'deprecation.replacement',
  chapter: 'deprecation',
  section: 'Endpoints: 3. Get an animal (deprecated)',
  level: 'required',
  requirement: 'The replacement of getPet, the list with the status filter, finds the animal that getPet finds.',
  likelyCause:
    'The filter compares something else than the status that is shown, or lags behind it: clients that move to it would lose animals.',
  checks: [
    {
      id: 'by-status',
      title: 'An animal of each status is found in the list with its status',
      step: 'read',
      smoke: true,
      fault: 'filter-pending-gives-sold',
      run: async (s) => findAll(s, oneOfEach((await s.fixtures.admitted()).pets)),
    },
    {
      id: 'created',
      title: 'A created animal of each status is found in the list with its status',
      step: 'write',
      effect: 'write',
      fault: 'filter-index-not-updated',
      run: async (s) => {
        await s.fixtures.recognized();
        return findAll(s, oneOfEach(allMade(await oneOfEachStatus(s)).map(({ pet }) => pet)));
      },
    },
  ],
});
