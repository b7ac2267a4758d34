import { knowledgeOf, knownAnimal, listed, type Reply, read } from '../support/exchange-samples.ts';
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

type Header = readonly [name: string, value: string];

const readWith = (...headers: readonly Header[]): Reply => ({
  status: 200,
  body: {},
  headers: [['content-type', 'application/json'], ...headers],
});
const sunset = (day: string, time = '00:00:00'): Header => ['sunset', `${day} ${time} GMT`];
const deprecated = (moment: number): Header => ['deprecation', `@${moment / 1000}`];
const FIRST = Date.UTC(2030, 11, 4, 10);
const LAST = Date.UTC(2030, 11, 6, 12);
const RIGHT = sunset('Thu, 05 Dec 2030');

testInvariant('deprecation.date-agrees/every-response', [
  ['the day', read(7n, readWith(RIGHT)), 'holds'],
  ['where the day begins first', read(7n, readWith(sunset('Wed, 04 Dec 2030', '10:00:00'))), 'holds'],
  ['where the day ends last', read(7n, readWith(sunset('Fri, 06 Dec 2030', '12:00:00'))), 'holds'],
  [
    'a second before',
    read(7n, readWith(sunset('Wed, 04 Dec 2030', '09:59:59'))),
    broken('GET /pets/7 announces a different removal date: Sunset: Wed'),
  ],
  ['a second behind', read(7n, readWith(sunset('Fri, 06 Dec 2030', '12:00:01'))), broken('announces a different removal date')],
  ['another day whose weekday is wrong', read(7n, readWith(sunset('Mon, 12 May 2030'))), broken('Mon, 12 May 2030')],
  ['a Deprecation of long ago', read(7n, readWith(deprecated(0))), 'holds'],
  ['a Deprecation on the day', read(7n, readWith(deprecated(LAST))), 'holds'],
  ['a Deprecation before the day', read(7n, readWith(deprecated(FIRST - 1000))), 'holds'],
  [
    'a Deprecation behind the day',
    read(7n, readWith(deprecated(LAST + 1000))),
    broken('dates the deprecation after the removal: Deprecation: @'),
  ],
  ['both', read(7n, readWith(deprecated(0), RIGHT)), 'holds'],
  ['a wrong Sunset behind a right Deprecation', read(7n, readWith(deprecated(0), sunset('Sun, 12 May 2030'))), broken('Sunset')],
  ['a date on an error', read(7n, { ...readWith(sunset('Sun, 12 May 2030')), status: 404 }), broken('12 May 2030')],
  ['a Deprecation that tells no moment', read(7n, readWith(['deprecation', 'true'])), 'not-applicable'],
  ['a Sunset twice', read(7n, readWith(sunset('Sun, 12 May 2030'), RIGHT)), 'not-applicable'],
  ['no announcement', read(7n, readWith()), 'not-applicable'],
  ['a list', listed({}, readWith(sunset('Sun, 12 May 2030'))), 'not-applicable'],
  ['no response', read(7n, 'timeout'), 'not-applicable'],
]);

testInvariant('deprecation.headers-well-formed/every-response', [
  ['a structured date', read(7n, readWith(deprecated(0))), 'holds'],
  ['an IMF-fixdate', read(7n, readWith(RIGHT)), 'holds'],
  ['a Sunset with blanks around', read(7n, readWith(['sunset', ` ${RIGHT[1]} `])), 'holds'],
  ['a Sunset of a list', listed({}, readWith(['sunset', '2030-12-05'])), broken('GET /pets sent a header that is not an IMF-fixdate')],
  [
    'a Deprecation of an older draft',
    read(7n, readWith(['deprecation', 'true'])),
    broken('is not a structured date such as "@1735689600": Deprecation: true'),
  ],
  ['a wrong Sunset behind a right Deprecation', read(7n, readWith(deprecated(0), ['sunset', 'soon'])), broken('Sunset: soon')],
  ['a Sunset twice', read(7n, readWith(RIGHT, RIGHT)), broken('was sent 2 times: Sunset: Thu')],
  ['no announcement', read(7n, readWith()), 'not-applicable'],
  ['no response', read(7n, 'timeout'), 'not-applicable'],
]);
