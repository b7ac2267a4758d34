import { integerLiteral } from '../core/json.ts';
import type { Parts, Place } from '../core/parts.ts';
import type { Pet, Status } from '../core/pet.ts';
import { type Fault, fault, few } from './fault.ts';
import { every } from './helpers.ts';

const agrees = 'get.agrees-with-list';
const same = 'record.same-animal';

/** Shows another animal at one place. */
function shownIn(place: Place, change: (pet: Pet) => Pet): (parts: Parts) => Partial<Parts> {
  return (parts) => ({ petRecord: (pet, at) => parts.petRecord(at === place ? change(pet) : pet, at) });
}

const nextStatus: Record<Status, Status> = { available: 'pending', pending: 'sold', sold: 'available' };

/** Two views of one animal that differ. */
export const agreementFaults: readonly Fault[] = [
  fault(
    'get-name-lower-case',
    agrees,
    'getPet shows the search key, the list the name.',
    shownIn('get', (pet) => ({ ...pet, name: pet.name.toLowerCase() })),
    few,
  ),
  fault(
    'get-status-stale',
    agrees,
    'getPet shows available where the list shows the status.',
    shownIn('get', (pet) => ({ ...pet, status: 'available' })),
    few,
  ),
  fault(
    'get-without-status',
    agrees,
    'getPet leaves the status out, the list shows it.',
    shownIn('get', (pet) => ({ ...pet, status: undefined })),
    few,
  ),
  fault(
    'get-category-other',
    agrees,
    'getPet shows the parent category.',
    shownIn('get', (pet) => ({ ...pet, categoryId: pet.categoryId * 100n })),
    few,
  ),
  fault(
    'list-name-shortened',
    agrees,
    'The list shows names of more than four letters with dots.',
    shownIn('list', (pet) => (pet.name.length > 4 ? { ...pet, name: `${pet.name.slice(0, 3)}...` } : pet)),
    few,
  ),
  fault(
    'list-without-status',
    agrees,
    'The list leaves the status out, getPet shows it.',
    shownIn('list', (pet) => ({ ...pet, status: undefined })),
    few,
  ),
  fault(
    'list-category-zero',
    agrees,
    'The list shows categoryId 0: the relation is not joined.',
    shownIn('list', (pet) => ({ ...pet, categoryId: 0n })),
    few,
  ),
  fault(
    'list-status-stale',
    agrees,
    'The list shows pending where getPet shows sold.',
    shownIn('list', (pet) => ({ ...pet, status: pet.status === 'sold' ? 'pending' : pet.status })),
    few,
  ),
  fault(
    'list-shows-row-numbers',
    agrees,
    'The list shows row numbers as ids: getPet does not find them.',
    shownIn('list', (pet) => ({ ...pet, id: pet.id + 500_000n })),
    few,
  ),
  fault(
    'list-ids-in-doubles',
    agrees,
    'Ids are snowflakes, exact in getPet, and doubles in the list.',
    (parts) => ({
      assignId: (store, body) => 2n ** 60n + parts.assignId(store, body),
      petRecord: (pet, place) =>
        place === 'list' ? { ...parts.petRecord(pet, place), id: integerLiteral(BigInt(Number(pet.id))) } : parts.petRecord(pet, place),
    }),
    few,
  ),
  fault(
    'filtered-list-shows-asked-status',
    same,
    'A list with a filter is not filtered but shows the asked status in each animal.',
    (parts) => ({
      listPets: (context) => {
        const asked = parts.parseStatus(context.call.query.getAll('status'));
        if (typeof asked !== 'string') return parts.listPets(context);
        const petRecord: Parts['petRecord'] = (pet, place) => parts.petRecord({ ...pet, status: asked }, place);
        return parts.listPets({ ...context, parts: { ...context.parts, matches: () => true, petRecord } });
      },
    }),
    few,
  ),
  fault(
    'list-rows-shifted-now-and-then',
    same,
    'Every fourth list has the names shifted by one row.',
    (parts) => {
      const shifts = every(4);
      return {
        page: (animals, query, call) => {
          const shown = parts.page(animals, query, call);
          return shifts() ? shown.map((pet, index) => ({ ...pet, name: (shown[index + 1] ?? shown[0] ?? pet).name })) : shown;
        },
      };
    },
    few,
  ),
  fault(
    'list-statuses-rotate-now-and-then',
    same,
    'Every fourth list without filter shows the statuses of a former release.',
    (parts) => {
      const old = every(4);
      return {
        page: (animals, query, call) => {
          const shown = parts.page(animals, query, call);
          return query.status === undefined && old()
            ? shown.map((pet) => ({ ...pet, status: pet.status && nextStatus[pet.status] }))
            : shown;
        },
      };
    },
    few,
  ),
];
