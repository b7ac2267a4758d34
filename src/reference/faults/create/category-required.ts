import { faultsOf, needing, WRITES } from '../fault.ts';
import { fillIn, inAnyLetterCase, keptAsSent, lenientCategory, rebind, rejectedWith } from '../helpers/creations.ts';
import { header } from '../helpers/requests.ts';

/** Missing categories that are accepted, or rejected with a status other than 400. */
export const createCategoryRequired = faultsOf(needing(WRITES, 'create.category-required'), {
  'missing-category-left-out': [
    'A body without categoryId is accepted, and the animal is stored and shown without one.',
    keptAsSent('categoryId', (value) => value === undefined),
  ],
  'category-in-snake-case-accepted': [
    'The mapper accepts category_id in place of categoryId.',
    rebind((body) => ('category_id' in body && !('categoryId' in body) ? { ...body, categoryId: body['category_id'] ?? null } : body)),
  ],
  'category-in-any-letter-case-accepted': [
    'categoryid and CategoryID are accepted in place of categoryId.',
    rebind((body) => inAnyLetterCase(body, 'categoryId')),
  ],
  'missing-category-from-cookie': [
    'Parameters are read from query string, body and cookies: the categoryId cookie stands in for a missing one.',
    fillIn('categoryId', (call) => /(?:^|; )categoryId=(-?\d+)/.exec(header(call, 'cookie'))?.[1]),
  ],
  'missing-category-accepted': [
    'A body without categoryId creates an animal in category 0.',
    lenientCategory((value) => (value === undefined ? 0n : undefined)),
  ],
  'missing-category-becomes-one': [
    'A body without categoryId gets the default category 1.',
    lenientCategory((value) => (value === undefined ? 1n : undefined)),
  ],
  'null-category-accepted': [
    'categoryId null creates an animal in category 0.',
    lenientCategory((value) => (value === null ? 0n : undefined)),
  ],
  'bad-category-not-found': ['A bad categoryId returns 404: category not found.', rejectedWith('readCategory', 404)],
});
