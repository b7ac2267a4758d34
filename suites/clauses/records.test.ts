import { describe, expect, test } from 'vitest';
import { error, NAME } from '../../test/support/history.ts';
import { broken, brokenBy, judgementOn, listed, posted, read, type Step, testClause, verdictOn } from '../../test/support/judged.ts';

const NEW = { name: NAME, categoryId: 3, status: 'sold' };
const PET = { id: 7, ...NEW };
const TOM = { name: 'ConformanceTestTomm', categoryId: 4 };
const OTHER = { id: 8, ...TOM, status: 'pending' };
const ok = (body: unknown) => ({ status: 200, body });
const made = (body: unknown) => ({ status: 201, body });

testClause('record.pet', [
  ['an animal that is read', read(7n, ok(PET)), 'holds'],
  ['an animal without status and with more members', read(7n, ok({ id: 7, name: '', categoryId: 0, tag: 'x' })), 'holds'],
  ['an animal that is created', posted(NEW, made(PET)), 'holds'],
  ['the largest id', read(7n, ok({ ...PET, id: 2n ** 63n - 1n })), 'holds'],
  ['an id beyond it', read(7n, ok({ ...PET, id: 2n ** 63n })), broken('is not a Pet: /id is outside int64', '/id')],
  ['a creation without an id', posted(NEW, made({ ...PET, id: undefined })), broken('the body has no field "id"', '')],
  ['a null', read(7n, ok(null)), broken('is not a Pet: the body must be an object', '')],
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
  ['a 200 to a creation', posted(NEW, ok({})), 'not-applicable'],
  ['a 201 to a read', read(7n, made({})), 'not-applicable'],
  ['a 404', read(7n, { status: 404, body: {} }), 'not-applicable'],
  ['a list', listed({}, ok({})), 'not-applicable'],
  ['a body that is no JSON', read(7n, { status: 200, text: '{' }), 'not-applicable'],
  ['no response', read(7n, 'timeout'), 'not-applicable'],
]);

testClause('record.pets', [
  ['a list of animals', listed({}, ok([PET, OTHER])), 'holds'],
  ['an empty list', listed({ status: 'sold' }, ok([])), 'holds'],
  ['an envelope', listed({}, ok({ pets: [PET] })), broken('is not an array of Pets: the body must be an array', '')],
  [
    'a broken second item',
    listed({}, ok([PET, { ...OTHER, name: 'Tom', status: 'gone' }])),
    broken('item 1: status is not one of', '/1/status'),
  ],
  ['a 200 without a body', listed({}, { status: 200 }), broken('has no body')],
  ['a rejection', listed({}, error(400)), 'not-applicable'],
  ['an animal', read(7n, ok({})), 'not-applicable'],
  ['no response', listed({}, 'timeout'), 'not-applicable'],
]);

/** Animal 7, which is sold, and animal 8, which was sent without a status. */
const BOTH = [posted(NEW, made(PET)), posted(TOM, made({ ...OTHER, status: undefined }))];
const SENT_SOLD = [posted(NEW, made({ ...PET, status: 'pending' }))];
const STORED_FOLDED = [posted(NEW, made({ ...PET, name: NAME.toLowerCase() }))];

testClause('record.same-animal', [
  ['a created animal that is read', read(7n, ok(PET)), 'holds', BOTH],
  ['a list of created animals', listed({}, ok([PET, { ...OTHER, status: undefined }])), 'holds', BOTH],
  ['an animal of somebody else', read(9n, ok({ ...PET, id: 9 })), 'not-applicable', BOTH],
  ['created animals among others', listed({}, ok([{ ...OTHER, id: 9 }, PET])), 'holds', BOTH],
  ['another name', read(7n, ok({ ...PET, name: 'Max' })), broken(`name "Max", but it was created with name "${NAME}"`, '/name'), BOTH],
  ['another category', read(7n, ok({ ...PET, categoryId: 2 })), broken('created with categoryId 3', '/categoryId'), BOTH],
  ['another status', read(7n, ok({ ...PET, status: 'pending' })), broken('created with status "sold"', '/status'), BOTH],
  ['a status that is missing', read(7n, ok({ ...PET, status: undefined })), broken('with no status', '/status'), BOTH],
  ['whatever status came to one sent without', read(8n, ok(OTHER)), 'holds', BOTH],
  ['a stranger after a known one', listed({}, ok([PET, { ...OTHER, name: 'Max' }])), broken('animal 8', '/1/name'), BOTH],
  ['a status as it was sent, whatever the 201 said', read(7n, ok(PET)), 'holds', SENT_SOLD],
  ['a status as only the 201 said', read(7n, ok({ ...PET, status: 'pending' })), broken('status "sold"', '/status'), SENT_SOLD],
  ['a name as the 201 said', read(7n, ok({ ...PET, name: NAME.toLowerCase() })), 'holds', STORED_FOLDED],
  ['a broken item with a known animal', listed({}, ok([{}, { ...PET, name: 'Max' }])), broken('animal 7', '/1/name'), BOTH],
  ['nothing but a broken item', read(7n, ok({ id: 7 })), 'not-applicable', BOTH],
  ['a list that shows two animals under one id', listed({}, ok([PET, { ...PET, name: 'Max' }])), 'not-applicable', BOTH],
  [
    'another name in a read next to such a list',
    [listed({}, ok([PET, { ...PET, name: 'Max' }])), read(7n, ok({ ...PET, name: 'Max' }))],
    broken('animal 7', '/name'),
    BOTH,
  ],
  ['a creation', posted(NEW, ok({ ...PET, name: 'Max' })), 'not-applicable', BOTH],
  ['a rejection', read(7n, { status: 404, body: { ...PET, name: 'Max' } }), 'not-applicable', BOTH],
  ['no JSON', read(7n, { status: 200, text: '{' }), 'not-applicable', BOTH],
  ['no response', read(7n, 'timeout'), 'not-applicable', BOTH],
]);

test('record.same-animal reports the first of the animals that a list shows wrongly', () => {
  const wrong = [
    { ...OTHER, name: 'Max' },
    { ...PET, categoryId: 2 },
  ];
  expect(judgementOn('record.same-animal', [...BOTH, listed({}, ok(wrong))])).toMatchObject({ pointer: '/0/name' });
});

describe('what an earlier run left', () => {
  const LEFT = { id: 9, name: 'ConformanceQrstuAaab', categoryId: 2n ** 63n };
  const list = listed({}, ok([PET, LEFT]));
  const found = read(9n, ok(LEFT));
  const creation = posted(TOM, made({ ...OTHER, status: undefined }));
  const red = (steps: readonly Step[]) => brokenBy(steps, ['record.pets', 'record.pet', 'record.leftovers']);

  test('is a warning, and not a breach of record.pets', () => {
    expect(red([list, creation, found])).toEqual(['record.leftovers']);
  });

  test('is named, and all of it is to be removed', () => {
    const second = { ...LEFT, id: 10, name: 'ConformanceQrstuAaac' };
    const of = (...left: readonly object[]) => verdictOn('record.leftovers', [listed({}, ok([PET, ...left])), creation])?.note;
    expect(of(LEFT)).toMatch(/1 animal of .*: 9 \(categoryId \d+\); remove it$/);
    expect(of(LEFT, second)).toMatch(/2 animals of .*: 9 \(.*\), 10 \(.*\); remove them$/);
  });

  test('is not reported if this run shows the same for an animal that is not old', () => {
    const today = listed({}, ok([{ ...LEFT, id: 11, name: 'Tim' }]));
    expect(red([list, creation, today, found])).toContain('record.pets');
    expect(verdictOn('record.leftovers', [list, creation, today, found])?.verdict).toBe('not-applicable');
  });

  test('is not reported in a run that creates nothing', () => {
    expect(verdictOn('record.leftovers', [list, found])?.verdict).toBe('not-applicable');
  });

  test('is no breach of record.pets in a list of any length', () => {
    const others = Array.from({ length: 912 }, (_unused, index) => ({ ...OTHER, id: 1_000 + index }));
    const old = { id: 402, name: 'ConformanceNdoauAamb', categoryId: 3, status: '1' };
    expect(red([listed({ limit: -1 }, ok([...others, old])), creation])).toEqual(['record.leftovers']);
  });
});
