import { expect, test } from 'vitest';
import type { KnownAnimal } from '../../src/session/state/run-state.ts';
import type { Exchange, Intent } from '../../src/wire/exchange.ts';
import { knowledgeOf, knownAnimal, listed, posted, type Reply, read } from '../support/exchange-samples.ts';
import { broken, judge, testInvariant } from './judge-invariant.ts';

const PET = { id: 7, name: 'rex', categoryId: 1, status: 'sold' };
const OTHER = { id: 8, name: 'tom', categoryId: 2, status: 'pending' };
const ok = (body: unknown): Reply => ({ status: 200, body });
const made = (body: unknown): Reply => ({ status: 201, body });

testInvariant('record.pet/every-response', [
  ['an animal that is read', read(7n, ok(PET)), 'holds'],
  ['an animal without status and with more members', read(7n, ok({ id: 7, name: '', categoryId: 0, tag: 'x' })), 'holds'],
  ['an animal that is created', posted(PET, made(PET)), 'holds'],
  ['the largest id', read(7n, ok({ ...PET, id: 2n ** 63n - 1n })), 'holds'],
  ['an id beyond it', read(7n, ok({ ...PET, id: 2n ** 63n })), broken('is not a Pet: /id is outside int64', '/id')],
  ['a creation without an id', posted(PET, made({ ...PET, id: undefined })), broken('the body has no field "id"', '')],
  ['a null', read(7n, ok(null)), broken('is not a Pet: the body must be an object', '', { expected: 'a Pet' })],
  ['a 200 without a body', read(7n, { status: 200 }), broken('has no body')],
  [
    'two problems',
    read(7n, ok({ ...PET, id: '7', name: null })),
    broken('is not a Pet: /name must be a string; /id must be an integer', '/name'),
  ],
  [
    'three problems',
    read(7n, ok({ ...PET, id: '7', name: null, categoryId: null })),
    broken(/; \/categoryId must be an integer; \/id must be an integer$/, '/name'),
  ],
  [
    'four problems',
    read(7n, ok({ id: '', name: 1, categoryId: '', status: 'gone' })),
    broken(/ is not a Pet: [^;]+; [^;]+; [^;]+ \(and 1 more\)$/, '/name'),
  ],
  ['a 200 to a creation', posted(PET, ok({})), 'not-applicable'],
  ['a 201 to a read', read(7n, made({})), 'not-applicable'],
  ['a 404', read(7n, { status: 404, body: {} }), 'not-applicable'],
  ['a list', listed({}, ok({})), 'not-applicable'],
  ['a body that is no JSON', read(7n, { status: 200, text: '{' }), 'not-applicable'],
  ['no response', read(7n, 'timeout'), 'not-applicable'],
]);

testInvariant('record.pets/every-list', [
  ['a list of animals', listed({}, ok([PET, OTHER])), 'holds'],
  ['an empty list', listed({ status: 'sold' }, ok([])), 'holds'],
  [
    'an envelope',
    listed({}, ok({ pets: [PET] })),
    broken('is not an array of Pets: the body must be an array', '', { expected: 'an array of Pets' }),
  ],
  ['a broken second item', listed({}, ok([PET, { ...OTHER, status: 'gone' }])), broken('item 1: status is not one of', '/1/status')],
  ['a 200 without a body', listed({}, { status: 200 }), broken('has no body')],
  ['a refusal', listed({}, { status: 400, body: {} }), 'not-applicable'],
  ['an animal', read(7n, ok({})), 'not-applicable'],
  ['no response', listed({}, 'timeout'), 'not-applicable'],
]);

const rex: KnownAnimal = knownAnimal(7n, { name: 'rex', categoryId: 1n, status: 'sold' });
const tom: KnownAnimal = knownAnimal(8n, { name: 'tom', categoryId: 2n });
const both = knowledgeOf([rex, tom]);
const sentSold = knowledgeOf([
  knownAnimal(7n, { name: 'rex', categoryId: 1n, status: 'sold' }, { answered: { ...PET, status: 'pending' } }),
]);
const storedFolded = knowledgeOf([knownAnimal(7n, { name: 'Rex', categoryId: 1n }, { answered: { id: 7, name: 'rex', categoryId: 1 } })]);

testInvariant('record.same-animal/every-response', [
  ['a created animal that is read', read(7n, ok(PET)), 'holds', both],
  ['a list of created animals', listed({}, ok([PET, { ...OTHER, status: undefined }])), 'holds', both],
  ['an animal of somebody else', read(9n, ok({ ...PET, id: 9 })), 'not-applicable', both],
  ['created animals among others', listed({}, ok([{ ...OTHER, id: 9 }, PET])), 'holds', both],
  ['another name', read(7n, ok({ ...PET, name: 'max' })), broken('name "max", but it was created with name "rex"', '/name'), both],
  ['another category', read(7n, ok({ ...PET, categoryId: 2 })), broken('created with categoryId 1', '/categoryId'), both],
  ['another status', read(7n, ok({ ...PET, status: 'pending' })), broken('created with status "sold"', '/status'), both],
  ['a status that is missing', read(7n, ok({ ...PET, status: undefined })), broken('with no status', '/status'), both],
  ['whatever status came to one sent without', read(8n, ok(OTHER)), 'holds', both],
  ['a stranger behind a known one', listed({}, ok([PET, { ...OTHER, name: 'max' }])), broken('animal 8', '/1/name'), both],
  ['a status as it was sent, whatever the 201 said', read(7n, ok(PET)), 'holds', sentSold],
  ['a status as only the 201 said', read(7n, ok({ ...PET, status: 'pending' })), broken('status "sold"', '/status'), sentSold],
  ['a name as the 201 said', read(7n, ok({ id: 7, name: 'rex', categoryId: 1 })), 'holds', storedFolded],
  ['a broken item beside a known animal', listed({}, ok([{}, { ...PET, name: 'max' }])), broken('animal 7', '/1/name'), both],
  ['nothing but a broken item', read(7n, ok({ id: 7 })), 'not-applicable', both],
  ['a list that shows two animals under one id', listed({}, ok([PET, { ...PET, name: 'max' }])), 'not-applicable', both],
  [
    'another name in a read beside such a list',
    [listed({}, ok([PET, { ...PET, name: 'max' }])), read(7n, ok({ ...PET, name: 'max' }))],
    broken('animal 7', '/name'),
    both,
  ],
  ['a creation', posted(PET, ok({ ...PET, name: 'max' })), 'not-applicable', both],
  ['a refusal', read(7n, { status: 404, body: { ...PET, name: 'max' } }), 'not-applicable', both],
  ['no JSON', read(7n, { status: 200, text: '{' }), 'not-applicable', both],
  ['no response', read(7n, 'timeout'), 'not-applicable', both],
]);

test('record.same-animal names all animals that a list shows wrongly, and reports the first', () => {
  const list = listed(
    {},
    ok([
      { ...OTHER, name: 'max' },
      { ...PET, categoryId: 2 },
    ]),
  );
  expect(judge('record.same-animal', [list], both)).toMatchObject({ animals: [8n, 7n], pointer: '/0/name' });
  expect(judge('record.same-animal', [listed({}, ok([OTHER, { ...PET, categoryId: 2 }]))], both)).toMatchObject({
    animals: [7n],
    pointer: '/1/categoryId',
  });
});

const seen = knowledgeOf([], [PET]);
const EXACT = 9_007_199_254_740_993n;

/** A read of the animal that returns another one, in a request that the document does not describe. */
function odd(credential: Intent['credential']): Exchange {
  const { request, ...rest } = read(7n, ok(OTHER));
  return { ...rest, request: { ...request, intent: { ...request.intent, undocumented: true, credential } } };
}

testInvariant('get.identity/every-read', [
  ['the animal asked for', read(7n, ok(PET)), 'holds', seen],
  ['the animal asked for, created but not yet seen', read(7n, ok(PET)), 'holds', both],
  ['another animal', read(7n, ok(OTHER)), broken('GET /pets/7 returned animal 8', '/id'), seen],
  ['another animal for a created one', read(8n, ok(PET)), broken('GET /pets/8 returned animal 7', '/id'), both],
  [
    'an id rounded to a double',
    read(EXACT, ok({ ...PET, id: EXACT - 1n })),
    broken('740992', '/id'),
    knowledgeOf([], [{ ...PET, id: EXACT }]),
  ],
  ['an exact id', read(EXACT, ok({ ...PET, id: EXACT })), 'holds', knowledgeOf([], [{ ...PET, id: EXACT }])],
  ['an id that nobody knows', read(9n, ok(PET)), 'not-applicable', seen],
  ['an id that is a text', read(7n, ok({ ...PET, id: '8' })), 'not-applicable', seen],
  ['another animal without the key, whose headers name another path', odd('open'), 'not-applicable', seen],
  ['another animal with the key, whatever else is asked for', odd('valid'), broken('animal 8', '/id'), seen],
  ['a path that is no id', read('x', ok(PET)), 'not-applicable', seen],
  ['a list', listed({}, ok([OTHER])), 'not-applicable', seen],
  ['an array for an animal', read(7n, ok([OTHER])), 'not-applicable', seen],
  ['a null for an animal', read(7n, ok(null)), 'not-applicable', seen],
  ['no JSON', read(7n, { status: 200, text: '' }), 'not-applicable', seen],
  ['a refusal', read(7n, { status: 404, body: OTHER }), 'not-applicable', seen],
  ['no response', read(7n, 'timeout'), 'not-applicable', seen],
]);

test('record.pets leaves an invalid animal of an earlier run to record.leftovers, in a list of any length', () => {
  const others = Array.from({ length: 912 }, (_unused, index) => ({ ...OTHER, id: 1_000 + index }));
  const old = { id: 402, name: 'conformanceNdoauAamb', categoryId: 1, status: '1' };
  expect(judge('record.pets/every-list', [listed({ limit: -1 }, ok([...others, old]))], knowledgeOf())).toMatchObject({
    leftBy: ['create.status-invalid'],
  });
});
