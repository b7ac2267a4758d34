import { expect, test } from 'vitest';
import { error, history, NAME, pet } from '../../test/support/history.ts';
import { attributesOf } from './exchange-attributes.ts';

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
