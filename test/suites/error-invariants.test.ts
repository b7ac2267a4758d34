import { expect, test } from 'vitest';
import type { Exchange } from '../../src/wire/exchange.ts';
import { knowledgeOf, listed, posted, type Reply, read } from '../support/exchange-samples.ts';
import { broken, judge, testInvariant } from './judge-invariant.ts';

const PET = { id: 7, name: 'rex', categoryId: 1 };
const problem = (status: number, changes: object = {}): Reply => ({ status, body: { code: 'x', message: 'y', status, ...changes } });
const RETRY: Reply['headers'] = [['retry-after', '1']];

testInvariant('errors.no-server-error/every-response', [
  ['a success', listed({}, { status: 200, body: [] }), 'holds'],
  ['a refusal', listed({ limit: 0 }, problem(400)), 'holds'],
  ['the last status that is none', listed({}, problem(499)), 'holds'],
  ['a crash', read(7n, problem(500)), broken('GET /pets/7 returned 500')],
  ['a gateway that finds no service', listed({}, { status: 502, text: '<html>' }), broken('returned 502')],
  ['501 of a list', listed({}, problem(501)), broken('returned 501')],
  ['501 of a creation', posted(PET, problem(501)), broken('returned 501')],
  ['501 of a removed operation', read(7n, problem(501)), 'not-applicable'],
  ['503 of a read', read(7n, problem(503)), broken('returned 503')],
  ['503 that asks to come later', listed({}, { ...problem(503), headers: RETRY }), 'not-applicable'],
  ['429', listed({}, problem(429)), 'not-applicable'],
  ['no response', listed({}, 'timeout'), 'not-applicable'],
]);

/** A creation on a kept-alive connection that the service had closed in the meantime. */
const onClosedConnection: Exchange = {
  ...posted(PET, 'timeout'),
  outcome: { kind: 'failed', failure: { reason: 'protocol', message: 'the connection was closed', stale: true } },
};

/** A creation whose deadline passed while this process was blocked. */
const whileHeldUp: Exchange = {
  ...posted(PET, 'timeout'),
  outcome: { kind: 'failed', failure: { reason: 'timeout', message: 'no response within 3 s', stale: false, heldUp: true } },
};

testInvariant('errors.answers/every-request', [
  ['a success', listed({}, { status: 200, body: [] }), 'holds'],
  ['a crash', read(7n, problem(500)), 'holds'],
  ['no response', read(7n, 'timeout'), broken('GET /pets/7 got no complete response: no response within 3 s')],
  ['a kept connection that was closed', onClosedConnection, 'not-applicable'],
  ['a deadline that passed while this process was held up', whileHeldUp, 'not-applicable'],
]);

testInvariant('errors.shape/every-error', [
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
  ...[408, 413, 414, 429, 431, 502, 503, 504].map(
    (status) => [`${status} of what stands in front of the service`, listed({}, { status, body: {} }), 'not-applicable'] as const,
  ),
  ['no response', read(7n, 'timeout'), 'not-applicable'],
]);

const json: Reply['headers'] = [['content-type', 'application/json']];
const inFront = (status: number, changes: object = {}): Reply => ({ ...problem(status, changes), headers: json });
/** A read that was asked to wait, and the response that asked for it. */
const toldToWait = (told: Reply): Exchange => {
  const { outcome } = listed({}, told);
  if (outcome.kind === 'failed') throw new Error('nothing was told');
  return { ...listed({}, { status: 200, body: [], headers: json }), postponed: 1, putOff: outcome.answer };
};

testInvariant('errors.infrastructure-errors/every-response', [
  ...[408, 413, 414, 429, 431, 502, 503, 504].map((status) => [`an Error of ${status}`, listed({}, inFront(status)), 'holds'] as const),
  ['a page', listed({}, { status: 502, text: '<html>', headers: [['content-type', 'text/html']] }), broken('has a body of text/html')],
  ['no body', listed({}, { status: 429, text: '', headers: json }), broken('the 429 response to GET /pets has no body')],
  ['no Content-Type', listed({}, { status: 429, body: {}, headers: [] }), broken('has a body without a Content-Type')],
  ['no JSON', listed({}, { status: 503, text: 'busy', headers: json }), broken('has a body that is not JSON')],
  [
    'a message only',
    listed({}, { status: 429, body: { message: 'x' }, headers: json }),
    broken('is not an Error: the body has no field "code"', ''),
  ],
  ['another status', listed({}, inFront(504, { status: 502 })), broken('has "status": 502', '/status')],
  ['an Error that asked to wait', toldToWait(inFront(429)), 'holds'],
  ['an error of the interface', read(7n, { status: 404, text: '<html>' }), 'not-applicable'],
  ['a success', listed({}, { status: 200, body: [] }), 'not-applicable'],
  ['no response', read(7n, 'timeout'), 'not-applicable'],
]);

test('errors.infrastructure-errors shows the response that asked to wait, not the one after it', () => {
  const exchange = toldToWait({ status: 503, text: '<html>', headers: [['content-type', 'text/html']] });
  expect(judge('errors.infrastructure-errors/every-response', [exchange], knowledgeOf())).toMatchObject({
    summary: 'the 503 response to GET /pets has a body of text/html',
    received: '503 <html>',
    exchanges: [{ outcome: { answer: { status: 503 } } }],
  });
});

testInvariant('errors.status-agrees/every-error', [
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

const typed = (status: number, ...types: readonly string[]): Reply => ({
  status,
  body: [],
  headers: types.map((type) => ['content-type', type] as const),
});

testInvariant('media.json/every-body', [
  ['application/json', listed({}, typed(200, 'application/json')), 'holds'],
  ['parameters and capitals', listed({}, typed(200, 'Application/JSON ; charset=utf-8')), 'holds'],
  ['an error', listed({}, typed(400, 'application/json')), 'holds'],
  [
    'the header behind others',
    listed(
      {},
      {
        ...typed(200),
        headers: [
          ['x', 'y'],
          ['content-type', 'application/json'],
        ],
      },
    ),
    'holds',
  ],
  ['another type', listed({}, typed(404, 'text/html')), broken('the 404 response to GET /pets has a body with Content-Type text/html')],
  ['a type that only ends alike', listed({}, typed(200, 'application/problem+json')), broken('application/problem+json')],
  ['no type', listed({}, typed(200)), broken('has a body with no Content-Type')],
  ['the right type twice', listed({}, typed(200, 'application/json', 'application/json')), broken('application/json and application/json')],
  ['another type that a success of 299 has', listed({}, typed(299, 'text/plain')), broken('text/plain')],
  ['another type of a redirect', listed({}, typed(300, 'text/html')), 'not-applicable'],
  ['another type of the last redirect', listed({}, typed(399, 'text/html')), 'not-applicable'],
  ['another type of a 400', listed({}, typed(400, 'text/html')), broken('text/html')],
  ['another type of a gateway', listed({}, typed(502, 'text/html')), 'not-applicable'],
  ['no body', listed({}, { ...typed(204, 'text/html'), text: '' }), 'not-applicable'],
  ['no response', listed({}, 'timeout'), 'not-applicable'],
]);

const spelled = (text: string | Buffer, ...types: readonly string[]): Reply => ({ ...typed(200, ...types), text });

testInvariant('media.well-formed/every-body', [
  ['JSON', listed({}, spelled('[]', 'application/json')), 'holds'],
  ['a member twice with one value', read(7n, spelled('{"id":7,"id":7.0}', 'application/json')), 'holds'],
  ['JSON without a type', listed({}, spelled('[]')), 'holds'],
  ['no JSON', listed({}, spelled('[1,]', 'application/json')), broken('the body of the 200 response to GET /pets is not JSON: ')],
  ['no JSON and no type', listed({}, spelled('[1,]')), broken('is not JSON')],
  ['no JSON and an empty type', listed({}, spelled('[1,]', '')), broken('is not JSON')],
  ['no JSON under a type made of it', listed({}, spelled('{', 'application/problem+json')), broken('is not JSON')],
  ['a byte order mark', listed({}, spelled('\ufeff[]', 'application/json')), broken('starts with a byte order mark')],
  ['bytes that are no UTF-8', listed({}, spelled(Buffer.from([0x22, 0xff, 0x22]), 'application/json')), broken('is not UTF-8')],
  ['a member twice with two values', read(7n, spelled('{"id":7,"id":8}', 'application/json')), broken('two different values for "id"')],
  ['a page that says what it is', listed({}, spelled('<html>', 'text/html')), 'not-applicable'],
  ['a page of a gateway', listed({}, { ...spelled('<html>'), status: 502 }), 'not-applicable'],
  ['no body', listed({}, spelled('', 'application/json')), 'not-applicable'],
  ['no response', listed({}, 'timeout'), 'not-applicable'],
]);
