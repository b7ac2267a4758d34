import { describe, expect, test } from 'vitest';
import { INVALID_BODY_CLAUSES } from '../../src/clause/clause-ids.ts';
import { error, NAME, pet } from '../../test/support/history.ts';
import { broken, brokenBy, listed, NO_KEY, posted, type Row, read, type Step, testClause, verdictOn } from '../../test/support/judged.ts';

const named = (letters: string): string => `ConformanceTest${letters}`;
const NEW = { name: NAME, categoryId: 3 };
const SOLD = { ...NEW, status: 'sold' };
const PENDING = { ...NEW, status: 'pending' };
const made = (changes: object = {}) => ({ status: 201, body: { id: 7, ...NEW, ...changes } });
/** Others that were created. */
const SOLD_MADE = posted({ ...SOLD, name: named('Sold') }, { status: 201, body: pet(1, { name: named('Sold') }) });
const NEW_MADE = posted({ ...NEW, name: named('None') }, { status: 201, body: pet(2, { name: named('None') }) });
const another = (sent: object, reply: Step['reply']): Step => posted({ ...sent, name: named('Else') }, reply);

/** What no rule of plain creations judges. */
const strangers = (sent: object, reply: Step['reply']): readonly Row[] => [
  ['no response', posted(sent, 'timeout'), 'not-applicable'],
  ['another credential', posted(sent, reply, NO_KEY), 'not-applicable'],
  ['a list', listed({}, reply), 'not-applicable'],
  ['a read', read(7n, reply), 'not-applicable'],
];

/** What another clause judges does not break one about plain bodies. */
const rejections = (sent: object, before: Step): readonly Row[] => [
  ['a rejected key', [before, posted(sent, error(401))], 'not-applicable'],
  ['a crash', [before, posted(sent, error(500))], 'not-applicable'],
  ['a wait', [before, posted(sent, error(429))], 'not-applicable'],
  ['an operation that is not there', [before, posted(sent, error(501))], broken('returned 501')],
  ['an unusual name', [before, posted({ ...sent, name: 'r x' }, error(400))], 'not-applicable'],
  ...strangers(sent, error(400)),
];

testClause('create.success', [
  ['a creation', posted(NEW, made()), 'holds'],
  [
    'a rejection where one alike was created',
    [SOLD_MADE, posted(SOLD, error(400))],
    broken('POST /pets with a plain NewPet with status "sold" returned 400; expected 201'),
  ],
  ['a 200 where one alike was created', [SOLD_MADE, posted(SOLD, { ...made(), status: 200 })], broken('returned 200')],
  ['a rejection where one alike was created among others', [SOLD_MADE, NEW_MADE, posted(SOLD, error(400))], broken('returned 400')],
  [
    'a rejection where nothing was created, and an animal of others has the category',
    [listed({}, { status: 200, body: [pet(9, { name: 'Ann' })] }), another(NEW, error(400)), posted(SOLD, error(400))],
    broken('returned 400'),
  ],
  ['a rejection where nothing shows that there is such a category', [another(NEW, error(400)), posted(SOLD, error(400))], 'not-applicable'],
  [
    'a rejection where only an unusual one was created',
    [posted({ ...SOLD, name: 'r x' }, made({ name: 'r x' })), posted(SOLD, error(400))],
    broken('returned 400'),
  ],
  ['a rejection of another status', [SOLD_MADE, posted(PENDING, error(400))], 'not-applicable'],
  ['a rejection without status', [SOLD_MADE, posted(NEW, error(400))], 'not-applicable'],
  [
    'rejections now and then of those without status only',
    [SOLD_MADE, NEW_MADE, another(NEW, error(400)), posted(NEW, error(400))],
    'not-applicable',
  ],
  [
    'rejections now and then with and without status',
    [SOLD_MADE, NEW_MADE, another(SOLD, error(400)), posted(NEW, error(400))],
    broken('without a status returned 400'),
  ],
  ['a rejection of what is no NewPet', [SOLD_MADE, posted('{"status":"sold"}', error(400))], 'not-applicable'],
  ['another spelling', [NEW_MADE, posted(`{ "categoryId": 3, "name":"${NAME}"}`, error(400))], broken('returned 400')],
  ['a 201 without a body', posted(NEW, { status: 201, text: '' }), broken('returned 201 without the created Pet')],
  ['a 201 with null', posted(NEW, { status: 201, text: ' null' }), broken('returned 201 without the created Pet')],
  ['a rejection of chunks', [NEW_MADE, posted(NEW, error(400), { framing: 'chunked' })], broken('returned 400')],
  ['a rejection of chunks for their length', [NEW_MADE, posted(NEW, error(411), { framing: 'chunked' })], 'not-applicable'],
  ['a rejection for the length', [NEW_MADE, posted(NEW, error(411))], broken('returned 411')],
  ...rejections(SOLD, SOLD_MADE),
]);

const OPEN = { ...NEW, color: 'brown' };
const UNUSUAL = { ...NEW, name: 'r x' };

testClause('create.success', [
  ['a 201 to what may be rejected', posted(OPEN, made()), 'holds'],
  ['a 200 to what may be rejected', posted(OPEN, { ...made(), status: 200 }), broken('returned 200; the only success status is 201')],
  ['a 202 without a body to it', posted(OPEN, { status: 202, text: '' }), broken('202')],
  ['a 201 without the animal to it', posted(OPEN, { status: 201, text: 'null' }), broken('returned 201 without the created Pet')],
  ['a 201 without the animal to an unusual name', posted(UNUSUAL, { status: 201, text: '' }), broken('201 without the created Pet')],
  ['a 200 to an unusual name', posted(UNUSUAL, { ...made({ name: 'r x' }), status: 200 }), 'not-applicable'],
  ['a rejection of what may be rejected', posted(OPEN, error(409)), 'not-applicable'],
  ...strangers(OPEN, { ...made(), status: 200 }),
]);

testClause('create.status-values', [
  ['a creation', posted(SOLD, made(SOLD)), 'holds'],
  [
    'a rejection where only another status was created',
    [SOLD_MADE, posted(PENDING, error(400))],
    broken('POST /pets with a plain NewPet with status "pending" returned 400'),
  ],
  ['a rejection where only one without status was created', [NEW_MADE, posted(SOLD, error(422))], broken('returned 422')],
  ['a rejection where one alike was created', [SOLD_MADE, posted(SOLD, error(400))], 'not-applicable'],
  ['a rejection where nothing was created', posted(SOLD, error(400)), 'not-applicable'],
  ['a rejection without status', [SOLD_MADE, posted(NEW, error(400))], 'not-applicable'],
  ['a 201 without a body', [SOLD_MADE, posted(PENDING, { status: 201, text: '' })], 'holds'],
  ...rejections(PENDING, SOLD_MADE),
]);

testClause('create.status-optional', [
  ['a creation', posted(NEW, made()), 'holds'],
  [
    'a rejection where only those with a status were created',
    [SOLD_MADE, posted(NEW, error(400))],
    broken('without a status returned 400'),
  ],
  ['a rejection where one without status was created', [NEW_MADE, posted(NEW, error(400))], 'not-applicable'],
  [
    'rejections now and then',
    [SOLD_MADE, NEW_MADE, another(NEW, error(400)), posted(NEW, error(400))],
    broken('without a status returned 400'),
  ],
  ['a rejection where nothing was created', posted(NEW, error(400)), 'not-applicable'],
  ['a rejection with a status', [SOLD_MADE, posted(PENDING, error(400))], 'not-applicable'],
  ...rejections(NEW, SOLD_MADE),
]);

/** A body that each clause forbids. */
const INVALID: Readonly<Record<(typeof INVALID_BODY_CLAUSES)[number], string>> = {
  'create.name-required': '{"categoryId":3}',
  'create.name-type': '{"name":7,"categoryId":3}',
  'create.category-required': `{"name":"${named('Cate')}"}`,
  'create.category-type': `{"name":"${named('Type')}","categoryId":"3"}`,
  'create.category-range': `{"name":"${named('Long')}","categoryId":9223372036854775808}`,
  'create.status-invalid': `{"name":"${named('Stat')}","categoryId":3,"status":"gone"}`,
  'create.body-json': '{',
  'create.body-object': '[]',
};
const large = (text: string): string => `${' '.repeat(2_000)}${text}`;

for (const [index, clause] of INVALID_BODY_CLAUSES.entries()) {
  const body = INVALID[clause];
  const elsewhere = INVALID[INVALID_BODY_CLAUSES[(index + 1) % INVALID_BODY_CLAUSES.length] ?? clause];
  testClause(clause, [
    ['a rejection', posted(body, error(400)), 'holds'],
    ['a creation', posted(body, made()), broken('returned 201; expected 400')],
    ['another rejection', posted(body, error(422)), broken('returned 422; expected 400')],
    ['a success with another status', posted(body, { ...made(), status: 200 }), broken('returned 200; expected 400')],
    ['a body that was too large', posted(large(body), error(413)), 'not-applicable'],
    ['a small body that was too large', posted(body, error(413)), broken('returned 413; expected 400')],
    ['a request to wait', posted(body, error(429)), 'not-applicable'],
    ['a rejected key', posted(body, error(401)), 'not-applicable'],
    ['a crash', posted(body, error(500)), 'not-applicable'],
    ['another credential', posted(body, made(), NO_KEY), 'not-applicable'],
    ['a body of another clause', posted(elsewhere, made()), 'not-applicable'],
    ['an open media type', posted(body, made(), { client: { without: ['content-type'] } }), 'not-applicable'],
    ['a rejection of another client', posted(body, error(406), { headers: [['accept', 'text/html']] }), 'not-applicable'],
    ['no response', posted(body, 'timeout'), 'not-applicable'],
  ]);
}

describe('invalid bodies that are rejected with a status other than 400', () => {
  const PLAIN = NEW_MADE;
  const reject = (statusOf: (clause: string, index: number) => number): readonly Step[] =>
    INVALID_BODY_CLAUSES.map((clause, index) => posted(INVALID[clause], error(statusOf(clause, index))));
  const redIn = (steps: readonly Step[]) => brokenBy(steps, INVALID_BODY_CLAUSES).toSorted();

  test('break the simplest clause alone if all are rejected in the same way', () => {
    expect(redIn([PLAIN, ...reject(() => 422)])).toEqual(['create.name-required']);
  });

  test('break both clauses if they are wrong in one property only', () => {
    const own = ['create.name-required', 'create.name-type'];
    const steps = [PLAIN, ...reject((clause) => (own.includes(clause) ? 409 : 400))];
    expect(redIn(steps)).toEqual(own);
    expect(verdictOn('create.body-json', steps)?.verdict).toBe('pass');
  });

  test('each break their own if they are rejected differently, or accepted', () => {
    expect(redIn([PLAIN, ...reject((_clause, index) => 402 + index)])).toEqual(INVALID_BODY_CLAUSES.toSorted());
    expect(redIn([PLAIN, ...INVALID_BODY_CLAUSES.map((clause) => posted(INVALID[clause], made()))])).toEqual(
      INVALID_BODY_CLAUSES.toSorted(),
    );
  });

  test('break none if plain ones are then rejected in the same way', () => {
    const nameless = posted(INVALID['create.name-required'], error(409));
    const plain = (status: number): Step => another(NEW, status < 300 ? made({ name: named('Else') }) : error(status));
    const one = (letters: string, status: number): Step => ({ ...plain(status), asked: { body: { ...NEW, name: named(letters) } } });
    expect(redIn([PLAIN, nameless, one('Full', 409)])).toEqual([]);
    expect(redIn([one('Hard', 422), nameless, one('Firm', 422), PLAIN])).toEqual(['create.name-required']);
    expect(redIn([one('Full', 409), PLAIN, nameless, plain(201)])).toEqual(['create.name-required']);
  });
});

test('a rejection with 400 proves nothing if no plain body was accepted, even if invalid ones were', () => {
  const seen = listed({}, { status: 200, body: [pet(1)] });
  const right = posted(INVALID['create.name-required'], error(400));
  const verdict = (...steps: readonly Step[]) => verdictOn('create.name-required', [seen, ...steps, right]);
  expect(verdict(NEW_MADE)?.verdict).toBe('pass');
  expect(verdict(another(NEW, error(400)))).toMatchObject({ verdict: 'inconclusive', blockedBy: 'create.success' });
  expect(verdict(posted(INVALID['create.body-object'], made()))?.verdict).toBe('inconclusive');
});
