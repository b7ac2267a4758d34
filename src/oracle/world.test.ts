import { expect, test } from 'vitest';
import { error, history, NAME, pet } from '../../test/support/history.ts';

test('the first two responses of a place decide how it is read, and what came before is read anew', () => {
  const run = history();
  run.add({}, { status: 200, body: { data: [pet(1)] } });
  expect(run.last().read.pets).toBeUndefined();
  run.add({}, { status: 200, body: { data: [pet(1), pet(2)] } });
  const world = run.now();
  expect(world.exchanges.map(({ read: { pets = [] } }) => pets.map(({ id }) => id))).toEqual([[1n], [1n, 2n]]);
  expect(world.departures.get('list')?.wrapping).toBe('in the member "data"');
});

test('a place that was as documented once is not read through', () => {
  const run = history();
  run.add({}, { status: 200, body: [pet(1)] });
  run.add({}, { status: 200, body: { data: [pet(1)] } });
  run.add({}, { status: 200, body: { data: [pet(1)] } });
  expect(run.last().read.pets).toBeUndefined();
});

test('of the sights of an animal, the first, the last and each change are kept for each request', () => {
  const run = history();
  for (const status of ['sold', 'sold', 'sold', 'pending', 'pending', 'pending', 'sold'])
    run.add({ target: '/pets/1' }, { status: 200, body: pet(1, { status }) });
  const [sights = []] = run.now().animals.get(1n)?.sights.values() ?? [];
  expect(sights.map((sight) => [sight.exchange.number, sight.pet.status])).toEqual([
    [1, 'sold'],
    [3, 'sold'],
    [4, 'pending'],
    [6, 'pending'],
    [7, 'sold'],
  ]);
});

test('an animal that a list shows again after it did not is seen anew', () => {
  const run = history();
  for (const ids of [[1], [1], [2], [1], [1, 2], [1]]) run.add({}, { status: 200, body: ids.map((id) => pet(id)) });
  const [sights = []] = run.now().animals.get(1n)?.sights.values() ?? [];
  expect(sights.map(({ exchange }) => exchange.number)).toEqual([1, 2, 4, 6]);
});

test('an id that two creations return is shared, and the first animal stays known', () => {
  const run = history();
  run.add({ body: { name: NAME, categoryId: 3 } }, { status: 201, body: pet(1) });
  run.add({ body: { name: 'ConformanceTestAaab', categoryId: 3 } }, { status: 201, body: pet(1, { name: 'ConformanceTestAaab' }) });
  const world = run.now();
  expect([...world.sharedIds]).toEqual([1n]);
  expect(world.animals.get(1n)?.sent?.name).toBe(NAME);
});

test('requests with the key that are accepted, and nothing else, show what the service accepts', () => {
  const run = history();
  run.add({ credential: undefined }, { status: 200, body: [] });
  run.add({ body: { name: 7, categoryId: 3 } }, { status: 201, body: pet(1) });
  run.add({ target: '/pets/1' }, error(404));
  expect([...run.now().accepted]).toEqual([]);
  run.add({}, { status: 200, body: [] });
  expect([...run.now().accepted]).toEqual(['listPets']);
});

test('cookies are kept as a client sends them, of responses to the key alone', () => {
  const run = history();
  const setting = (cookie: string) => ({ ...error(401), headers: [['set-cookie', cookie]] as const });
  run.add({ credential: undefined }, setting('visit=1'));
  run.add({}, setting('session=2; Path=/; HttpOnly'));
  expect([...run.now().cookies]).toEqual(['session=2']);
});
