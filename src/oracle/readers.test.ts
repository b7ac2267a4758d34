import { describe, expect, test } from 'vitest';
import { historyOf, listed, NO_KEY, posted, read, type Step } from '../../test/support/judged.ts';
import { departuresOf } from './departures.ts';
import type { Exchange } from './exchange.ts';
import { readLenientJson } from './lenient-json.ts';

const SENT = { name: 'ConformanceTestAaaa', categoryId: 7 };
const REX = { id: 1, ...SENT, status: 'sold' };
const MIA = { id: 2, name: 'Mia', categoryId: 7 };

const list = (body: unknown, status = 200): Step => listed({}, { status, body });
const get = (body: unknown, status = 200): Step => read(1n, { status, body });
const create = (body: unknown, status = 201, headers: readonly (readonly [string, string])[] = []): Step =>
  posted(SENT, { status, ...(body === undefined ? {} : { body }), headers: [['content-type', 'application/json'], ...headers] });

/** How these responses are read, in that order, and what they depart from. */
function readAll(...steps: readonly Step[]) {
  const world = historyOf(steps).now();
  return { exchanges: world.exchanges, departures: departuresOf(world).map(({ clause }) => clause) };
}
const idsIn = ({ read: { pets = [] } }: Exchange): readonly bigint[] => pets.map(({ id }) => id);
const statusOf = ({ read: { response } }: Exchange) => response?.status;

describe('a service that departs from the document in the same way everywhere', () => {
  test.each<[string, Step]>([
    ['lists in a member', list({ items: [REX, MIA], total: 2 })],
    ['lists in a member of a member', list({ _embedded: { pets: [REX, MIA] }, page: { size: 2 } })],
    ['lists with status 206', list([REX, MIA], 206)],
    ['lists in an array', list([[REX, MIA]])],
    ['lists in a JSON string', list(JSON.stringify([REX, MIA]))],
    ['lists keyed by id', list({ 1: REX, 2: MIA })],
    ['lists of animals in a member', list([{ pet: REX }, { pet: MIA }])],
    ['lists of ids with attributes', list([REX, MIA].map(({ id, ...attributes }) => ({ id, attributes })))],
  ])('is read through: %s, from the second response on, the first one included', (_what, step) => {
    const { exchanges, departures } = readAll(step, step);
    for (const one of exchanges) expect(idsIn(one)).toEqual([1n, 2n]);
    expect(departures).toHaveLength(1);
    // The letter stays as it was received.
    expect(exchanges.map(({ read: { hasDeparture, response }, ...one }) => hasDeparture && one.response !== response)).toEqual([
      true,
      true,
    ]);
  });

  test.each<[string, Step, string]>([
    ['a Pet in a member', get({ data: REX }), 'record.pet'],
    ['a list of one', get([REX]), 'record.pet'],
    ['another success status', get(REX, 203), 'get.success'],
  ])('is read through: %s of getPet', (_what, step, clause) => {
    const { exchanges, departures } = readAll(step, step);
    expect(exchanges.map((one) => one.read.pet?.name)).toEqual([SENT.name, SENT.name]);
    expect(departures).toEqual([clause]);
  });

  test.each<[string, Step, string]>([
    ['200 instead of 201', create(REX, 200), 'create.success'],
    ['204 with a Location', create(undefined, 204, [['location', '/v1/pets/1']]), 'create.success'],
    ['a Pet in a member', create({ pet: REX }), 'record.pet'],
  ])('is read through: %s as a creation', (_what, step, clause) => {
    const { exchanges, departures } = readAll(step, step);
    for (const one of exchanges) expect([statusOf(one), one.read.pet?.id]).toEqual([201, 1n]);
    expect(departures).toContain(clause);
  });

  test.each([
    ['application/json', 'media.well-formed'],
    ['text/plain', 'media.json'],
  ])('is read through: lists in JSON with a comment, declared as %s', (type, clause) => {
    const text = `[${JSON.stringify(REX)} /* the only one */]`;
    const step = listed({}, { status: 200, text, headers: [['content-type', type]] });
    const { exchanges, departures } = readAll(step, step);
    expect(exchanges.map(idsIn)).toEqual([[1n], [1n]]);
    expect(departures).toEqual([clause]);
  });

  test.each<[string, Step['reply']]>([
    ['null', { status: 200, body: null }],
    ['no body', { status: 204, text: '' }],
    ['an empty object', { status: 200, body: {} }],
  ])('is read through: %s as an empty list', (_what, reply) => {
    const empty = listed({ status: 'sold' }, reply);
    expect(readAll(empty, empty).exchanges.map(({ read: { pets } }) => pets)).toEqual([[], []]);
  });

  test.each<[Parameters<typeof listed>[0], string]>([
    [{}, 'list.success'],
    [{ limit: 100 }, 'list.limit-accepted'],
    [{ status: 'sold' }, 'list.status-accepted'],
    [{ limit: 100, status: 'sold' }, 'list.filter-with-limit'],
  ])('has its status judged by the clause of a list with %j', (parameters, clause) => {
    const empty = listed(parameters, { status: 204, text: '' });
    expect(readAll(empty, empty).departures).toContain(clause);
    // Of two, the simpler one counts.
    expect(readAll(empty, listed({}, { status: 204, text: '' })).departures).toContain('list.success');
  });

  test('shows an animal without an array as a list of one, unless an array of one was shown', () => {
    const [bare, array] = [listed({ limit: 1 }, { status: 200, body: REX }), listed({ limit: 1 }, { status: 200, body: [REX] })];
    const usual = list([REX, MIA]);
    expect(readAll(usual, bare, bare).exchanges.map((one) => idsIn(one).length)).toEqual([2, 1, 1]);
    expect(readAll(bare, bare).departures).toEqual([]);
    expect(readAll(usual, array, bare, bare).departures).toEqual([]);
  });

  test.each([403, 400, 404, 422, 500, 302])('rejects a missing key with %d, which is read as 401 if only the key is missing', (status) => {
    const rejected = listed({}, { status, body: {} }, NO_KEY);
    expect(readAll(rejected, list([REX]), rejected).exchanges.map(statusOf)).toEqual([401, 200, 401]);
    const withParameters = listed({ limit: 5 }, { status, body: {} }, NO_KEY);
    expect(readAll(withParameters, withParameters).departures).toEqual([]);
    const right = listed({}, { status: 401, body: {} }, NO_KEY);
    expect(readAll(right, rejected, rejected).departures).toEqual([]);
  });

  test('rejects a missing key with a crash only if it is not down', () => {
    const [crashed, right] = [500, 401].map((status) => listed({}, { status, body: {} }, NO_KEY)) as [Step, Step];
    const down = listed({}, { status: 500, body: {} });
    expect(readAll(list([REX]), crashed, down, crashed, crashed, list([REX]), right).departures).toEqual([]);
    expect(readAll(list([REX]), crashed, down, crashed, list([REX]), crashed).departures).toEqual(['auth.missing-credential']);
  });

  test.each<[string, readonly Step[]]>([
    ['was as documented before', [list([REX]), list({ items: [REX] }), list({ items: [REX] })]],
    ['was as documented in between', [list({ items: [REX] }), list([REX]), list({ items: [REX] })]],
    ['departs in two ways', [list({ items: [REX] }), list({ data: [REX] }), list({ items: [REX] })]],
    ['shows no animal', [get({ error: 'none' }), get({ error: 'none' })]],
    ['creates none', [create({ items: [] }, 200), create({ items: [] }, 200)]],
    ['rejects', [create({ detail: 'no' }, 422), create({ detail: 'no' }, 422)]],
  ])('is not read through where it %s', (_what, steps) => {
    const { exchanges, departures } = readAll(...steps);
    expect(departures).toEqual([]);
    expect(exchanges.every((one) => one.read.response === one.response)).toBe(true);
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
  ['itself after it', '[{"id":1}][{"id":1}]'],
])('readLenientJson reads JSON with %s', (_what, text) => {
  expect(readLenientJson(text)).toEqual([{ id: 1 }]);
});

test('readLenientJson reads lines of records as an array, and the literals of Python', () => {
  expect(readLenientJson('{"id":1}\n{"id":2}')).toEqual([{ id: 1 }, { id: 2 }]);
  expect(readLenientJson('[{"id":1,"status":None,"sold":True}]')).toEqual([{ id: 1, status: null, sold: true }]);
});

test('readLenientJson reads NaN as null, keeps every digit, and leaves strings alone where nothing is wrong', () => {
  expect(readLenientJson('{"a":NaN}')).toEqual({ a: null });
  expect(readLenientJson('x {"a":9007199254740993}')).toEqual({ a: 9007199254740993n });
  expect(readLenientJson('x {"a":"/* b */,}"}')).toEqual({ a: '/* b */,}' });
});

test.each([undefined, '', 'nothing', '<html></html>', '[1', '}{'])('readLenientJson finds nothing in %j', (text) => {
  expect(readLenientJson(text)).toBeUndefined();
});
