import { expect, test } from 'vitest';
import { judgeHistory } from '../../src/oracle/verdicts.ts';
import { error, history, NAME } from '../../test/support/history.ts';
import { broken, listed, NO_KEY, posted, read, type Step, testClause } from '../../test/support/judged.ts';
import { clauses } from './index.ts';

const SENT = { name: NAME, categoryId: 3, status: 'sold' };
const PET = { id: 7, ...SENT };
const OTHER = { id: 8, name: 'Tom', categoryId: 3, status: 'pending' };
const ok = (body: unknown) => ({ status: 200, body });
const CREATED = [posted(SENT, { status: 201, body: PET })];
const WITHOUT_ID = read(7n, ok(SENT));
const BEYOND = [2n ** 61n, 2n ** 62n].map((id) => read(id, ok({ ...PET, id })));
const OF_NOBODY = 'returned 200 for an id that no animal has';

// An id that nobody knows may be that of an animal that no list shows.
testClause('get.not-found', [
  ['a 404', read(9n, error(404)), 'holds', CREATED],
  ['an animal of its own', read(9n, ok({ ...PET, id: 9 })), 'not-applicable', CREATED],
  ['an animal of its own in a text that is not JSON', read(9n, { status: 200, text: '{"id": 9,"rating":NaN}' }), 'not-applicable', CREATED],
  ['another animal in a text that is not JSON', read(9n, { status: 200, text: '{"id":90,"rating":NaN}' }), broken(OF_NOBODY), CREATED],
  ['an animal without an id where all reads show theirs so', [WITHOUT_ID, read(9n, ok(SENT))], 'not-applicable', CREATED],
  ['an animal without an id where other reads show one', [read(7n, ok(PET)), read(9n, ok(SENT))], broken(OF_NOBODY), CREATED],
  ['an empty object where reads show animals without an id', [WITHOUT_ID, read(9n, ok({}))], broken(OF_NOBODY), CREATED],
  ['an animal for one id beyond any', BEYOND.slice(1), 'not-applicable', CREATED],
  ['an animal for each of two ids beyond any', BEYOND, broken('makes up an animal for any id'), CREATED],
]);

testClause('deprecation.still-works', [
  ['a read of a known animal', read(7n, ok(PET)), 'holds', CREATED],
  ['a known animal that is gone as if getPet were removed', read(7n, error(410)), broken('before the removal on 5 December 2030'), CREATED],
  ['an animal that nobody knows, gone in the same way', read(9n, error(410)), 'not-applicable', CREATED],
  ['a list that is gone', listed({}, error(410)), 'not-applicable', CREATED],
]);

const SEEN = [listed({}, ok([PET]))];
const EXACT = 9_007_199_254_740_993n;
const FAR_SEEN = [listed({}, ok([{ ...PET, id: EXACT }]))];
const ELSEWHERE = { headers: [['x-original-url', '/v1/pets/8']] } as const;

testClause('get.identity', [
  ['the animal asked for', read(7n, ok(PET)), 'holds', SEEN],
  ['the animal asked for, created but not yet seen', read(7n, ok(PET)), 'holds', CREATED],
  ['another animal', read(7n, ok(OTHER)), broken('GET /pets/7 returned animal 8', '/id'), SEEN],
  ['another animal for a created one', read(7n, ok(OTHER)), broken('GET /pets/7 returned animal 8', '/id'), CREATED],
  ['an id rounded to a double', read(EXACT, ok({ ...PET, id: EXACT - 1n })), broken('740992', '/id'), FAR_SEEN],
  ['an exact id', read(EXACT, ok({ ...PET, id: EXACT })), 'holds', FAR_SEEN],
  ['an id that nobody knows', read(9n, ok(OTHER)), 'not-applicable', SEEN],
  ['an id that is a text', read(7n, ok({ ...PET, id: '8' })), 'not-applicable', SEEN],
  [
    'another animal without the key, whose headers name another path',
    read(7n, ok(OTHER), { ...NO_KEY, ...ELSEWHERE }),
    'not-applicable',
    SEEN,
  ],
  ['another animal with the key, whatever else is asked for', read(7n, ok(OTHER), ELSEWHERE), broken('animal 8', '/id'), SEEN],
  ['a path that is no id', read('x', ok(PET)), 'not-applicable', SEEN],
  ['a list', listed({}, ok([OTHER])), 'not-applicable', SEEN],
  ['an array for an animal', read(7n, ok([OTHER])), 'not-applicable', SEEN],
  ['a null for an animal', read(7n, ok(null)), 'not-applicable', SEEN],
  ['no JSON', read(7n, { status: 200, text: '' }), 'not-applicable', SEEN],
  ['a rejection', read(7n, { status: 404, body: OTHER }), 'not-applicable', SEEN],
  ['no response', read(7n, 'timeout'), 'not-applicable', SEEN],
]);

type Header = readonly [name: string, value: string];
const readWith = (...headers: readonly Header[]) => ({
  status: 200,
  body: PET,
  headers: [['content-type', 'application/json'], ...headers] as const,
});
const readsWith = (...headers: readonly Header[]): Step => read(7n, readWith(...headers));
const sunset = (day: string, time = '00:00:00'): Header => ['sunset', `${day} ${time} GMT`];
const deprecated = (moment: number): Header => ['deprecation', `@${moment / 1000}`];
const FIRST = Date.UTC(2030, 11, 4, 10);
const LAST = Date.UTC(2030, 11, 6, 12);
const RIGHT = sunset('Thu, 05 Dec 2030');
const WRONG = sunset('Sun, 12 May 2030');

testClause('deprecation.date-agrees', [
  ['the day', readsWith(RIGHT), 'holds'],
  ['where the day begins first', readsWith(sunset('Wed, 04 Dec 2030', '10:00:00')), 'holds'],
  ['where the day ends last', readsWith(sunset('Fri, 06 Dec 2030', '12:00:00')), 'holds'],
  [
    'a second before',
    readsWith(sunset('Wed, 04 Dec 2030', '09:59:59')),
    broken('GET /pets/7 announces a different removal date: Sunset: Wed'),
  ],
  ['a second after', readsWith(sunset('Fri, 06 Dec 2030', '12:00:01')), broken('announces a different removal date')],
  ['another day whose weekday is wrong', readsWith(sunset('Mon, 12 May 2030')), broken('Mon, 12 May 2030')],
  ['a Deprecation of long ago', readsWith(deprecated(0)), 'holds'],
  ['a Deprecation on the day', readsWith(deprecated(LAST)), 'holds'],
  ['a Deprecation before the day', readsWith(deprecated(FIRST - 1000)), 'holds'],
  ['a Deprecation after the day', readsWith(deprecated(LAST + 1000)), broken('dates the deprecation after the removal: Deprecation: @')],
  ['both', readsWith(deprecated(0), RIGHT), 'holds'],
  ['a wrong Sunset after a right Deprecation', readsWith(deprecated(0), WRONG), broken('Sunset')],
  ['a date on an error', read(7n, { ...readWith(WRONG), status: 404 }), broken('12 May 2030')],
  ['a Deprecation that tells no moment', readsWith(['deprecation', 'true']), 'not-applicable'],
  ['a Sunset twice', readsWith(WRONG, RIGHT), 'not-applicable'],
  ['no announcement', readsWith(), 'not-applicable'],
  ['a list', listed({}, readWith(WRONG)), 'not-applicable'],
  ['no response', read(7n, 'timeout'), 'not-applicable'],
]);

test('deprecation.date-agrees does not apply to a service whose reads have no date', () => {
  const run = history();
  run.add({}, { status: 200, body: [PET] });
  run.add({ target: '/pets/7' }, readWith(['deprecation', 'true']));
  expect(judgeHistory(clauses, run.now()).find(({ clause }) => clause.id === 'deprecation.date-agrees')).toMatchObject({
    verdict: 'not-applicable',
    note: 'getPet sends no Deprecation or Sunset header with a date',
  });
});

testClause('deprecation.headers-well-formed', [
  ['a structured date', readsWith(deprecated(0)), 'holds'],
  ['a structured date with a parameter', readsWith(['deprecation', '@0;x=1']), 'holds'],
  ['an IMF-fixdate', readsWith(RIGHT), 'holds'],
  ['a Sunset with blanks around', readsWith(['sunset', ` ${RIGHT[1]} `]), 'holds'],
  ['a Sunset of a list', listed({}, readWith(['sunset', '2030-12-05'])), broken('GET /pets sent a header that is not an IMF-fixdate')],
  ['an obsolete form of a Sunset', readsWith(['sunset', 'Thursday, 05-Dec-30 00:00:00 GMT']), broken('is not an IMF-fixdate')],
  ['a Sunset at an hour that does not exist', readsWith(sunset('Thu, 05 Dec 2030', '25:00:00')), broken('does not exist')],
  ['a Deprecation of a fraction', readsWith(['deprecation', '@1.5']), broken('is not a structured date')],
  ['a Sunset on a day that does not exist', readsWith(sunset('Sat, 30 Feb 2030')), broken('names a date or time that does not exist')],
  ['a Sunset with another weekday', readsWith(sunset('Mon, 05 Dec 2030')), broken('says Mon, but that date is a Thu')],
  [
    'a Deprecation of an older draft',
    readsWith(['deprecation', 'true']),
    broken('is not a structured date such as "@1735689600": Deprecation: true'),
  ],
  ['a wrong Sunset after a right Deprecation', readsWith(deprecated(0), ['sunset', 'soon']), broken('Sunset: soon')],
  ['a Sunset twice', readsWith(RIGHT, RIGHT), broken('was sent 2 times: Sunset: Thu')],
  ['no announcement', readsWith(), 'not-applicable'],
  ['no response', read(7n, 'timeout'), 'not-applicable'],
]);
