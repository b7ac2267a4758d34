import { isObject } from '../../core/json.ts';
import type { Parts } from '../../core/parts.ts';
import type { Status } from '../../core/pet.ts';
import { withParts } from '../../core/with-parts.ts';
import { FEW, faultsOf, WRITES } from '../fault.ts';
import { onEveryNth } from '../helpers/counters.ts';
import { storePetSilently } from '../helpers/creations.ts';

const NEXT_STATUS: Record<Status, Status> = { available: 'pending', pending: 'sold', sold: 'available' };

/** Views of an animal that contradict each other. */
export const recordSameAnimal = faultsOf('record.same-animal', {
  'filtered-list-shows-asked-status': [
    'A filtered list is not filtered but shows the requested status in each animal.',
    (parts) => ({
      listPets: (context) => {
        const asked = parts.parseStatus(context.call.query.getAll('status'));
        if (typeof asked !== 'string') return parts.listPets(context);
        const petRecord: Parts['petRecord'] = (pet, place) => parts.petRecord({ ...pet, status: asked }, place);
        return parts.listPets(withParts(context, { matches: () => true, petRecord }));
      },
    }),
    FEW,
  ],
  'list-rows-shifted-now-and-then': [
    'Every fourth list has the names shifted by one row.',
    onEveryNth(4, (isTurn) => (parts) => ({
      page: (animals, query, call) => {
        const shown = parts.page(animals, query, call);
        return isTurn() ? shown.map((pet, index) => ({ ...pet, name: (shown[index + 1] ?? shown[0] ?? pet).name })) : shown;
      },
    })),
    FEW,
  ],
  'list-statuses-rotate-now-and-then': [
    'Every fourth unfiltered list shows the statuses of an earlier release.',
    onEveryNth(4, (isTurn) => (parts) => ({
      page: (animals, query, call) => {
        const shown = parts.page(animals, query, call);
        return query.status === undefined && isTurn()
          ? shown.map((pet) => ({ ...pet, status: pet.status && NEXT_STATUS[pet.status] }))
          : shown;
      },
    })),
    FEW,
  ],
  'extra-member-loses-status': [
    'A body with more than three members is stored by another code path, which drops the status.',
    (parts) => {
      let many = false;
      return {
        readNewPet: (body, all) => {
          many = isObject(body) && Object.keys(body).length > 3;
          return parts.readNewPet(body, all);
        },
        ...storePetSilently(() => (many ? { status: 'available' } : {}))(parts),
      };
    },
    WRITES,
  ],
});
