import { haltInconclusive } from '../../src/clause/halt.ts';
import type { Finding, Outcome } from '../../src/clause/outcome.ts';
import { mayBeRemoved } from '../../src/clause/removal.ts';
import { answerOf, describeRequest, finding, petOf, petsOf, statusOf } from '../../src/expect/expect.ts';
import { judgeable } from '../../src/expect/judgeable.ts';
import type { PetView } from '../../src/schema/pet.ts';
import type { Session } from '../../src/session/session.ts';
import { type Exchange, PET_STATUSES, type PetStatus } from '../../src/wire/exchange.ts';
import { defineClause } from '../define.ts';
import { firstLists } from '../judging/creations/first-lists.ts';
import { combineRows, judgeRow } from '../judging/judge-rows.ts';
import { hasRoom } from '../judging/lists/has-room.ts';
import { leftOutOf } from '../judging/lists/left-out-of.ts';
import { missingFrom } from '../judging/lists/missing-from.ts';
import { pollList } from '../judging/lists/poll-list.ts';

type Read = { readonly pet: PetView; readonly exchange: Exchange | undefined };

/** The animal as getPet shows it; as a list showed it once getPet may be gone; undefined when it can't be read. */
function readOf(s: Session, pet: PetView, exchange: Exchange): Read | undefined {
  if (statusOf(exchange) === 200) return { pet: petOf(exchange), exchange };
  return mayBeRemoved(s.options.now) ? { pet, exchange: undefined } : undefined;
}

/** Judges one animal: a finding, or whether the list with its status shows it. Unfiltered lists that omit it are for list.complete. */
async function findByStatus(s: Session, listed: PetView, unfiltered: readonly Exchange[]): Promise<Finding | 'found' | 'cut'> {
  const read = readOf(s, listed, await s.fixtures.firstRead(listed.id));
  const status = read?.pet.status;
  if (read === undefined || status === undefined || read.pet.id !== listed.id) return 'cut';
  const first = judgeable(await s.fixtures.firstFiltered(status));
  if (missingFrom(first, [listed]).length === 0 && petsOf(first).length > 0) return 'found';
  const list = await pollList(s, { status, limit: 100 }, [listed]);
  if (leftOutOf(list, [listed]).length === 0) return 'found';
  if (!hasRoom(list)) return 'cut';
  // An order may have changed its status in the meantime.
  const again = readOf(s, listed, await s.api.get(listed.id));
  if (again?.pet.status !== status) return 'cut';
  const lists = [...unfiltered, await s.api.list({ limit: 100 })];
  if (lists.some((whole) => hasRoom(whole) && missingFrom(whole, [listed]).length > 0))
    haltInconclusive(`unfiltered lists omit animal ${listed.id} too`, 'list.complete');
  const evidence: readonly [Exchange, ...Exchange[]] = read.exchange === undefined ? [list] : [read.exchange, list];
  return finding(evidence, {
    summary: `getPet shows animal ${listed.id} as ${status}, but ${describeRequest(list)} returned ${petsOf(list).length} animals without it`,
    expected: [`a list that shows animal ${listed.id}`],
    received: `${answerOf(list).status} with ${petsOf(list).length} animals`,
  });
}

/** One listed animal of each status that the lists show: an empty list proves nothing. */
function oneOfEach(pets: readonly PetView[]): readonly PetView[] {
  const first = (status: PetStatus): PetView | undefined => pets.find((pet) => pet.status === status);
  return PET_STATUSES.map(first).filter((pet) => pet !== undefined);
}

async function findAll(s: Session, pets: readonly PetView[], unfiltered: readonly Exchange[] = []): Promise<Outcome> {
  if (pets.length === 0) haltInconclusive('the lists show no animal with a status', 'circumstance');
  let found = 0;
  const rows = await s.all(pets, (pet) =>
    judgeRow(async () => {
      const said = await findByStatus(s, pet, unfiltered);
      if (said === 'found') found += 1;
      return typeof said === 'string' ? undefined : said;
    }),
  );
  const outcome = combineRows(rows, `${found} animals found through the filter for their status`);
  if (outcome.kind === 'pass' && found === 0)
    haltInconclusive(
      'the filtered lists are full before the animals in question, and the document does not show how to ask for later pages',
      'circumstance',
    );
  return outcome;
}

export const replacement = defineClause({
  id: 'deprecation.replacement',
  chapter: 'deprecation',
  section: 'Endpoints: 3. Get an animal (deprecated)',
  quote: ['The replacement is `GET /pets` with the `status` filter.'],
  level: 'required',
  requirement: 'The replacement for getPet, the list with the status filter, finds the animals that getPet finds.',
  likelyCause: 'The filter uses a different source than the status shown, or updates later. Clients that migrate to it would lose animals.',
  checks: [
    {
      id: 'by-status',
      title: 'The status filter finds an animal of each status',
      step: 'read',
      given: ['petList', 'read'],
      smoke: true,
      fault: 'filter-pending-gives-sold',
      run: (s, { petList: { pets } }) => findAll(s, oneOfEach(pets)),
    },
    {
      id: 'created',
      title: 'The status filter finds a newly created animal of each status',
      step: 'first-page',
      given: ['pets', 'read'],
      effect: 'write',
      fault: 'filter-index-not-updated',
      run: async (s) => {
        const { animals, lists } = await firstLists(s);
        return findAll(s, oneOfEach(animals.map(({ pet }) => pet)), lists);
      },
    },
  ],
});
