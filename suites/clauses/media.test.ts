import { describe, expect, test } from 'vitest';
import { error, pet } from '../../test/support/history.ts';
import { broken, brokenBy, listed, type Row, read, type Step, testClause } from '../../test/support/judged.ts';

type Types = readonly string[];
const written = (text: string | Uint8Array, status: number, ...types: Types) => ({
  ...{ status, text },
  headers: types.map((type) => ['content-type', type] as const),
});
const typed = (status: number, ...types: Types) => written('[]', status, ...types);
const JSON_TYPE = 'application/json';

testClause('media.json', [
  ['application/json', listed({}, typed(200, JSON_TYPE)), 'holds'],
  ['parameters and capitals', listed({}, typed(200, 'Application/JSON ; charset=utf-8')), 'holds'],
  ['an error', listed({}, typed(400, JSON_TYPE)), 'holds'],
  [
    'the header after others',
    listed(
      {},
      {
        ...typed(200),
        headers: [
          ['x', 'y'],
          ['content-type', JSON_TYPE],
        ],
      },
    ),
    'holds',
  ],
  ['another type', listed({}, typed(404, 'text/html')), broken('the 404 response to GET /pets has a body with Content-Type text/html')],
  ['a type that only ends alike', listed({}, typed(200, 'application/problem+json')), broken('application/problem+json')],
  ['no type', listed({}, typed(200)), broken('has a body with no Content-Type')],
  ['the right type twice', listed({}, typed(200, JSON_TYPE, JSON_TYPE)), broken('application/json and application/json')],
  ['another type that a success of 299 has', listed({}, typed(299, 'text/plain')), broken('text/plain')],
  ['another type of a redirect', listed({}, typed(300, 'text/html')), 'not-applicable'],
  ['another type of the last redirect', listed({}, typed(399, 'text/html')), 'not-applicable'],
  ['another type of a 400', listed({}, typed(400, 'text/html')), broken('text/html')],
  ['another type of a gateway', listed({}, typed(502, 'text/html')), 'not-applicable'],
  ['no body', listed({}, written('', 204, 'text/html')), 'not-applicable'],
  ['no response', listed({}, 'timeout'), 'not-applicable'],
]);

testClause('media.well-formed', [
  ['JSON', listed({}, typed(200, JSON_TYPE)), 'holds'],
  ['a member twice with one value', read(7n, written('{"id":7,"id":7.0}', 200, JSON_TYPE)), 'holds'],
  ['JSON without a type', listed({}, typed(200)), 'holds'],
  ['no JSON', listed({}, written('[1,]', 200, JSON_TYPE)), broken('the 200 response to GET /pets is not JSON: ')],
  ['no JSON and no type', listed({}, written('[1,]', 200)), broken('is not JSON')],
  ['no JSON and an empty type', listed({}, written('[1,]', 200, '')), broken('is not JSON')],
  ['no JSON under a type made of it', listed({}, written('{', 200, 'application/problem+json')), broken('is not JSON')],
  ['a byte order mark', listed({}, written('\ufeff[]', 200, JSON_TYPE)), broken('starts with a byte order mark')],
  ['bytes that are no UTF-8', listed({}, written(Uint8Array.of(0x22, 0xff, 0x22), 200, JSON_TYPE)), broken('is not UTF-8')],
  ['a member twice with two values', read(7n, written('{"id":7,"id":8}', 200, JSON_TYPE)), broken('two different values for "id"')],
  ['a page that says what it is', listed({}, written('<html>', 200, 'text/html')), 'not-applicable'],
  ['a page of a gateway', listed({}, written('<html>', 502)), 'not-applicable'],
  ['no body', listed({}, written('', 200, JSON_TYPE)), 'not-applicable'],
  ['no response', listed({}, 'timeout'), 'not-applicable'],
]);

const FINE = { status: 200, body: [pet(7)] };
const OTHER = { status: 200, body: [pet(8)] };
type Headers = NonNullable<Step['asked']['headers']>;
const asked = (reply: Step['reply'], ...headers: Headers): Step => listed({}, reply, { headers });

describe('media.json judges the status that another client gets', () => {
  const browser = (reply: Step['reply']): Step => asked(reply, ['accept', '*/*']);
  const usual = (reply: Step['reply'] = FINE): Step => listed({}, reply);
  const red = (...steps: readonly Step[]) => brokenBy(steps, ['media.json']);

  test('if it differs twice, and the usual client gets its own before and afterwards', () => {
    expect(red(usual(), browser(error(406)), browser(error(406)), usual())).toEqual(['media.json']);
  });

  test.each<[string, readonly Step[]]>([
    ['it is the same', [usual(), browser(FINE), usual()]],
    ['it is the same the second time', [usual(), browser(error(406)), browser(FINE), usual()]],
    ['the usual client gets another one, too', [usual(), browser(error(406)), browser(error(406)), usual(error(406))]],
    ['it was asked once', [usual(), browser(error(406)), usual()]],
    ['it is the documented one', [usual(error(406)), browser(FINE), browser(FINE), usual(error(406))]],
    ['it is a server error', [usual(), browser(error(500)), browser(error(500)), usual()]],
    ['the API key is rejected', [usual(), browser(error(401)), browser(error(401)), usual()]],
  ])('but not if %s', (_what, steps) => {
    expect(red(...steps)).toEqual([]);
  });
});

const coded = (coding: string): Step =>
  listed(
    {},
    {
      ...FINE,
      headers: [
        ['content-type', JSON_TYPE],
        ['transfer-encoding', coding],
      ],
    },
  );

const compressed = (coding: string, ...accepted: readonly string[]): Step =>
  asked(
    {
      ...FINE,
      headers: [
        ['content-type', JSON_TYPE],
        ['content-encoding', coding],
      ],
    },
    ...accepted.map((value) => ['accept-encoding', value] as const),
  );

testClause('media.transport', [
  ['a length', listed({}, FINE), 'holds'],
  ...['compress', 'deflate', 'gzip', 'x-compress', 'x-gzip'].map(
    (coding): Row => [`the registered coding ${coding}`, coded(`${coding}, chunked`), 'holds'],
  ),
  ...(
    [
      ['gzip', 'gzip'],
      ['br, GZIP;q=0.5', 'x-gzip'],
      ['br;q=0, *', 'zstd'],
      ['identity', 'identity'],
    ] as const
  ).map(([accepted, coding]): Row => [`the accepted coding ${coding}`, compressed(coding, accepted), 'holds']),
  ['any coding where the request does not say', compressed('br'), 'holds'],
  ['another coding', compressed('br', 'gzip'), broken('has the content coding "br", which the request does not accept')],
  ['a coding with a weight of zero', compressed('gzip', 'br, gzip; q=0.0'), broken('has the content coding "gzip"')],
  ['a second coding', compressed('gzip, br', 'gzip'), broken('has the content coding "br"')],
  ['an unknown coding', coded('brotli, chunked'), broken('has the transfer coding "brotli", which HTTP does not know')],
]);

describe('media.any-client', () => {
  const red = (...steps: readonly Step[]) => brokenBy(steps, ['media.any-client']);
  const forwarded = (reply: Step['reply']): Step => asked(reply, ['x-forwarded-host', 'evil.example'], ['x-forwarded-proto', 'https']);
  const usual = listed({}, FINE);
  const inEnvelope = { status: 200, body: { items: [pet(7)] } };

  test.each<[string, readonly Step[], boolean]>([
    ['the same list', [usual, forwarded(FINE), usual], false],
    ['another list than before and afterwards', [usual, forwarded(OTHER), usual], true],
    ['a rejection', [usual, forwarded(error(400)), usual], true],
    ['a list that is another one afterwards, too', [usual, forwarded(OTHER), listed({}, OTHER)], false],
    ['a list in an envelope, as the usual ones', [listed({}, inEnvelope), forwarded(inEnvelope), listed({}, inEnvelope)], false],
    ['a server error', [usual, forwarded(error(500)), usual], false],
    ['a rate limit', [usual, forwarded(error(429)), usual], false],
    ['a list where no other one has shown an animal', [forwarded(FINE)], false],
  ])('judges what headers of a proxy change: %s', (_what, steps, isBroken) => {
    expect(red(...steps)).toEqual(isBroken ? ['media.any-client'] : []);
  });

  const curl = (reply: Step['reply']): Step => asked(reply, ['user-agent', 'curl/8.14.1']);
  test.each<[string, readonly Step[], boolean]>([
    ['the list', [usual, curl(FINE)], false],
    ['a rejection', [usual, curl(error(403))], true],
    ['a login page', [usual, curl({ status: 302, text: '' })], true],
    ['a rejection that the usual client gets, too', [listed({}, error(403)), curl(error(403))], false],
    ['a rate limit', [usual, curl(error(429))], false],
    ['a time-out', [usual, curl(error(408))], false],
  ])('judges what curl gets: %s', (_what, steps, isBroken) => {
    expect(red(...steps)).toEqual(isBroken ? ['media.any-client'] : []);
  });
});
