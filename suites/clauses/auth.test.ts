import { describe, expect, test } from 'vitest';
import { error, KEY, NAME, pet } from '../../test/support/history.ts';
import { broken, brokenBy, judgementOn, listed, NO_KEY, posted, type Row, read, type Step, testClause } from '../../test/support/judged.ts';

const NEW = { name: NAME, categoryId: 3 };
const PET = pet(7);
const ok = (body: unknown) => ({ status: 200, body });
/** Shows animal 7. */
const SEEN = listed({}, ok([PET]));

/** A credential of each family, and its words in reports. */
const FAMILIES: Readonly<Record<string, readonly [said: string, asked: Step['asked']]>> = {
  'auth.missing-credential': ['no credential', NO_KEY],
  'auth.wrong-key': ['a wrong key', { credential: `Bearer ${[...KEY].reverse().join('').toLowerCase()}` }],
  'auth.wrong-scheme': ['another scheme', { credential: `Basic ${KEY}` }],
  'auth.header-only': ['the API key in another header', { ...NO_KEY, headers: [['x-api-key', KEY]] }],
};

for (const [clause, [said, asked]] of Object.entries(FAMILIES)) {
  const others = Object.values(FAMILIES).filter(([other]) => other !== said);
  testClause(clause, [
    ['a rejected list', listed({}, error(401), asked), 'holds'],
    ['a list', listed({ limit: 5 }, ok([]), asked), broken(new RegExp(`^GET /pets\\?limit=5 with ${said}.* returned 200; expected 401$`))],
    ['another rejection', listed({ status: 'sold' }, error(403), asked), broken('returned 403')],
    ['a creation', posted(NEW, { status: 201, body: PET }, asked), broken('returned 201')],
    ['an existing animal', read(7n, ok(PET), asked), broken('returned 200'), [SEEN]],
    ['an animal that nobody has seen', read(8n, error(404), asked), 'not-applicable', [SEEN]],
    ['an id that is none', read('x', error(400), asked), 'not-applicable', [SEEN]],
    ['a limit out of range', listed({ limit: 0 }, error(400), asked), 'not-applicable'],
    ['an unknown status', listed({ status: 'gone' }, error(400), asked), 'not-applicable'],
    ['a body that is invalid too', posted({}, error(400), asked), 'not-applicable'],
    ['a body that is unusual', posted({ ...NEW, name: 'r x' }, error(400), asked), 'not-applicable'],
    ['the API key', listed({}, ok([])), 'not-applicable'],
    ['a credential that may be right', listed({}, ok([]), { credential: `bearer ${KEY}` }), 'not-applicable'],
    ...others.map(([other, given]): Row => [`other credentials: ${other}`, listed({}, ok([]), given), 'not-applicable']),
    ['no response', listed({}, 'timeout', asked), 'not-applicable'],
  ]);
}

testClause('auth.precedence', [
  ['a limit out of range that is rejected for the credential', listed({ limit: 0 }, error(401), NO_KEY), 'holds'],
  ['one that is rejected for the limit', listed({ limit: 0 }, error(400), NO_KEY), broken('returned 400; expected 401')],
  ['an invalid body that is rejected for itself', posted({}, error(400), NO_KEY), broken('returned 400; expected 401')],
  ['a missing animal that is rejected for itself', read(8n, error(404), NO_KEY), broken('returned 404; expected 401'), [SEEN]],
  ['a valid request', listed({ limit: 5 }, error(400), NO_KEY), 'not-applicable'],
]);

testClause('auth.valid-key', [
  ['a list', listed({}, ok([])), 'holds'],
  ['a crash', listed({}, error(500)), 'holds'],
  ['a rejected list', listed({}, error(401)), broken('GET /pets with the API key returned 401')],
  ['a rejected read', read(7n, error(401)), broken('returned 401')],
  ['a rejected creation, however odd', posted({}, error(401)), broken('returned 401')],
  ['a list that is forbidden', listed({ limit: 5, status: 'sold' }, error(403)), broken('returned 403')],
  ['a plain creation that is forbidden', posted(NEW, error(403)), broken('returned 403')],
  ['an unusual creation that is forbidden', posted({ ...NEW, name: 'r x' }, error(403)), 'holds'],
  ['a list with an unknown parameter that is forbidden', listed({ page: 2 }, error(403)), 'holds'],
  ['a read that is forbidden', read(7n, error(403)), 'holds'],
  ['a list of an odd limit that is forbidden', listed({ limit: 0 }, error(403)), 'holds'],
  ['a list of an odd status that is forbidden', listed({ status: 'gone' }, error(403)), 'holds'],
  ['another credential', listed({}, error(401), NO_KEY), 'not-applicable'],
  ['no response', listed({}, 'timeout'), 'not-applicable'],
]);

const challenged = (...values: readonly string[]): Step =>
  listed({}, { ...error(401), headers: [['x', 'Bearer'], ...values.map((value) => ['www-authenticate', value] as const)] }, NO_KEY);

testClause('auth.challenge', [
  ['a Bearer challenge', challenged('Bearer realm="pets"'), 'holds'],
  ['a bare one in small letters', challenged('bearer'), 'holds'],
  ['one after another', challenged('Basic realm="pets", Bearer'), 'holds'],
  ['one in a second header', challenged('Basic', 'Bearer, Basic'), 'holds'],
  ['another scheme', challenged('Basic realm="Bearer"'), broken('has no Bearer challenge')],
  ['a scheme that only begins alike', challenged('BearerToken'), broken('no Bearer challenge')],
  ['a scheme that only ends alike', challenged('x-Bearer'), broken('no Bearer challenge')],
  ['no challenge', challenged(), broken('the 401 response to GET /pets has no Bearer challenge')],
  ['another rejection', listed({}, error(403)), 'not-applicable'],
  ['no response', listed({}, 'timeout'), 'not-applicable'],
]);

describe('auth.refused-stores-nothing', () => {
  const CLAUSE = 'auth.refused-stores-nothing';
  const REX = { id: 7, ...NEW };
  const list = listed({}, ok([{ ...REX, id: 8, name: 'Tom' }, REX]));
  const told = (reply: Step['reply'], ...steps: readonly Step[]) => judgementOn(CLAUSE, [posted(NEW, reply, NO_KEY), ...steps]);

  test.each([401, 400])('finds an animal whose creation got %i, in a list and alone, whenever it is shown', (status) => {
    const finding = (words: string) => ({ summary: expect.stringContaining(words) });
    const others = listed({}, ok([{ ...REX, name: 'Tom' }]));
    expect(told(error(status), others)).toBe('holds');
    expect(told(error(status), others, list)).toMatchObject({ ...finding(`GET /pets shows animal 7, "${NAME}"`), pointer: '/1' });
    expect(told(error(status), read(7n, ok(REX)))).toMatchObject(finding('GET /pets/7 shows animal 7'));
  });

  test('holds if other animals are shown, or none', () => {
    expect(told(error(401), read(7n, ok({ ...REX, name: 'Tom' })))).toBe('holds');
    expect(told(error(401), read(7n, { status: 404, body: REX }))).toBe('holds');
  });

  test.each<[string, Step['reply'], readonly Step[]]>([
    ['a creation that was let in', { status: 299, body: {} }, [list]],
    ['a creation without a response', 'timeout', [list]],
    ['a name that was created as well', error(401), [posted(NEW, { status: 201, body: REX }), list]],
    ['no JSON', error(401), [listed({}, { status: 200, text: '{' })]],
    ['no response', error(401), [listed({}, 'timeout')]],
  ])('says nothing of %s', (_what, reply, steps) => {
    expect(told(reply, ...steps)).toBe('not-applicable');
  });
});

describe('auth.every-request', () => {
  const ASKED = ['auth.missing-credential', 'auth.every-request'];
  let limit = 1;
  /** A list without the key, on a connection: what came before it there is what it may inherit. */
  const without = (connection: number, status: number): Step => {
    limit += 1;
    return listed({ limit }, { status, body: [], connection }, NO_KEY);
  };
  const withKey = (connection: number): Step => listed({ limit: 50 }, { status: 200, body: [], connection });
  const rejected = [without(11, 401), without(12, 401)];

  test('explains what was accepted without the key, if each request after the key was accepted and none before', () => {
    const steps = [...rejected, withKey(1), without(1, 200), without(1, 200)];
    expect(brokenBy(steps, ASKED)).toEqual(['auth.every-request']);
  });

  test.each<[string, readonly Step[], readonly string[]]>([
    [
      'one after the key was rejected',
      [...rejected, withKey(1), without(1, 200), without(1, 401), without(1, 401)],
      ['auth.missing-credential'],
    ],
    ['nothing came before the key', [withKey(1), without(1, 200), without(1, 200)], ['auth.missing-credential']],
    [
      'one was let in before the key',
      [...rejected, without(13, 200), withKey(1), without(1, 200), without(1, 200)],
      ['auth.missing-credential'],
    ],
    ['none was let in', [...rejected, withKey(1), without(1, 401)], []],
  ])('explains nothing if %s', (_what, steps, clauses) => {
    expect(brokenBy(steps, ASKED)).toEqual(clauses);
  });
});

test.each([
  [401, true],
  [403, true],
  [200, false],
  [400, false],
])('auth.precedence: a valid request with the credential that gets %i leaves it broken: %s', (status, isBroken) => {
  const steps = [listed({ limit: 5 }, { status, body: [] }, NO_KEY), listed({ limit: 0 }, error(400), NO_KEY)];
  expect(brokenBy(steps, ['auth.precedence'])).toEqual(isBroken ? ['auth.precedence'] : []);
});

test.each([
  ['at one of its places', ['x-token'], 200, []],
  ['at all of them', ['x-token', 'x-app-key'], 200, []],
  ['at another place as well', ['x-token', 'x-auth'], 200, ['auth.precedence']],
  ['at one of them, and rejects it', ['x-token'], 401, ['auth.precedence']],
])('auth.precedence: an accepted creation is explained by a list that has the key %s', (_case, places, status, expected) => {
  const withKeys = (names: readonly string[]) => ({ ...NO_KEY, headers: names.map((name): [string, string] => [name, KEY]) });
  const odd = posted({ ...NEW, name: 'r x' }, { status: 201, body: PET }, withKeys(['x-token', 'x-app-key']));
  expect(brokenBy([SEEN, listed({ limit: 5 }, { status, body: [] }, withKeys(places)), odd], ['auth.precedence'])).toEqual(expected);
});

const UNRELATED = { credential: `Bearer ${[...KEY].reverse().join('').toLowerCase()}` };
const SUFFIX = { credential: `Bearer ${KEY.slice(1)}` };
const BASIC = { credential: `Basic ${KEY}` };

test.each<[string, readonly Step['asked'][], readonly string[]]>([
  ['anything', [NO_KEY, UNRELATED, SUFFIX, BASIC], ['auth.missing-credential']],
  ['any key and any scheme', [UNRELATED, SUFFIX, BASIC], ['auth.wrong-key']],
  ['a part of the key, and another scheme', [SUFFIX, BASIC], ['auth.wrong-key', 'auth.wrong-scheme']],
])('a service that accepts %s breaks the clause of the plainest request', (_what, accepted, expected) => {
  const steps = [NO_KEY, UNRELATED, SUFFIX, BASIC].map((asked) => listed({}, accepted.includes(asked) ? ok([PET]) : error(401), asked));
  expect(brokenBy([SEEN, ...steps], Object.keys(FAMILIES))).toEqual(expected);
});
