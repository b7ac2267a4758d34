import { describe, expect, test } from 'vitest';
import { listed, posted, read as readPet } from '../../test/support/exchange-samples.ts';
import type { Exchange } from '../wire/exchange.ts';
import { createDialect, salvage } from './dialect.ts';
import { petOf, petsOf, responseOf, statusOf } from './read-exchange.ts';

const REX = { id: 1, name: 'Rex', categoryId: 7, status: 'sold' };
const MIA = { id: 2, name: 'Mia', categoryId: 7 };
const SENT = { name: 'Rex', categoryId: 7n };
const SENT_BACK = { name: 'Rex', categoryId: 7 };

const list = (body: unknown, status = 200): Exchange => listed({}, { status, body });
const get = (body: unknown, status = 200): Exchange => readPet(1n, { status, body });
const create = (body: unknown, status = 201, headers: readonly (readonly [string, string])[] = []): Exchange =>
  posted(SENT, { status, ...(body === undefined ? {} : { body }), headers: [['content-type', 'application/json'], ...headers] });
const createText = (type: string): Exchange => posted(SENT, { status: 201, text: 'Created', headers: [['content-type', type]] });

/** How a session reads these responses, in that order. */
function readAll(...exchanges: readonly Exchange[]) {
  const dialect = createDialect();
  const read = exchanges.map((exchange) => {
    dialect.note(exchange);
    return dialect.read(exchange);
  });
  return { read, departures: dialect.departures() };
}

describe('a dialect', () => {
  test.each<[string, Exchange]>([
    ['lists in a member', list({ items: [REX, MIA], total: 2 })],
    ['lists in a member of a member', list({ _embedded: { pets: [REX, MIA] }, page: { size: 2 } })],
    ['lists with status 206', list([REX, MIA], 206)],
    ['lists in an array', list([[REX, MIA]])],
    ['lists in a JSON string', list(JSON.stringify([REX, MIA]))],
    ['lists keyed by id', list({ 1: REX, 2: MIA })],
    ['lists of animals in a member', list([{ pet: REX }, { pet: MIA }])],
    ['lists of ids with attributes', list([REX, MIA].map(({ id, ...attributes }) => ({ id, attributes })))],
  ])('reads %s from the second response on, the first one included', (_case, exchange) => {
    const { read, departures } = readAll(exchange, exchange);
    for (const one of read) expect(petsOf(one).map(({ id }) => id)).toEqual([1n, 2n]);
    expect(departures).toHaveLength(1);
    expect(read[0]?.received).toBe(exchange.outcome);
  });

  test.each<[string, Exchange, string]>([
    ['a Pet in a member', get({ data: REX }), 'record.pet'],
    ['a list of one', get([REX]), 'record.pet'],
    ['another success status', get(REX, 203), 'get.success'],
  ])('reads %s of getPet', (_case, exchange, clause) => {
    const { read, departures } = readAll(exchange, exchange);
    expect(read.map((one) => petOf(one).name)).toEqual(['Rex', 'Rex']);
    expect(departures.map((departure) => departure.clause)).toEqual([clause]);
  });

  test.each<[string, Exchange, string]>([
    ['200 instead of 201', create(REX, 200), 'create.success'],
    ['204 with a Location', create(undefined, 204, [['location', '/v1/pets/1']]), 'create.success'],
    ['a Pet in a member', create({ pet: REX }), 'record.pet'],
  ])('reads %s as a creation', (_case, exchange, clause) => {
    const { read, departures } = readAll(exchange, exchange);
    for (const one of read) expect([statusOf(one), petOf(one).id]).toEqual([201, 1n]);
    expect(departures.map((departure) => departure.clause)).toContain(clause);
  });

  test.each<[string, Exchange, string]>([
    ['204 without a body', create(undefined, 204), 'create.success'],
    ['201 with null', create(null), 'create.success'],
    ['201 without the id', create(SENT_BACK), 'record.pet'],
    ['201 with a text in JSON', create('Created'), 'record.pet'],
    ['201 with plain text', createText('text/plain'), 'media.json'],
    ['201 with text that claims to be JSON', createText('application/json'), 'media.well-formed'],
  ])('looks for animals whose creation returns %s, from the second on, including the first one', (_case, exchange, clause) => {
    const [first, second, third] = [exchange, { ...exchange, number: exchange.number + 1 }, { ...exchange, number: exchange.number + 2 }];
    const dialect = createDialect();
    dialect.note(first);
    expect(dialect.nameless(first)).toEqual([]);
    dialect.note(second);
    expect(dialect.nameless(second)).toEqual([first, second]);
    expect(dialect.departures()).toEqual([]);
    dialect.identify(first, 1n);
    dialect.identify(second, 2n);
    expect([first, second].map((one) => [statusOf(dialect.read(one)), petOf(dialect.read(one)).id])).toEqual([
      [201, 1n],
      [201, 2n],
    ]);
    expect(dialect.departures().map((departure) => departure.clause)).toEqual([clause]);
    // If the animal was not found, it is a creation anyway.
    expect(statusOf(dialect.read(third))).toBe(201);
    const documented = create(REX);
    expect(dialect.nameless(documented)).toEqual([]);
    expect(petOf(dialect.read(documented)).name).toBe('Rex');
  });

  test('looks for no animals if a creation ever returned one', () => {
    const dialect = createDialect();
    for (const exchange of [create(undefined, 204), create(REX), create(undefined, 204)]) {
      dialect.note(exchange);
      expect(dialect.nameless(exchange)).toEqual([]);
    }
  });

  test.each<[string, unknown, number]>([
    ['null', null, 200],
    ['no body', undefined, 204],
    ['an empty object', {}, 200],
  ])('reads %s as an empty list', (_case, body, status) => {
    const empty = listed({ status: 'sold' }, { status, ...(body === undefined ? { text: '' } : { body }) });
    expect(readAll(empty, empty).read.map((one) => petsOf(one))).toEqual([[], []]);
  });

  test.each<[Parameters<typeof listed>[0], string]>([
    [{}, 'list.success'],
    [{ limit: 100 }, 'list.limit-accepted'],
    [{ status: 'sold' }, 'list.status-accepted'],
    [{ limit: 100, status: 'sold' }, 'list.filter-with-limit'],
  ])('names the clause that judges the status of a list with %j', (parameters, clause) => {
    const empty = listed(parameters, { status: 204, text: '' });
    expect(readAll(empty, empty).departures.map((one) => one.clause)).toContain(clause);
    // Of two, the simpler one counts.
    const plain = listed({}, { status: 204, text: '' });
    expect(readAll(empty, plain).departures.map((one) => one.clause)).toContain('list.success');
  });

  test('reads an animal without an array as a list of one, unless an array of one was shown', () => {
    const [bare, array] = [listed({ limit: 1 }, { status: 200, body: REX }), listed({ limit: 1 }, { status: 200, body: [REX] })];
    const usual = list([REX, MIA]);
    expect(readAll(usual, bare, bare).read.map((one) => petsOf(one).length)).toEqual([2, 1, 1]);
    expect(readAll(bare, bare).departures).toEqual([]);
    expect(readAll(usual, array, bare, bare).departures).toEqual([]);
  });

  test.each([403, 400, 404, 422, 500, 302])('reads %d as the rejection of a missing key if only the key is missing', (status) => {
    const without = { credential: { note: 'no Authorization header', standing: 'refused', headers: [] } } as const;
    const rejected = listed({}, { status }, without);
    expect(readAll(rejected, list([REX]), rejected).read.map((one) => statusOf(one))).toEqual([401, 200, 401]);
    const withParameters = listed({ limit: 5 }, { status }, without);
    expect(readAll(withParameters, withParameters).departures).toEqual([]);
    const right = listed({}, { status: 401 }, without);
    expect(readAll(right, rejected, rejected).departures).toEqual([]);
  });

  test('reads a crash as the rejection of a missing key only if the service is not down', () => {
    const without = { credential: { note: 'no Authorization header', standing: 'refused', headers: [] } } as const;
    const [crashed, right] = [500, 401].map((status) => listed({}, { status }, without));
    if (crashed === undefined || right === undefined) throw new Error('two responses');
    const down = listed({}, { status: 500 });
    expect(readAll(list([REX]), crashed, down, crashed, crashed, list([REX]), right).departures).toEqual([]);
    expect(readAll(list([REX]), crashed, down, crashed, list([REX]), crashed).departures.map(({ clause }) => clause)).toEqual([
      'auth.missing-credential',
    ]);
  });

  test('reads no departure through that was once as documented, or not twice the same', () => {
    for (const exchanges of [
      [list([REX]), list({ items: [REX] }), list({ items: [REX] })],
      [list({ items: [REX] }), list([REX]), list({ items: [REX] })],
      [list({ items: [REX] }), list({ data: [REX] }), list({ items: [REX] })],
      [get({ error: 'none' }), get({ error: 'none' })],
      [create({ items: [] }, 200), create({ items: [] }, 200)],
    ]) {
      const { read, departures } = readAll(...exchanges);
      expect(departures).toEqual([]);
      expect(read.map((one) => one.outcome)).toEqual(exchanges.map((one) => one.outcome));
    }
  });

  test('ignores rejections and requests without the API key', () => {
    const rejected = create({ detail: 'no' }, 422);
    expect(readAll(rejected, rejected).departures).toEqual([]);
    expect(responseOf(readAll(rejected, rejected).read[1] ?? rejected).status).toBe(422);
  });
});

test.each([
  ['a byte order mark', '\ufeff[{"id":1}]'],
  ['a prefix against hijacking', ')]}\'\n[{"id":1}]'],
  ['a warning before it', 'Notice: undefined index\n[{"id":1}]'],
  ['a comment', '[{"id":1} /* one */]'],
  ['a trailing comma', '[{"id":1,},]'],
  ['a call around it', 'callback([{"id":1}]);'],
  ['single quotes', "[{'id':1}]"],
  ['itself behind it', '[{"id":1}][{"id":1}]'],
])('salvage reads JSON with %s', (_case, text) => {
  expect(salvage(text)).toEqual([{ id: 1 }]);
});

test('salvage reads lines of records as an array, and the literals of Python', () => {
  expect(salvage('{"id":1}\n{"id":2}')).toEqual([{ id: 1 }, { id: 2 }]);
  expect(salvage('[{"id":1,"status":None,"sold":True}]')).toEqual([{ id: 1, status: null, sold: true }]);
});

test('salvage reads NaN as null, keeps every digit, and leaves strings alone where nothing is wrong', () => {
  expect(salvage('{"a":NaN}')).toEqual({ a: null });
  expect(salvage('x {"a":9007199254740993}')).toEqual({ a: 9007199254740993n });
  expect(salvage('x {"a":"/* b */,}"}')).toEqual({ a: '/* b */,}' });
});

test.each([undefined, '', 'nothing', '<html></html>', '[1', '}{'])('salvage finds nothing in %j', (text) => {
  expect(salvage(text)).toBeUndefined();
});
