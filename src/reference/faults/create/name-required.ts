import { faultsOf, needing, WRITES } from '../fault.ts';
import { fillIn, inAnyLetterCase, invalidBodies, keptAsSent, lenientName, rebind, rejectedWith } from '../helpers/creations.ts';
import { isReplyTo, rewriteIf } from '../helpers/replies.ts';

/** Missing names that are accepted, or rejected with a status other than 400. */
export const createNameRequired = faultsOf(needing(WRITES, 'create.name-required'), {
  'missing-name-left-out': [
    'A body without a name is accepted, and the animal is stored and shown without one.',
    keptAsSent('name', (value) => value === undefined),
  ],
  'refusal-answered-200': [
    'A rejected body returns 200 with an Error body.',
    rewriteIf(isReplyTo('createPet', 400), () => ({ status: 200 })),
  ],
  'invalid-bodies-unprocessable': ['Every invalid body returns 422 instead of 400.', invalidBodies(422)],
  'invalid-bodies-conflict': ['Every invalid body returns 409 instead of 400.', invalidBodies(409)],
  'missing-name-accepted': [
    'A body without name creates an animal with an empty name.',
    lenientName((value) => (value === undefined ? '' : undefined)),
  ],
  'name-in-any-letter-case-accepted': ['Name and NAME are accepted in place of name.', rebind((body) => inAnyLetterCase(body, 'name'))],
  'missing-name-from-query': [
    'The framework merges the query string into the body: ?name=Rex stands in for a missing name.',
    fillIn('name', ({ query }) => query.get('name')),
  ],
  'missing-name-from-header': [
    'The binding looks for names in headers too: X-Name stands in for a missing name.',
    fillIn('name', (call) => call.headers['x-name']),
  ],
  'missing-name-becomes-unnamed': [
    'A body without name creates "Unnamed".',
    lenientName((value) => (value === undefined ? 'Unnamed' : undefined)),
  ],
  'null-name-accepted': ['name null creates an animal with an empty name.', lenientName((value) => (value === null ? '' : undefined))],
  'null-name-becomes-text': ['name null creates an animal called "null".', lenientName((value) => (value === null ? 'null' : undefined))],
  'bad-name-unprocessable': ['A bad name returns 422 instead of 400.', rejectedWith('readName', 422)],
});
