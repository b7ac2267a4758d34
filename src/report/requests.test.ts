import { expect, test } from 'vitest';
import { listed, posted, read } from '../../test/support/exchange-samples.ts';
import { createRedactor } from '../wire/redact.ts';
import { redactExchange } from '../wire/redacted-exchange.ts';
import { expectationOf } from './requests.ts';

const BASE = 'http://127.0.0.1:9/v1';

type Outcome = Parameters<typeof read>[1];

/** A finding about one read, or about one creation. */
function expectation(expected: readonly string[], response: Outcome, more: { sent?: unknown; pointer?: string } = {}) {
  const exchange = more.sent === undefined ? read(7n, response) : posted(more.sent, response);
  const shown = redactExchange(exchange, { baseUrl: BASE, redact: createRedactor('k-asserts-Zx81mPq'), apiKey: 'k-asserts-Zx81mPq' });
  const pointer = more.pointer === undefined ? {} : { pointer: more.pointer };
  return expectationOf({ summary: '', expected, received: '', exchanges: [shown], ...pointer });
}

const ERROR = { code: 'x', message: 'y', status: 401 };
const PET = { id: 7, name: 'rex', categoryId: 1 };

test.each<[string, readonly string[], Outcome, { sent?: unknown; pointer?: string }, { status?: string; asserts?: readonly string[] }]>([
  ['a status', ['401 with an Error body'], { status: 200, body: PET }, {}, { status: '401' }],
  [
    'one of several',
    ['200 with Pets', '201 with a Pet'],
    { status: 401, body: ERROR },
    {},
    { asserts: ['status toString matches "^(?:200|201)$"'] },
  ],
  ['a status below 500', ['a status below 500', '503 with Retry-After'], { status: 500, body: ERROR }, {}, { asserts: ['status < 500'] }],
  [
    'the members that an Error lacks',
    ['a JSON object with code (string), message (string), and status (integer)'],
    { status: 401, body: { code: 'x', message: 3 } },
    {},
    { asserts: ['jsonpath "$.message" isString', 'jsonpath "$.status" isInteger'] },
  ],
  ['an own status', ['"status": 401'], { status: 401, body: { ...ERROR, status: 400 } }, {}, { asserts: ['jsonpath "$.status" == 401'] }],
  ['a number of animals', ['at most 2 animals'], { status: 200, body: [PET, PET, PET] }, {}, { asserts: ['jsonpath "$" count <= 2'] }],
  [
    'a filter',
    ['only animals with status "sold"'],
    { status: 200, body: [PET] },
    {},
    { asserts: [`jsonpath "$[?@.status != 'sold']" not exists`] },
  ],
  ['the id that is asked for', ['id 7'], { status: 200, body: { ...PET, id: 8 } }, {}, { asserts: ['jsonpath "$.id" == 7'] }],
  [
    'what was sent, without a meaning for Hurl',
    ['name "a{{b}}\\""'],
    { status: 201, body: PET },
    { sent: { name: 'a{{b}}"', categoryId: 1 }, pointer: '/name' },
    { asserts: ['jsonpath "$.name" == "a\\u{7b}\\u{7b}b\\u{7d}\\u{7d}\\u{22}"'] },
  ],
  [
    'a status that is none, though it reads like one',
    ['an array of Pets'],
    { status: 200, body: [{ ...PET, status: ['sold'] }] },
    {},
    { asserts: [`jsonpath "$[?@.status && @.status != 'available' && @.status != 'pending' && @.status != 'sold']" not exists`] },
  ],
  [
    'the members that Pets lack',
    ['an array of Pets'],
    { status: 200, body: [{ ...PET, id: '7' }] },
    {},
    { asserts: ['jsonpath "$[?!(@.id < 0 || @.id >= 0)]" not exists'] },
  ],
  ['an array', ['an array of Pets'], { status: 200, body: { items: [] } }, {}, { asserts: ['jsonpath "$" isList'] }],
  [
    'a Pet',
    ['201 with the created Pet'],
    { status: 201, body: { ...PET, id: 'x' } },
    {},
    { status: '201', asserts: ['jsonpath "$.id" isInteger'] },
  ],
  [
    'a media type',
    ['Content-Type: application/json'],
    { status: 200, body: PET, headers: [['content-type', 'text/plain']] },
    {},
    { asserts: ['header "Content-Type" matches "(?i)^application/json[ \\\\t]*(?:;|$)"'] },
  ],
  [
    'JSON',
    ['JSON in UTF-8 (RFC 8259), without a byte order mark or duplicate object members'],
    { status: 200, text: 'x' },
    {},
    { asserts: ['jsonpath "$" exists'] },
  ],
  [
    'what comes in time',
    ['a complete HTTP response within the deadline'],
    'timeout',
    {},
    { asserts: [expect.stringMatching(/^duration < \d+$/)] },
  ],
])('a finding expects %s', (_case, expected, response, more, wanted) => {
  const decides = wanted.status !== undefined || wanted.asserts !== undefined;
  expect(expectation(expected, response, more)).toEqual({ status: wanted.status, asserts: wanted.asserts ?? [], decides });
});

test.each<[string, readonly string[], Outcome]>([
  ['another response', ['the same animals in both lists, up to the shorter limit'], { status: 200, body: [] }],
  ['a choice of an animal and a status', ['404, or a different animal'], { status: 200, body: PET }],
  ['a record that lacks nothing but its range', ['an array of Pets'], { status: 200, body: [PET] }],
  ['a body that the report cuts', ['an array of Pets'], { status: 200, body: [{ ...PET, name: 'a'.repeat(5_000) }] }],
])('no assert is about %s: the entry cannot fail', (_case, expected, response) => {
  expect(expectation(expected, response)).toEqual({ status: undefined, asserts: [], decides: false });
});

test('concurrent requests show nothing when sent one after the other: the entry cannot fail', () => {
  const exchanges = [listed({}, { status: 200, body: [] }), read(7n, { status: 500, body: ERROR })].map((exchange) => ({
    ...redactExchange(exchange, { baseUrl: BASE, redact: createRedactor('k-asserts-Zx81mPq'), apiKey: 'k-asserts-Zx81mPq' }),
    ...{ startedAt: 5, duration: 1 },
  }));
  expect(expectationOf({ summary: '', expected: ['a status below 500'], received: '', exchanges })).toMatchObject({ decides: false });
});
