import { describe } from 'vitest';
import type { NewPetInput } from '../../src/schema/pet.ts';
import { NO_CREDENTIAL } from '../../src/session/client/sending.ts';
import type { RunState } from '../../src/session/state/run-state.ts';
import type { Exchange } from '../../src/wire/exchange.ts';
import { knowledgeOf, knownAnimal, listed, posted, type Reply, read } from '../support/exchange-samples.ts';
import { broken, type Row, testInvariant } from './judge-invariant.ts';

const NEW = { name: 'rex', categoryId: 1n };
const SOLD = { ...NEW, status: 'sold' } as const;
const made = (changes: object = {}): Reply => ({ status: 201, body: { id: 7, ...NEW, ...changes } });
const refused = (status: number, headers: Reply['headers'] = []): Reply => ({ status, body: {}, headers });

/** Exchanges that no rule of plain creations judges. */
function strangers(sent: object, { reply, knowledge = knowledgeOf() }: { reply: Reply; knowledge?: RunState }): Row[] {
  return [
    ['no response', posted(sent, 'timeout'), 'not-applicable', knowledge],
    ['an unusual body', posted(sent, reply, { domain: 'unusual' }), 'not-applicable', knowledge],
    ['another credential', posted(sent, reply, { credential: NO_CREDENTIAL }), 'not-applicable', knowledge],
    ['a list', listed({}, reply), 'not-applicable', knowledge],
    ['a read', read(7n, reply), 'not-applicable', knowledge],
  ];
}

const PENDING = { ...NEW, status: 'pending' } as const;

/** The run's own animal: as sent, as in the response to its creation, and as in consecutive reads. */
function shown(sent: NewPetInput, returned: object, ...seen: readonly object[]) {
  const birth = posted(sent, made(returned));
  const animal = knownAnimal(7n, sent, { answered: { id: 7, ...NEW, ...returned }, exchange: birth });
  const reads = seen.map((status) => read(7n, { status: 200, body: { id: 7, ...NEW, ...status } }));
  return [[...reads, birth], knowledgeOf([animal])] as const;
}

function keeping(name: string, [exchanges, knowledge]: ReturnType<typeof shown>, expected: Row[2]): Row {
  return [name, exchanges, expected, knowledge];
}

const EXACT = 9_007_199_254_740_993n;
const LONG = 'x'.repeat(80);

testInvariant('create.answer/every-201-to-plain-bodies', [
  ['a 201 with what was sent', posted(SOLD, made(SOLD)), 'holds'],
  ['a 201 with another status, where nothing else shows the animal', posted(SOLD, made({ status: 'pending' })), 'holds'],
  keeping(
    'another status than was stored',
    shown(SOLD, PENDING, SOLD),
    broken('status sold was stored and returned as pending', '/status'),
  ),
  keeping('no status, though one was stored', shown(SOLD, {}, PENDING, SOLD), broken('returned as no status', '/status')),
  keeping('another status, as it was stored', shown(SOLD, PENDING, PENDING), 'holds'),
  ['another name', posted(NEW, made({ name: 'Rex' })), broken('name "rex" was returned as "Rex"', '/name')],
  [
    'a name that is cut',
    posted({ ...NEW, name: LONG }, made({ name: LONG.slice(1) })),
    broken(/ as "x{60}"… of 79 characters \(/, '/name'),
  ],
  ['a name shown whole', posted(NEW, made({ name: LONG.slice(20) })), broken(/ as "x{60}"$/, '/name')],
  ['another category', posted(NEW, made({ categoryId: 2 })), broken('categoryId 1 was returned as 2', '/categoryId')],
  [
    'a category rounded to a double',
    posted({ ...NEW, categoryId: EXACT }, made({ categoryId: EXACT - 1n })),
    broken('740992', '/categoryId'),
  ],
  ['an exact category', posted({ ...NEW, categoryId: EXACT }, made({ categoryId: EXACT })), 'holds'],
  ['a name that is no text', posted(NEW, made({ name: 7 })), 'holds'],
  ['a category in digits', posted(NEW, made({ name: 7, categoryId: '2' })), broken('categoryId 1 was returned as 2', '/categoryId')],
  ['no field that can be read', posted(NEW, made({ name: 7, categoryId: null })), 'not-applicable'],
  ['a 200', posted(NEW, { ...made({ name: 'Rex' }), status: 200 }), 'not-applicable'],
  ['an array', posted(NEW, { status: 201, body: [] }), 'not-applicable'],
  ['no JSON', posted(NEW, { status: 201, text: '{' }), 'not-applicable'],
  ['a body that is no NewPet', posted('{"name":"rex"}', made({ name: 'Rex' })), 'not-applicable'],
  ['a body whose name is none', posted('{"name":1,"categoryId":1}', made({ name: 'Rex' })), 'not-applicable'],
  ['a body that is no object', posted('[]', made({ name: 'Rex' })), 'not-applicable'],
  ['a body that is no JSON', posted('{', made({ name: 'Rex' })), 'not-applicable'],
  ['a body of bytes', posted(Buffer.from('{"name":"rex","categoryId":1}'), made({ name: 'Rex' })), 'not-applicable'],
  // The other values of an unusual body are judged among the creations that the document leaves open.
  ...strangers(NEW, { reply: made({ name: 'Rex' }) }).filter(([what]) => what !== 'an unusual body'),
]);

const tom = knownAnimal(7n, { ...NEW, name: 'tom' });
const TOM = { id: 7, name: 'tom', categoryId: 1 };
const ofTom = posted({ ...NEW, name: 'tom' }, made(TOM));
const showing = (...pets: readonly object[]): Exchange => listed({}, { status: 200, body: pets });
const own = posted(NEW, made());
const folded = posted({ ...NEW, name: 'Rex' }, made());
const REX = { id: 7, ...NEW };
const TWIN = { ...REX, id: 8 };

testInvariant('create.id-assigned/distinct', [
  ['an id that nobody has', [showing({ ...TOM, id: 9 }), own], 'holds'],
  ['the id of a created animal', [ofTom, own], broken('a new animal received id 7, which another animal already has', '/id')],
  ['the id of an animal that was seen', [showing(TOM), own], broken('id 7', '/id')],
  ['the id of one of the same name', [posted(NEW, made()), own], broken('id 7', '/id')],
  ['its own sighting', [showing(REX), own], 'holds'],
  ['its own sighting under the name of the 201', [showing(REX), folded], 'holds'],
  ['an id that is no number', [ofTom, posted(NEW, made({ id: 'x' }))], 'not-applicable'],
  ['a large id', [posted({ ...NEW, name: 'tom' }, made({ id: EXACT })), posted(NEW, made({ id: EXACT }))], broken(String(EXACT), '/id')],
  ['an id of the client', [ofTom, posted({ id: 7, ...NEW }, made())], 'not-applicable'],
  ['a 200', [ofTom, posted(NEW, { ...made(), status: 200 })], 'not-applicable'],
  ['no JSON', [ofTom, posted(NEW, { status: 201, text: '{' })], 'not-applicable'],
  ['an array', [ofTom, posted(NEW, { status: 201, body: [] })], 'not-applicable'],
  ['a null', [ofTom, posted(NEW, { status: 201, body: null })], 'not-applicable'],
  ['a body that is no NewPet', [ofTom, posted('{"name":"rex"}', made())], 'not-applicable'],
  ['another credential', [ofTom, posted(NEW, made(), { credential: NO_CREDENTIAL })], 'not-applicable'],
  ['a read', [ofTom, read(7n, made())], 'not-applicable'],
  ['no response', [ofTom, posted(NEW, 'timeout')], 'not-applicable'],
]);

/** What is said about the first of several exchanges, whatever follows. */
const then = (...later: readonly Exchange[]): readonly Exchange[] => [...later, own];

testInvariant('create.id-assigned/distinct', [
  ['a second animal in a list', then(showing(REX, TWIN)), broken('one creation of "rex" created two animals: 7, as returned, and 8')],
  ['a second animal in reads', then(read(7n, { status: 200, body: REX }), read(8n, { status: 200, body: TWIN })), broken('and 8')],
  ['an animal that lists show under another id than reads', then(read(7n, { status: 200, body: REX }), showing(TWIN)), 'holds'],
  ['a second animal that another creation has made', then(showing(REX, TWIN), posted({ ...NEW, name: 'tim' }, made(TWIN))), 'holds'],
  ['a second animal that was created under the same name', then(showing(REX, TWIN), posted(NEW, 'timeout')), 'holds'],
  ['an animal alone', then(showing(REX)), 'holds'],
]);

const WITH_ID = { id: 7, ...NEW };
const UNUSUAL = { domain: 'unusual' } as const;

testInvariant('create.id-not-adopted/every-201', [
  ['a refused id', posted(WITH_ID, refused(400)), 'holds', knowledgeOf([tom])],
  ['a refusal that shows the id', posted(WITH_ID, { ...made(), status: 400 }), 'holds', knowledgeOf([tom])],
  ['a refused id where nothing was created yet', posted(WITH_ID, refused(400)), 'not-applicable'],
  ['an id of the service', posted(WITH_ID, made({ id: 8 })), 'holds'],
  ['the id of the client', posted(WITH_ID, made()), broken('the service adopted id 7, which the client sent', '/id')],
  ['the large id of the client', posted({ ...WITH_ID, id: EXACT }, made({ id: EXACT })), broken(String(EXACT), '/id')],
  ['an id that is near', posted({ ...WITH_ID, id: EXACT }, made({ id: EXACT - 1n })), 'holds'],
  ['a 201 without an id', posted(WITH_ID, made({ id: undefined })), 'not-applicable'],
  ['a 201 without JSON', posted(WITH_ID, { status: 201, text: '{' }), 'not-applicable'],
  ['a 201 that is an array', posted(WITH_ID, { status: 201, body: [7] }), 'not-applicable'],
  ['another rejection', posted(WITH_ID, refused(409), UNUSUAL), 'not-applicable'],
  ['a status that is none of both', posted(WITH_ID, refused(303), UNUSUAL), broken('returned 303; expected 201 or 400')],
  ['a rejection of another property', posted({ ...NEW, ID: 7 }, refused(303), UNUSUAL), 'not-applicable'],
  [
    'an id in another property',
    posted({ ...NEW, petId: 7 }, made(), UNUSUAL),
    broken('adopted id 7, which the client sent as petId', '/id'),
  ],
  ['a 200', posted(WITH_ID, { ...made(), status: 200 }), 'not-applicable'],
  ['no id in the body', posted(NEW, made()), 'not-applicable'],
  ['an id that is a text', posted({ ...WITH_ID, id: '7' }, made({ id: '7' })), broken('id 7', '/id')],
  ['an id that is a word', posted({ ...WITH_ID, id: 'new' }, made()), 'not-applicable'],
  ['an id deeper in the body', posted({ ...NEW, tag: { id: 7 } }, made()), 'not-applicable'],
  ['a body that is no JSON', posted('{"id":7', made()), 'not-applicable'],
  ['a body of bytes', posted(Buffer.from('{"id":7}'), made()), 'not-applicable'],
  ['another credential', posted(WITH_ID, made(), { credential: NO_CREDENTIAL }), 'not-applicable'],
  ['a list', listed({}, made()), 'not-applicable'],
  ['no response', posted(WITH_ID, 'timeout'), 'not-applicable'],
]);

/** In the order of sending: each is created when it is sent. */
const claim = (): Exchange => posted({ ...NEW, id: 7 }, made({ id: 9 }), UNUSUAL);
const readOf = (body: object): Exchange => read(7n, { status: 200, body });
const gone = (): Exchange => read(7n, refused(404));

testInvariant('create.id-not-adopted/every-201', [
  ['an id that leads to nothing', [claim(), gone()], 'holds'],
  [
    'an id that leads to the new animal',
    [claim(), readOf(REX)],
    broken('the new animal is stored under id 7, which the client sent', '/id'),
  ],
  ['a list that shows the new animal under the id', [claim(), showing(REX)], broken('stored under id 7', '/id')],
  ['the animal that had the id', [readOf(TOM), claim(), readOf(TOM)], 'holds'],
  ['an animal that the creation removed', [readOf(TOM), claim(), gone()], broken('a creation with the id of animal 7 removed that animal')],
  ['an animal that lags', [readOf(TOM), claim(), readOf(TOM), gone()], 'holds'],
  ['an animal that was gone before', [gone(), claim(), gone()], 'holds'],
  ['an animal after a rejected creation', [readOf(TOM), posted({ ...NEW, id: 7 }, refused(400), UNUSUAL), gone()], 'holds'],
]);

const soldMade = posted({ ...SOLD, name: 'tom' }, made({ status: 'sold' }));
const newMade = posted({ ...NEW, name: 'tom' }, made());
const inChunks = (exchange: Exchange): Exchange => ({ ...exchange, request: { ...exchange.request, chunked: true } });

/** What another clause judges does not break this one. */
function owned(sent: object, before: Exchange): Row[] {
  const rows: Row[] = [
    ['a refused key', posted(sent, refused(401)), 'not-applicable'],
    ['a crash', posted(sent, refused(500)), 'not-applicable'],
    ['a wait', posted(sent, refused(429)), 'not-applicable'],
    ['an operation that is not there', posted(sent, refused(501)), broken('returned 501')],
    ...strangers(sent, { reply: refused(400) }),
  ];
  return rows.map(([name, exchange, expected]) => [name, [before, exchange].flat(), expected]);
}

testInvariant('create.success/every-plain-body', [
  ['a creation', posted(NEW, made()), 'holds'],
  [
    'a refusal where one alike was created',
    [soldMade, posted(SOLD, refused(400))],
    broken('POST /pets with a plain NewPet with status "sold" returned 400; expected 201'),
  ],
  ['a 200 where one alike was created', [soldMade, posted(SOLD, { ...made(), status: 200 })], broken('returned 200')],
  ['a refusal where one alike was created among others', [soldMade, newMade, posted(SOLD, refused(400))], broken('returned 400')],
  ['a refusal where nothing was created', [posted(NEW, refused(400)), posted(SOLD, refused(400))], broken('returned 400')],
  [
    'a refusal where only unusual ones were created',
    [posted(SOLD, made(), { domain: 'unusual' }), posted(SOLD, refused(400))],
    broken('returned 400'),
  ],
  ['a refusal of another status', [soldMade, posted(PENDING, refused(400))], 'not-applicable'],
  ['a refusal without status', [soldMade, posted(NEW, refused(400))], 'not-applicable'],
  [
    'refusals now and then of those without status only',
    [soldMade, newMade, posted(NEW, refused(400)), posted(NEW, refused(400))],
    'not-applicable',
  ],
  [
    'refusals now and then with and without status',
    [soldMade, newMade, posted(SOLD, refused(400)), posted(NEW, refused(400)), posted(NEW, refused(400))],
    broken('without a status returned 400'),
  ],
  ['a refusal of what is no NewPet', [soldMade, posted('{"status":"sold"}', refused(400))], 'not-applicable'],
  ['another spelling', [newMade, posted('{"name":"rex","categoryId":1}', refused(400))], broken('returned 400')],
  ['a 201 without a body', posted(NEW, { status: 201, text: '' }), broken('returned 201 without the created Pet')],
  ['a 201 with null', posted(NEW, { status: 201, text: ' null' }), broken('returned 201 without the created Pet')],
  ['a refusal of chunks', [newMade, inChunks(posted(NEW, refused(400), { domain: 'open' }))], broken('returned 400')],
  ['a refusal of chunks for their length', [newMade, inChunks(posted(NEW, refused(411), { domain: 'open' }))], 'not-applicable'],
  ['a refusal for the length', [newMade, posted(NEW, refused(411))], broken('returned 411')],
  ...owned(SOLD, soldMade),
]);

testInvariant('create.status-values/every-plain-body', [
  ['a creation', posted(SOLD, made(SOLD)), 'holds'],
  [
    'a refusal where only another status was created',
    [soldMade, posted(PENDING, refused(400))],
    broken('POST /pets with a plain NewPet with status "pending" returned 400'),
  ],
  ['a refusal where only one without status was created', [newMade, posted(SOLD, refused(422))], broken('returned 422')],
  ['a refusal where one alike was created', [soldMade, posted(SOLD, refused(400))], 'not-applicable'],
  ['a refusal where nothing was created', posted(SOLD, refused(400)), 'not-applicable'],
  ['a refusal without status', [soldMade, posted(NEW, refused(400))], 'not-applicable'],
  ['a 201 without a body', [soldMade, posted(PENDING, { status: 201, text: '' })], 'holds'],
  keeping('another status in the store', shown(SOLD, { status: 'available' }, { status: 'available' }), broken('is available', '/status')),
  keeping('no status in the store', shown(SOLD, {}, {}), broken('created as sold is without a status', '/status')),
  keeping('a status that only the 201 shows otherwise', shown(SOLD, { status: 'available' }, SOLD, {}), 'holds'),
  keeping('a status that only the store has otherwise', shown(SOLD, SOLD, { status: 'available' }), 'holds'),
  ...owned(PENDING, soldMade),
]);

testInvariant('create.status-optional/every-body-without-status', [
  ['a creation', posted(NEW, made()), 'holds'],
  ['a refusal where only those with a status were created', [soldMade, posted(NEW, refused(400))], broken('without a status returned 400')],
  ['a refusal where one without status was created', [newMade, posted(NEW, refused(400))], 'not-applicable'],
  [
    'refusals now and then',
    [soldMade, newMade, posted(NEW, refused(400)), posted(NEW, refused(400))],
    broken('without a status returned 400'),
  ],
  ['a refusal where nothing was created', posted(NEW, refused(400)), 'not-applicable'],
  ['a refusal with a status', [soldMade, posted(PENDING, refused(400))], 'not-applicable'],
  keeping('a default that is kept', shown(NEW, SOLD, SOLD), 'holds'),
  keeping('a default that some place shows', shown(NEW, SOLD, {}, SOLD), 'holds'),
  keeping('another default in the store', shown(NEW, SOLD, PENDING), broken('sold in the 201, but pending when it is read', '/status')),
  keeping('no default in the store', shown(NEW, SOLD, {}), broken('but without a status when it is read', '/status')),
  keeping('a default that the 201 omits', shown(NEW, {}, SOLD), 'holds'),
  ...owned(NEW, soldMade),
]);

/** Creations with bodies that a clause forbids. */
const INVALID = [
  'create.name-required',
  'create.name-type',
  'create.category-required',
  'create.category-type',
  'create.category-range',
  'create.status-invalid',
  'create.body-json',
  'create.body-object',
];

/** More than a plain NewPet may have. */
const LARGE = 'x'.repeat(600);

for (const clause of INVALID) {
  const invalid = { domain: 'invalid', clause } as const;
  const elsewhere = { domain: 'invalid', clause: 'create.unknown' } as const;
  const plain = (status: number) => posted(NEW, refused(status));
  testInvariant(`${clause}/every-invalid-body`, [
    ['a refusal', posted({}, refused(400), invalid), 'holds'],
    ['a creation', posted({}, made(), invalid), broken('returned 201; expected 400')],
    ['another refusal', posted({}, refused(422), invalid), broken('returned 422; expected 400')],
    ['a success with another status', posted({}, { ...made(), status: 200 }, invalid), broken('returned 200; expected 400')],
    ['a body that was too large', posted({ name: LARGE }, refused(413), invalid), 'not-applicable'],
    ['a small body that was too large', posted({}, refused(413), invalid), broken('returned 413; expected 400')],
    ['a request to wait', posted({}, refused(429), invalid), 'not-applicable'],
    ['a refusal that plain ones do not get', [plain(403), posted({}, refused(422), invalid)], broken('returned 422; expected 400')],
    ['a creation after plain ones', [plain(201), posted({}, made(), invalid)], broken('returned 201; expected 400')],
    [
      'a refusal that plain ones without the key get',
      [posted(NEW, refused(422), { credential: NO_CREDENTIAL }), posted({}, refused(422), invalid)],
      broken('returned 422; expected 400'),
    ],
    [
      'a refusal that others get',
      [posted({}, refused(422), elsewhere), posted({}, refused(422), invalid)],
      broken('returned 422; expected 400'),
    ],
    ['a refused key', posted({}, refused(401), invalid), 'not-applicable'],
    ['a crash', posted({}, refused(500), invalid), 'not-applicable'],
    ['another credential', posted({}, made(), { ...invalid, credential: NO_CREDENTIAL }), 'not-applicable'],
    ['a body of another clause', posted({}, made(), elsewhere), 'not-applicable'],
    ['an open body', posted({}, made(), { domain: 'open', clause }), 'not-applicable'],
    ['no response', posted({}, 'timeout', invalid), 'not-applicable'],
  ]);
}

describe('creations that the document leaves open', () => {
  const NEW = { name: 'rex', categoryId: 1n };
  const open = { domain: 'open' } as const;
  const made = (changes: object = {}, status = 201): Reply => ({ status, body: { id: 7, ...NEW, ...changes } });
  const list = (...pets: object[]): Reply => ({ status: 200, body: pets });

  testInvariant('create.success/no-other-success', [
    ['a 201', posted(NEW, made(), open), 'holds'],
    ['a 200', posted(NEW, made({}, 200), open), broken('returned 200; the only success status is 201')],
    ['a 202 without a body', posted(NEW, { status: 202, text: '' }, open), broken('202')],
    ['a 201 without the animal', posted(NEW, { status: 201, text: 'null' }, open), broken('returned 201 without the created Pet')],
    [
      'a 201 without the animal to an unusual name',
      posted({ ...NEW, name: 'r x' }, { status: 201, text: '' }, { domain: 'unusual' }),
      broken('returned 201 without the created Pet'),
    ],
    ['a 200 to an unusual name', posted({ ...NEW, name: 'r x' }, made({}, 200), { domain: 'unusual' }), 'not-applicable'],
    ['a refusal', posted(NEW, { status: 409, body: {} }, open), 'not-applicable'],
    ['no response', posted(NEW, 'timeout', open), 'not-applicable'],
    ['another credential', posted(NEW, made({}, 200), { ...open, credential: NO_CREDENTIAL }), 'not-applicable'],
    ['a list', listed({}, list()), 'not-applicable'],
  ]);

  const MORE = { ...NEW, colour: 'brown', status: 'sold' };
  const plainBroken = knowledgeOf([
    knownAnimal(8n, { ...NEW, status: 'sold' }, { answered: { id: 8, name: 'rex', categoryId: 1, status: 'available' } }),
  ]);

  testInvariant('create.answer/every-201-to-open-bodies', [
    ['a 201 with what was sent', posted(MORE, made({ status: 'sold' }), open), 'holds'],
    [
      'a status that is lost',
      posted(MORE, made({ status: 'available' }), open),
      broken('shows status available; expected sold', '/status'),
    ],
    ['a status lost of plain animals too', posted(MORE, made({ status: 'available' }), open), 'not-applicable', plainBroken],
    ['a name that is changed', posted(NEW, made({ name: 'rex-2' }), open), broken('shows name "rex-2"; expected "rex"', '/name')],
    ['an id beside a name that is changed', posted({ ...NEW, id: 3 }, made({ name: 'r' }), { domain: 'unusual' }), broken('"r"', '/name')],
    ['an unusual name', posted({ ...NEW, name: 'r x' }, made({ name: 'r' }), open), 'not-applicable'],
    [
      'a name beside an unusual category',
      posted({ ...NEW, categoryId: EXACT }, made({ name: 'Rex', categoryId: EXACT }), { domain: 'unusual' }),
      broken('shows name "Rex"; expected "rex"', '/name'),
    ],
    ['an unusual category, which its own clause judges', posted({ ...NEW, categoryId: EXACT }, made(), { domain: 'unusual' }), 'holds'],
    [
      'a status beside an unusual name',
      posted({ ...NEW, name: 'r x', status: 'sold' }, made({ name: 'r x', status: 'pending' }), { domain: 'unusual' }),
      broken('shows status pending; expected sold', '/status'),
    ],
    [
      'a status lost of plain animals and of those with unusual names',
      posted({ ...NEW, name: 'r x', status: 'sold' }, made({ name: 'r x', status: 'pending' }), { domain: 'unusual' }),
      'not-applicable',
      plainBroken,
    ],
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
    ['no response', listed({}, 'timeout'), 'not-applicable', refused],
  ]);
});
