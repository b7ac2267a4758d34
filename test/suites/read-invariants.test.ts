import { knowledgeOf, knownAnimal, type Reply, read } from '../exchange-samples.ts';
import { broken, testInvariant } from './judge-invariant.ts';

const REX = { name: 'rex', categoryId: 1, status: 'sold' };
const ok = (body: unknown): Reply => ({ status: 200, body });
const rex = knowledgeOf([knownAnimal(7n, { name: 'rex', categoryId: 1n, status: 'sold' })]);
const WITHOUT_ID = read(7n, ok(REX));
const OF_NOBODY = 'returned 200 for an id that no animal has';

// An id that nobody knows may be that of an animal that no list shows.
testInvariant('get.not-found', [
  ['a 404', read(9n, { status: 404, body: {} }), 'holds', rex],
  ['an animal of its own', read(9n, ok({ ...REX, id: 9 })), 'not-applicable', rex],
  ['an animal of its own in a text that is not JSON', read(9n, { status: 200, text: '{"id": 9,"rating":NaN}' }), 'not-applicable', rex],
  ['another animal in a text that is not JSON', read(9n, { status: 200, text: '{"id":90,"rating":NaN}' }), broken(OF_NOBODY), rex],
  ['an animal without an id where all reads show theirs so', [WITHOUT_ID, read(9n, ok(REX))], 'not-applicable', rex],
  ['an animal without an id where other reads show one', [read(7n, ok({ ...REX, id: 7 })), read(9n, ok(REX))], broken(OF_NOBODY), rex],
  ['an empty object beside animals without an id', [WITHOUT_ID, read(9n, ok({}))], broken(OF_NOBODY), rex],
]);
