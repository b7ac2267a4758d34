import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import { NAME, redOf, rowsOf, verdictOf, world } from './canary-world.ts';

const DAY = 86_400_000;

function reject(response: ServerResponse, status: number, body = JSON.stringify({ code: 'quota', message: 'no more', status })): true {
  response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  return true;
}

/** A service that creates that many animals, and rejects all further ones. */
async function fullAfter(animals: number, status: number) {
  let created = 0;
  return world({
    onPost(response) {
      created += 1;
      return created > animals && reject(response, status);
    },
  });
}

describe('A quota of the service', () => {
  test.for([403, 413, 429, 507])(
    '%d after an animal was created is an outcome of its own: not judged, and counted apart.',
    async (status) => {
      const { service, file, clock, bird } = await fullAfter(1, status);
      expect((await bird.run()).sample.verdict).toBe('pass');
      await clock.advance(DAY);
      const result = await bird.run();
      expect(redOf(result)).toEqual([]);
      expect(result.sample.verdict).toBe('pass');
      expect(verdictOf(result, 'create.success/canary')).toBe('inconclusive');
      expect(bird.canary.state(bird.target)).toMatchObject({ left: 98, books: { created: 1, refused: 1, quota: 1, ambiguous: 0 } });
      expect(bird.settled).toEqual([`${NAME} created`, `${NAME} quota`]);
      expect(rowsOf(file).map(({ state }) => state)).toEqual(['created', 'refused']);
      expect(service.posts).toHaveLength(2);
    },
  );

  test.for([400, 401, 404, 500])('%d is not a quota: the creation is red.', async (status) => {
    const { clock, bird } = await fullAfter(1, status);
    await bird.run();
    await clock.advance(DAY);
    expect((await bird.run()).sample.verdict).toBe('fail');
    expect(bird.canary.state(bird.target)?.books?.quota).toBe(0);
  });

  test.for([403, 413, 507])('%d to the very first creation is not a quota.', async (status) => {
    const { bird } = await fullAfter(0, status);
    await bird.run();
    expect(bird.canary.state(bird.target)?.books?.quota).toBe(0);
  });

  test('507 without an Error body is not a quota.', async () => {
    let created = 0;
    const { clock, bird } = await world({
      onPost(response) {
        created += 1;
        return created > 1 && reject(response, 507, '{}');
      },
    });
    await bird.run();
    await clock.advance(DAY);
    expect((await bird.run()).sample.verdict).toBe('fail');
    expect(bird.canary.state(bird.target)?.books).toMatchObject({ quota: 0, ambiguous: 1 });
  });
});

describe('When the next creation is due', () => {
  test('It is in the past as long as a creation is due and none was sent, also while the wall clock jumps.', async () => {
    const { clock, bird } = await world();
    const due = (): number => (bird.canary.state(bird.target)?.dueAt ?? 0) - clock.wall();
    await clock.advance(DAY / 2);
    expect(due()).toBeLessThan(-DAY / 2);
    clock.jump(30 * DAY);
    expect(due()).toBeLessThan(-DAY / 2);
    expect(due()).toBeGreaterThan(-3 * DAY);
    await bird.run();
    expect(due()).toBeGreaterThan(0);
    expect(due()).toBeLessThanOrEqual(bird.canary.state(bird.target)?.spacing ?? 0);
  });

  test('With the budget spent, none is.', async () => {
    const { bird } = await world({ writes: { perDay: 1, lifetime: 1, categoryId: undefined } });
    await bird.run();
    expect(bird.canary.state(bird.target)).toMatchObject({ left: 0, dueAt: undefined });
  });
});
