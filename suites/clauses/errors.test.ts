import { expect, test } from 'vitest';
import { judgeHistory } from '../../src/oracle/verdicts.ts';
import { error, history, NAME } from '../../test/support/history.ts';
import { broken, judged, listed, posted, type Row, read, testClause } from '../../test/support/judged.ts';
import { clauses } from './index.ts';

const PET = { id: 7, name: NAME, categoryId: 3 };
const NEW = { name: NAME, categoryId: 3 };
const problem = (status: number, changes: object = {}) => ({ status, body: { code: 'x', message: 'y', status, ...changes } });
const TYPES = { 'text/html': [['content-type', 'text/html']], none: [] } as const;
const OK = { status: 200, body: [] };

testClause('errors.no-server-error', [
  ['a success', listed({}, OK), 'holds'],
  ['a rejection', listed({ limit: 0 }, error(400)), 'holds'],
  ['the last status that is none', listed({}, error(499)), 'holds'],
  ['a crash', read(7n, error(500)), broken('GET /pets/7 returned 500')],
  ['a gateway that finds no service', listed({}, { status: 502, text: '<html>' }), broken('returned 502')],
  ['501 of a list', listed({}, error(501)), broken('returned 501')],
  ['501 of a creation', posted(NEW, error(501)), broken('returned 501')],
  ['501 of a removed operation', read(7n, error(501)), 'not-applicable'],
  ['503 of a read', read(7n, error(503)), broken('returned 503')],
  ['503 that asks to come later', listed({}, { ...error(503), headers: [['retry-after', '1']] }), 'not-applicable'],
  ['429', listed({}, error(429)), 'not-applicable'],
  ['no response', listed({}, 'timeout'), 'not-applicable'],
]);

testClause('errors.answers', [
  ['a success', listed({}, OK), 'holds'],
  ['a crash', read(7n, error(500)), 'holds'],
  ['no response', read(7n, 'timeout'), broken('GET /pets/7 got no complete response: no response within 3 s')],
  [
    'a kept connection that was closed',
    posted(NEW, { failure: { reason: 'protocol', message: 'the connection was closed', stale: true } }),
    'not-applicable',
  ],
  [
    'a kept connection that was closed, after which nothing listened',
    [
      judged(posted(NEW, { failure: { reason: 'protocol', message: 'the connection was closed', stale: true } })),
      listed({}, { failure: { reason: 'connect', message: 'nothing listens there' } }),
    ],
    broken('it was in flight when the service ended'),
  ],
  ['a deadline that passed while this process was held up', posted(NEW, { failure: { heldUp: true } }), 'not-applicable'],
  ['what a proxy of the client ended', read(7n, { failure: { party: 'proxy' } }), 'not-applicable'],
]);

test('errors.answers does not say of rejections that they prove nothing', () => {
  const run = history();
  run.add({}, { status: 200, body: [PET] });
  run.add({ body: NEW }, error(400));
  const { unmet } = judgeHistory(clauses, run.now()).find(({ clause }) => clause.id === 'errors.answers') ?? {};
  expect(unmet?.find(({ title }) => title === 'createPet')?.missing).toBe(
    'no createPet request succeeded, so that little of the operation was seen',
  );
});

/** What the HTTP layer or a gateway says. */
const IN_FRONT = [408, 413, 414, 429, 431, 502, 503, 504];

testClause('errors.shape', [
  ['an Error', read(7n, problem(404)), 'holds'],
  ['the first status that is one', listed({ limit: 0 }, problem(400)), 'holds'],
  ['an Error with more members', read(7n, problem(404, { trace: 'z' })), 'holds'],
  ['an Error of another status', read(7n, problem(404, { status: 500 })), 'holds'],
  ['a 5xx that the service chose', read(7n, problem(500, { code: 1 })), broken('is not an Error: /code must be a string', '/code')],
  ['one problem', read(7n, problem(404, { code: undefined })), broken(/is not an Error: the body has no field "code"$/, '')],
  ['two problems', read(7n, problem(404, { code: 1, message: [] })), broken('/code must be a string (and 1 more)', '/code')],
  ['three problems', read(7n, { status: 404, body: {} }), broken('has no field "code", "message", or "status"', '')],
  ['a text', read(7n, { status: 404, body: 'not found' }), broken('the body must be an object', '')],
  ['an error without a body', read(7n, { status: 404 }), broken('the 404 response to GET /pets/7 has no body')],
  ['no JSON', read(7n, { status: 404, text: '<html>' }), 'not-applicable'],
  ['a success', read(7n, { status: 200, body: PET }), 'not-applicable'],
  ['a redirect', read(7n, { status: 399, body: {} }), 'not-applicable'],
  ...IN_FRONT.map(
    (status): Row => [`${status} of what stands in front of the service`, listed({}, { status, body: {} }), 'not-applicable'],
  ),
  ['no response', read(7n, 'timeout'), 'not-applicable'],
]);

testClause('errors.status-agrees', [
  ['its own status', read(7n, problem(404)), 'holds'],
  ['its own status at the lower bound', listed({ limit: 0 }, problem(400)), 'holds'],
  ['its own status in another spelling', read(7n, { status: 404, text: '{"status":404.0}' }), 'holds'],
  ['another status', read(7n, problem(404, { status: 400 })), broken('the 404 response to GET /pets/7 has "status": 400', '/status')],
  ['a status of many digits', read(7n, problem(404, { status: 2n ** 64n })), broken('18446744073709551616', '/status')],
  ['a status that is a text', read(7n, problem(404, { status: '404' })), 'not-applicable'],
  ['a status that is not an integer', read(7n, problem(404, { status: 404.5 })), 'not-applicable'],
  ['no status', read(7n, problem(404, { status: undefined })), 'not-applicable'],
  ['an array', read(7n, { status: 404, body: [] }), 'not-applicable'],
  ['no JSON', read(7n, { status: 404, text: '' }), 'not-applicable'],
  ['a success', read(7n, { status: 200, body: { status: 400 } }), 'not-applicable'],
  ['503 of a gateway', read(7n, { status: 503, body: { status: 500 } }), 'not-applicable'],
  ['no response', read(7n, 'timeout'), 'not-applicable'],
]);

testClause('errors.infrastructure-errors', [
  ...IN_FRONT.map((status): Row => [`an Error of ${status}`, listed({}, problem(status)), 'holds']),
  ['a page', listed({}, { status: 502, text: '<html>', headers: TYPES['text/html'] }), broken('has a body of text/html')],
  ['no body', listed({}, { status: 429, text: '' }), broken('the 429 response to GET /pets has no body')],
  ['no Content-Type', listed({}, { status: 429, body: {}, headers: TYPES.none }), broken('has a body without a Content-Type')],
  ['no JSON', listed({}, { status: 503, text: 'busy' }), broken('has a body that is not JSON')],
  ['a message only', listed({}, { status: 429, body: { message: 'x' } }), broken('is not an Error: the body has no field "code"', '')],
  ['another status', listed({}, problem(504, { status: 502 })), broken('has "status": 502', '/status')],
  ['an error of the interface', read(7n, { status: 404, text: '<html>' }), 'not-applicable'],
  ['a success', listed({}, OK), 'not-applicable'],
  ['no response', listed({}, 'timeout'), 'not-applicable'],
]);
