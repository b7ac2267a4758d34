import { describe, expect, test } from 'vitest';
import { error, NAME } from '../../test/support/history.ts';
import { broken, brokenBy, judged, judgementOn, listed, NO_KEY, posted, read, type Step, testClause } from '../../test/support/judged.ts';

const named = (letters: string): string => `ConformanceTest${letters}`;
const NEW = { name: NAME, categoryId: 3 };
const SOLD = { ...NEW, status: 'sold' };
const PENDING = { ...NEW, status: 'pending' };
const made = (changes: object = {}) => ({ status: 201, body: { id: 7, ...NEW, ...changes } });
const shown = (body: object) => ({ status: 200, body });

/** A creation, as sent and as returned, and what reads of the animal show. */
const kept = (sent: object, returned: object, ...seen: readonly object[]): readonly Step[] => [
  judged(posted(sent, made(returned))),
  ...seen.map((status) => read(7n, shown({ id: 7, ...NEW, ...status }))),
];

const EXACT = 9_007_199_254_740_993n;
/** A large category that an animal of others has. */
const FAR_KNOWN = [listed({}, shown([{ id: 9, name: 'Ann', categoryId: EXACT }]))];
const LONG = 'x'.repeat(80);

testClause('create.answer', [
  ['a 201 with what was sent', posted(SOLD, made(SOLD)), 'holds'],
  ['a 201 with another status, where nothing else shows the animal', posted(SOLD, made({ status: 'pending' })), 'holds'],
  ['another status than was stored', kept(SOLD, PENDING, SOLD), broken('status sold was stored and returned as status pending', '/status')],
  ['no status, though one was stored', kept(SOLD, {}, PENDING, SOLD), broken('returned as no status', '/status')],
  ['another status, as it was stored', kept(SOLD, PENDING, PENDING), 'holds'],
  ['another name', posted(NEW, made({ name: 'Rex' })), broken(`name "${NAME}" was returned as name "Rex"`, '/name')],
  ['a long name in its place', posted(NEW, made({ name: LONG })), broken(/ as name "x{60}"… of 80 characters$/, '/name')],
  ['another category', posted(NEW, made({ categoryId: 2 })), broken('categoryId 3 was returned as categoryId 2', '/categoryId')],
  [
    'a category rounded to a double',
    posted({ ...NEW, categoryId: EXACT }, made({ categoryId: EXACT - 1n })),
    broken('740992', '/categoryId'),
    FAR_KNOWN,
  ],
  ['an exact category', posted({ ...NEW, categoryId: EXACT }, made({ categoryId: EXACT })), 'holds', FAR_KNOWN],
  ['a name that is no text', posted(NEW, made({ name: 7 })), 'holds'],
  ['a category in digits', posted(NEW, made({ name: 7, categoryId: '2' })), broken('categoryId 3 was returned as', '/categoryId')],
  ['a 200', posted(NEW, { ...made({ name: 'Rex' }), status: 200 }), 'not-applicable'],
  ['an array', posted(NEW, { status: 201, body: [] }), 'not-applicable'],
  ['no JSON', posted(NEW, { status: 201, text: '{' }), 'not-applicable'],
  ['a body that is no NewPet', posted(`{"name":"${NAME}"}`, made({ name: 'Rex' })), 'not-applicable'],
  ['another credential', posted(NEW, made({ name: 'Rex' }), NO_KEY), 'not-applicable'],
  ['no response', posted(NEW, 'timeout'), 'not-applicable'],
]);

const MORE = { ...SOLD, color: 'brown' };
const ODD = { ...NEW, name: `${NAME} Zoë` };
const FAR = { ...NEW, categoryId: 2n ** 40n };
const LOST = { status: 'available' };
/** A plain animal whose status is lost as well. */
const PLAIN_LOST = [posted({ ...SOLD, name: named('Lost') }, made({ id: 8, name: named('Lost'), ...LOST }))];
const FIRST = [posted({ ...NEW, name: named('Frst') }, made({ id: 8, name: named('Frst') }))];

testClause('create.answer', [
  ['a 201 with what was sent to an open body', posted(MORE, made({ status: 'sold' })), 'holds', FIRST],
  ['a status that is lost', posted(MORE, made(LOST)), broken('shows status available; expected status sold', '/status'), FIRST],
  ['a status lost of plain animals too', posted(MORE, made(LOST)), 'not-applicable', PLAIN_LOST],
  [
    'a name that is changed',
    posted({ ...NEW, id: 3 }, made({ name: 'r' })),
    broken(`shows name "r"; expected name "${NAME}"`, '/name'),
    FIRST,
  ],
  ['an unusual name', posted({ ...ODD, x: 1 }, made({ name: 'r' })), 'not-applicable', FIRST],
  ['a name with an unusual category', posted(FAR, made({ ...FAR, name: 'Rex' })), broken('shows name "Rex"', '/name'), FIRST],
  ['an unusual category, which its own clause judges', posted(FAR, made()), 'holds', FIRST],
  [
    'a status with an unusual name',
    posted({ ...ODD, status: 'sold' }, made({ ...ODD, status: 'pending' })),
    broken('shows status pending; expected status sold', '/status'),
    FIRST,
  ],
  ['a name sent twice', posted(`{"name":"${NAME}","categoryId":3,"name":"b"}`, made()), 'not-applicable', FIRST],
  ['a category spelled as a fraction', posted(`{"name":"${NAME}","categoryId":3.0}`, made({ categoryId: 2 })), 'not-applicable', FIRST],
  ['a rejection', posted(MORE, error(400)), 'not-applicable', FIRST],
  ['a long name in an open body', posted({ ...MORE, name: LONG }, made({ status: 'sold', name: LONG.slice(1) })), 'not-applicable', FIRST],
]);

testClause('create.status-values', [
  ['another status in the store', kept(SOLD, LOST, LOST), broken('is available', '/status')],
  ['no status in the store', kept(SOLD, {}, {}), broken('created as sold is without a status', '/status')],
  ['a status that only the 201 shows otherwise', kept(SOLD, LOST, SOLD, {}), 'holds'],
  ['a status that only the store has otherwise', kept(SOLD, SOLD, LOST), 'holds'],
]);

testClause('create.status-optional', [
  ['a default that is kept', kept(NEW, SOLD, SOLD), 'holds'],
  ['a default that some place shows', kept(NEW, SOLD, {}, SOLD), 'holds'],
  ['another default in the store', kept(NEW, SOLD, PENDING), broken('sold in the 201, but pending when it is read', '/status')],
  ['no default in the store', kept(NEW, SOLD, {}), broken('but without a status when it is read', '/status')],
  ['a default that the 201 omits', kept(NEW, {}, SOLD), 'holds'],
]);

const TOM = { id: 7, name: named('Tomm'), categoryId: 3 };
const REX = { id: 7, ...NEW };
const TWIN = { ...REX, id: 8 };
const ofTom = posted({ name: TOM.name, categoryId: 3 }, made(TOM));
const showing = (...pets: readonly object[]): Step => listed({}, shown(pets));
const own = posted(NEW, made());

testClause('create.id-assigned', [
  ['an id that nobody has', [showing({ ...TOM, id: 9 }), own], 'holds'],
  ['the id of a created animal', [ofTom, own], broken('a new animal received id 7, which another animal already has', '/id')],
  ['the id of an animal that was seen', [showing(TOM), own], broken('id 7', '/id')],
  ['the id of one of the same name', [posted(NEW, made()), own], broken('id 7', '/id')],
  ['its own sighting', [showing(REX), own], 'holds'],
  ['an id that is no number', [ofTom, posted(NEW, made({ id: 'x' }))], 'not-applicable'],
  [
    'a large id',
    [posted({ ...NEW, name: TOM.name }, made({ ...TOM, id: EXACT })), posted(NEW, made({ id: EXACT }))],
    broken(String(EXACT), '/id'),
  ],
  ['an id of the client', [ofTom, posted({ id: 7, ...NEW }, made())], 'not-applicable'],
  ['a 200', [ofTom, posted(NEW, { ...made(), status: 200 })], 'not-applicable'],
  ['no JSON', [ofTom, posted(NEW, { status: 201, text: '{' })], 'not-applicable'],
  ['an array', [ofTom, posted(NEW, { status: 201, body: [] })], 'not-applicable'],
  ['another credential', [ofTom, posted(NEW, made(), NO_KEY)], 'not-applicable'],
  ['no response', [ofTom, posted(NEW, 'timeout')], 'not-applicable'],
  [
    'a second animal in a list',
    [judged(own), showing(REX, TWIN)],
    broken(`one creation of "${NAME}" created two animals: 7, as returned, and 8`),
  ],
  ['a second animal in reads', [judged(own), read(7n, shown(REX)), read(8n, shown(TWIN))], broken('and 8')],
  ['an animal that lists show under another id than reads', [judged(own), read(7n, shown(REX)), showing(TWIN)], 'holds'],
  [
    'a second animal that another creation has made',
    [judged(own), showing(REX, TWIN), posted({ ...NEW, name: named('Timm') }, made(TWIN))],
    'holds',
  ],
  ['a second animal that was created under the same name', [judged(own), showing(REX, TWIN), posted(NEW, 'timeout')], 'holds'],
  ['an animal alone', [judged(own), showing(REX)], 'holds'],
]);

const WITH_ID = { id: 7, ...NEW };
/** What shows that creations are accepted. */
const ACCEPTED = [posted({ ...NEW, name: named('Annn') }, made({ id: 3, name: named('Annn') }))];

testClause('create.id-not-adopted', [
  ['a rejected id', posted(WITH_ID, error(400)), 'holds', ACCEPTED],
  ['a rejection that shows the id', posted(WITH_ID, { ...made(), status: 400 }), 'holds', ACCEPTED],
  ['a rejected id where nothing was created yet', posted(WITH_ID, error(400)), 'not-applicable'],
  ['an id of the service', posted(WITH_ID, made({ id: 8 })), 'holds'],
  ['the id of the client', posted(WITH_ID, made()), broken('the service adopted id 7, which the client sent', '/id')],
  ['the large id of the client', posted({ ...WITH_ID, id: EXACT }, made({ id: EXACT })), broken(String(EXACT), '/id')],
  ['an id that is near', posted({ ...WITH_ID, id: EXACT }, made({ id: EXACT - 1n })), 'holds'],
  ['a 201 without an id', posted(WITH_ID, made({ id: undefined })), 'not-applicable'],
  ['a 201 without JSON', posted(WITH_ID, { status: 201, text: '{' }), 'not-applicable'],
  ['a 201 that is an array', posted(WITH_ID, { status: 201, body: [7] }), 'not-applicable'],
  ['another rejection', posted(WITH_ID, error(409)), 'not-applicable'],
  ['a status that is none of both', posted(WITH_ID, { status: 303, text: '' }), broken('returned 303; expected 201 or 400')],
  ['a rejection of another property', posted({ ...NEW, ID: 7 }, { status: 303, text: '' }), 'not-applicable'],
  ['an id in another property', posted({ ...NEW, petId: 7 }, made()), broken('adopted id 7, which the client sent', '/id')],
  ['a 200', posted(WITH_ID, { ...made(), status: 200 }), 'not-applicable'],
  ['no id in the body', own, 'not-applicable'],
  ['an id that is a text', posted({ ...WITH_ID, id: '7' }, made()), broken('id 7', '/id')],
  ['an id that is a word', posted({ ...WITH_ID, id: 'new' }, made()), 'not-applicable'],
  ['an id deeper in the body', posted({ ...NEW, tag: { id: 7 } }, made()), 'not-applicable'],
  ['a body that is no JSON', posted('{"id":7', made()), 'not-applicable'],
  ['another credential', posted(WITH_ID, made(), NO_KEY), 'not-applicable'],
  ['no response', posted(WITH_ID, 'timeout'), 'not-applicable'],
]);

const claim = posted(WITH_ID, made({ id: 9 }));
const gone = read(7n, error(404));
const ofOther = read(7n, shown(TOM));

testClause('create.id-not-adopted', [
  ['an id that leads to nothing', [claim, gone], 'holds'],
  ['an id that leads to the new animal', [claim, read(7n, shown(REX))], broken('stored under id 7, which the client sent', '/id')],
  ['a list that shows the new animal under the id', [claim, showing(REX)], broken('stored under id 7', '/id')],
  ['the animal that had the id', [ofOther, claim, ofOther], 'holds'],
  ['an animal that the creation removed', [ofOther, claim, gone], broken('a creation with the id of animal 7 removed that animal')],
  ['an animal that lags', [ofOther, claim, ofOther, gone], 'holds'],
  ['an animal that was gone before', [gone, claim, gone], 'holds'],
  ['an animal after a rejected creation', [ofOther, posted(WITH_ID, error(400)), gone], 'holds'],
]);

describe('a rejected creation with an id', () => {
  const REDIRECTED = { status: 303, text: '' };
  const asked = ['create.success', 'create.id-not-adopted'];
  const withId = posted(WITH_ID, REDIRECTED);

  test('is explained by plain ones that are rejected alike, and by no other', () => {
    expect(brokenBy([...ACCEPTED, withId], asked)).toEqual(['create.id-not-adopted']);
    expect(brokenBy([...ACCEPTED, posted({ ...NEW, name: named('Bnnn') }, REDIRECTED), withId], asked)).toEqual(['create.success']);
    const invalid = posted({ ...NEW, name: 7 }, REDIRECTED);
    expect(brokenBy([...ACCEPTED, invalid, withId], asked)).toEqual(['create.id-not-adopted']);
  });
});

describe('an unusual value', () => {
  const STORED = ['create.round-trip', 'create.unusual-names', 'create.unusual-categories', 'create.independent'];
  const animal = (id: number, sent: object) => ({ id, status: 'available', ...sent });
  const birth = (id: number, sent: object): Step => posted(sent, { status: 201, body: animal(id, sent) });
  const PLAIN = { ...NEW, name: named('Frst') };
  const before = [birth(1, PLAIN), birth(2, { ...NEW, name: named('Scnd') })];
  const readOf = (id: number, sent: object): Step => read(BigInt(id), shown(animal(id, sent)));
  const other = { ...ODD, name: 'x' };

  test.each<readonly [what: string, steps: readonly Step[], broken: readonly string[]]>([
    ['may be rejected', [posted(ODD, error(400)), posted(FAR, error(400))], []],
    ['is rejected with 400', [posted(ODD, error(422)), posted(FAR, error(405))], ['create.unusual-categories', 'create.unusual-names']],
    ['may be a category that there is not', [posted(FAR, error(422))], []],
    ['may be too long', [posted({ ...NEW, name: 'a'.repeat(2_000) }, error(413))], []],
    ['may be a name that another run has left', [posted({ ...NEW, name: 'null' }, error(409))], []],
    ['is no name that is taken where nobody has it', [posted(ODD, error(409))], ['create.unusual-names']],
    ['may be a name that is taken where one is almost like it', [birth(3, { ...ODD, name: `${NAME} Zoe` }), posted(ODD, error(409))], []],
    [
      'is returned as it was sent',
      [posted(ODD, { status: 201, body: animal(3, { ...ODD, name: `${NAME} Zoe` }) })],
      ['create.unusual-names'],
    ],
    [
      'is returned with all its digits',
      [posted(FAR, { status: 201, body: animal(3, { ...FAR, categoryId: 7 }) })],
      ['create.unusual-categories'],
    ],
    ['is kept', [birth(3, ODD), readOf(3, other)], ['create.unusual-names']],
    ['is kept in each place', [birth(3, ODD), readOf(3, other), showing(animal(3, ODD))], ['create.unusual-names']],
    ['is kept no better than plain ones', [readOf(1, other), birth(3, ODD), readOf(3, other)], ['create.round-trip']],
  ])('%s', (_what, steps, clauses) => {
    expect(brokenBy([...before, ...steps], STORED).toSorted()).toEqual(clauses);
  });

  test('does not hide the animal', () => {
    const odd = { ...ODD, status: 'sold' };
    const plain = { ...NEW, name: named('Twin'), status: 'sold' };
    const steps = [...before, birth(3, odd), birth(4, plain), readOf(3, odd), readOf(4, plain)];
    const filtered = (...pets: readonly object[]): readonly Step[] =>
      Array.from({ length: 3 }, () => listed({ status: 'sold', limit: 100 }, shown(pets)));
    const asked = [...STORED, 'list.filter-complete'];
    expect(brokenBy([...steps, ...filtered(animal(4, plain))], asked)).toEqual(['create.unusual-names']);
    expect(brokenBy([...steps, ...filtered()], asked)).toEqual(['list.filter-complete']);
  });
});

test('of a long name that differs, the place is shown', () => {
  const name = `${NAME} ${'y'.repeat(80)}`;
  expect(judgementOn('create.unusual-names', [...FIRST, posted({ ...NEW, name }, made({ name: name.slice(0, -1) }))])).toMatchObject({
    received: expect.stringContaining('characters (from character '),
  });
});
