import { expect, test } from 'vitest';
import { error, history, NAME, pet } from '../../test/support/history.ts';
import { attributesOf, requestBefore } from './exchange-attributes.ts';

type Run = ReturnType<typeof history>;
const knownOfLast = (run: Run): Readonly<Record<string, string | number>> => {
  const world = run.now();
  const last = world.exchanges.at(-1);
  return last === undefined ? {} : Object.fromEntries(attributesOf(last, world));
};

test('what a list asks for, and how many animals it shows, is known', () => {
  const run = history();
  run.add({ target: '/pets?status=sold&limit=5' }, { status: 200, body: [pet(1), pet(2)] });
  expect(knownOfLast(run)).toMatchObject({
    ...{ operation: 'listPets', key: 'yes', limit: 5, status: 'sold', order: 'status first' },
    ...{ 'has limit': 'yes', 'has status': 'yes', animals: 2 },
  });
});

test('how many animals a response shows is not known of a request without the key: that it shows any is what is wrong', () => {
  const run = history();
  run.add({ credential: undefined }, { status: 200, body: [pet(1)] });
  expect(knownOfLast(run)).not.toHaveProperty('animals');
});

test('what came before a request is known, in the order of sending', () => {
  const run = history();
  run.add({ target: '/pets?status=sold' }, { status: 200, body: [pet(1)] }, 0);
  run.add({ target: '/pets/7' }, error(404), 100);
  run.add({ target: '/pets/1' }, { status: 200, body: pet(1) }, 600);
  const known = knownOfLast(run);
  expect(known).toMatchObject({
    'operation before': 'getPet',
    'status before': 404,
    'error before': 'yes',
    'filter before': 'no',
    others: 0,
  });
  expect(known['idle']).toBeGreaterThan(400);
});

test('of a read, whose animal it is, how many are newer, and how often it was read are known', () => {
  const run = history();
  run.add({}, { status: 200, body: [pet(1)] });
  run.add({ body: { name: NAME, categoryId: 4, status: 'sold' } }, { status: 201, body: pet(2, { name: NAME, categoryId: 4 }) });
  run.add({ target: '/pets/1' }, { status: 200, body: pet(1) });
  expect(knownOfLast(run)).toMatchObject({ id: 1, whose: 'there before', newer: 1, 'read of the animal': 1, 'created before': 1 });
  run.add({ target: '/pets/2' }, { status: 200, body: pet(2, { name: NAME, categoryId: 4 }) });
  expect(knownOfLast(run)).toMatchObject({
    whose: 'created',
    newer: 0,
    'parity of the category': 'even',
    'name of the animal': NAME.length,
  });
});

test('of a read, whether its petId is an int64, and whether any animal has it, is known', () => {
  const run = history();
  run.add({}, { status: 200, body: [pet(1)] });
  run.add({ target: '/pets/many' }, error(400));
  expect(knownOfLast(run)).toMatchObject({ 'kind of petId': 'no integer', 'is petId int64': 'no' });
  run.add({ target: '/pets/77' }, error(404));
  expect(knownOfLast(run)).toMatchObject({ 'kind of petId': 'int64', whose: 'nobody' });
});

test('of a creation, what is wrong with its body, and how it differs from the one before, is known', () => {
  const run = history();
  run.add({ body: { name: NAME, categoryId: 3, status: 'sold' } }, { status: 201, body: pet(1) });
  run.add({ body: { name: 'ConformanceTestAaab', categoryId: 3 } }, { status: 201, body: pet(2) });
  expect(knownOfLast(run)).toMatchObject({
    mistake: 'plain',
    'status sent': 'none',
    'status of the last': 'other',
    'category of the last': 'same',
  });
  run.add({ body: { name: 7, categoryId: 3 } }, error(400));
  expect(knownOfLast(run)).toMatchObject({ mistake: 'create.name-type', body: 'invalid', 'status sent': 'unknown' });
});

const BROWSER = { headers: [['accept-encoding', 'gzip']] } as const;

/** Two creations, the second one with an unusual body, and a list, on one connection. */
function three(): Run {
  const run = history();
  run.add({ body: { name: NAME, categoryId: 4, status: 'sold' } }, { status: 201, body: pet(7, { categoryId: 4 }), connection: 1 });
  run.add(
    { body: '{ "status": "sold",\n"name": "rex", "categoryId": -3 }', ...BROWSER },
    { status: 201, body: pet(8, { name: 'rex', categoryId: -3 }), connection: 1 },
  );
  return run;
}

test('all that is known of a creation is what it sends, what it is given, and how it differs from the one before', () => {
  expect(knownOfLast(three())).toEqual({
    ...{ operation: 'createPet', key: 'yes', credential: 'valid', number: 2, accept: 'application/json', 'accept-encoding': 'some' },
    ...{ 'user-agent': expect.stringContaining('petstore'), body: 'valid', mistake: 'unusual', 'status sent': 'sold', name: 3 },
    ...{ 'capital in the name': 'no', 'parity of the category': 'odd', category: '-3', 'size of the category': 2 },
    ...{ 'first member': 'status', 'line ends': 'yes', size: 53, 'id given': 8, 'status of the last': 'same' },
    ...{ 'category of the last': 'other', 'name of the last': 'not longer', connection: 'kept', 'on its connection': 2 },
    ...{ 'of its kind': 2, 'created before': 1, 'operation before': 'createPet', 'status before': 201, 'error before': 'no' },
    ...{ 'target before': 'same', 'filter before': 'no', others: 0, idle: 990 },
  });
});

test('all that is known of a list is what it asks for, and of a read its animal, however often that was read', () => {
  const run = three();
  run.add({ target: '/pets?limit=5&page=2' }, { status: 200, body: [pet(7), pet(8)], connection: 2 });
  const common = { key: 'yes', credential: 'valid', accept: 'application/json', 'accept-encoding': 'none', others: 0, idle: 990 };
  const agent = { 'user-agent': expect.stringContaining('petstore') };
  expect(knownOfLast(run)).toEqual({
    ...{ ...common, ...agent, operation: 'listPets', number: 3, limit: 5, 'has limit': 'yes', status: 'none', 'has status': 'no' },
    ...{ 'has parameters': 'yes', animals: 2, connection: 'new', 'on its connection': 1, 'of its kind': 1 },
    ...{ 'created before': 2, 'operation before': 'createPet', 'status before': 201, 'error before': 'no' },
    ...{ 'target before': 'other', 'filter before': 'no' },
  });
  for (const connection of [1, 2]) run.add({ target: '/pets/7' }, { status: 200, body: pet(7, { categoryId: 4 }), connection });
  expect(knownOfLast(run)).toEqual({
    ...{ ...common, ...agent, operation: 'getPet', number: 5, 'kind of petId': 'int64', 'is petId int64': 'yes', id: 7 },
    ...{ 'size of the id': 7, 'parity of the category': 'even', 'name of the animal': NAME.length, 'status of the animal': 'sold' },
    ...{ newer: 1, whose: 'created', 'status sent': 'sold', age: 3_990, connection: 'kept', 'on its connection': 2 },
    ...{ 'of its kind': 2, 'read of the animal': 2, 'created before': 2, 'operation before': 'getPet', 'status before': 200 },
    ...{ 'error before': 'no', 'target before': 'same', 'filter before': 'no' },
  });
});

test('the request that an attribute is about is the one before, the last creation, or the one before on its connection', () => {
  const run = three();
  run.add({ target: '/pets/7' }, { status: 200, body: pet(7), connection: 2 });
  run.add({ target: '/pets/8' }, { status: 200, body: pet(8), connection: 1 });
  const about = (name: string) => requestBefore(name, run.last(), run.now())?.number;
  expect(['status before', 'status of the last', 'on its connection'].map(about)).toEqual([3, 2, 2]);
  expect(['created before', 'limit'].map(about)).toEqual([undefined, undefined]);
});
