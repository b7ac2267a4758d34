import { NO_HEADER } from '../../suites/cases/credentials.ts';
import { knowledgeOf, knownAnimal, listed, posted, type Reply, read } from '../exchange-samples.ts';
import { broken, testInvariant } from './judge-invariant.ts';

const NEW = { name: 'rex', categoryId: 1n };
const open = { domain: 'open' } as const;
const made = (changes: object = {}, status = 201): Reply => ({ status, body: { id: 7, ...NEW, ...changes } });
const list = (...pets: object[]): Reply => ({ status: 200, body: pets });

testInvariant('create.success/no-other-success', [
  ['a 201', posted(NEW, made(), open), 'holds'],
  ['a 200', posted(NEW, made({}, 200), open), broken('returned 200; the only success status is 201')],
  ['a 202 without a body', posted(NEW, { status: 202, text: '' }, open), broken('202')],
  ['a refusal', posted(NEW, { status: 409, body: {} }, open), 'not-applicable'],
  ['no answer', posted(NEW, 'timeout', open), 'not-applicable'],
  ['another credential', posted(NEW, made({}, 200), { ...open, credential: NO_HEADER }), 'not-applicable'],
  ['a list', listed({}, list()), 'not-applicable'],
]);

const MORE = { ...NEW, colour: 'brown', status: 'sold' };
const plainBroken = knowledgeOf([
  knownAnimal(8n, { ...NEW, status: 'sold' }, { answered: { id: 8, name: 'rex', categoryId: 1, status: 'available' } }),
]);

testInvariant('create.answer/every-201-to-open-bodies', [
  ['a 201 with what was sent', posted(MORE, made({ status: 'sold' }), open), 'holds'],
  ['a status that is lost', posted(MORE, made({ status: 'available' }), open), broken('shows status available; expected sold', '/status')],
  ['a status lost of plain animals too', posted(MORE, made({ status: 'available' }), open), 'not-applicable', plainBroken],
  ['a name that is changed', posted(NEW, made({ name: 'rex-2' }), open), broken('shows name "rex-2"; expected "rex"', '/name')],
  ['an id beside a name that is changed', posted({ ...NEW, id: 3 }, made({ name: 'r' }), { domain: 'unusual' }), broken('"r"', '/name')],
  ['an unusual name', posted({ ...NEW, name: 'r x' }, made({ name: 'r' }), open), 'not-applicable'],
  ['an unusual body without more', posted(NEW, made({ name: 'r' }), { domain: 'unusual' }), 'not-applicable'],
  ['a name sent twice', posted('{"name":"a","categoryId":1,"name":"b"}', made({ name: 'a' }), open), 'not-applicable'],
  ['a category spelled as a fraction', posted('{"name":"rex","categoryId":1.0}', made({ categoryId: 2 }), open), 'not-applicable'],
  ['a refusal', posted(MORE, { status: 400, body: {} }, open), 'not-applicable'],
]);

const refusal = posted(MORE, { status: 400, body: {} }, open);
const refused = { ...knowledgeOf([knownAnimal(7n, { ...NEW, name: 'tom' })]), refusedNames: new Map([['rex', refusal]]) };

testInvariant('create.refused-stores-nothing/every-response', [
  ['no refusal so far', listed({}, list({ id: 9, ...NEW })), 'not-applicable'],
  ['other animals', listed({}, list({ id: 9, ...NEW, name: 'tom' })), 'holds', refused],
  ['a name that was refused', listed({}, list({ id: 9, ...NEW })), broken('shows animal 9, "rex"'), refused],
  ['a name that was refused, read', read(9n, { status: 200, body: { id: 9, ...NEW } }), broken('was rejected with 400'), refused],
  ['an animal that was renamed', read(7n, { status: 200, body: { id: 7, ...NEW } }), 'holds', refused],
  ['an error', read(9n, { status: 404, body: {} }), 'not-applicable', refused],
  ['no answer', listed({}, 'timeout'), 'not-applicable', refused],
]);
