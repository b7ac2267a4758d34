import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { ownFolder } from '../support/program.ts';
import { GENEROUS, NAME, redOf, rowsOf, startCanary, startService, verdictOf, world } from './canary-world.ts';
import { createFakeClock, KEY } from './samples.ts';

const DAY = 86_400_000;

describe('the write canary', () => {
  test('An animal is created, judged and looked for, and later runs read it again instead of creating.', async () => {
    const { service, file, clock, bird } = await world();
    const first = await bird.run();
    expect(first.sample).toMatchObject({ verdict: 'pass', failures: [] });
    expect(service.posts).toHaveLength(1);
    expect(service.posts[0]).toMatchObject({ status: 'sold', categoryId: expect.any(Number) });
    expect(service.posts[0]?.name).toMatch(/^probe[A-Z][a-z]{14}$/);
    for (const id of [
      'create.success/canary',
      'create.round-trip/canary',
      'list.complete/canary',
      'create.answer/every-201-to-plain-bodies',
    ])
      expect(`${id} ${verdictOf(first, id)}`).toBe(`${id} pass`);
    expect(first.sample.responses).toContainEqual({ operation: 'createPet', code: '201', count: 1 });
    expect(bird.settled).toEqual([`${NAME} created`]);
    const [row] = rowsOf(file);
    expect(row).toMatchObject({ target: NAME, state: 'created', name: service.posts[0]?.name });

    await clock.advance(60_000);
    const before = service.reads.length;
    const second = await bird.run();
    expect(second.sample).toMatchObject({ verdict: 'pass' });
    expect(service.posts).toHaveLength(1);
    expect(service.reads.slice(before)).toContain(`/v1/pets/${row?.id}`);
    for (const id of ['get.durable/canary', 'get.identity/canary', 'create.round-trip/canary'])
      expect(`${id} ${verdictOf(second, id)}`).toBe(`${id} pass`);
    expect(bird.problems).toEqual([]);
  });

  test('The intent is on the disk before the POST arrives.', async () => {
    let seen: unknown;
    let look = (): unknown => undefined;
    const file = join(ownFolder(), 'canary.db');
    const service = await startService({
      onPost: (_response, post) => {
        seen = { rows: rowsOf(file).map(({ state, name }) => ({ state, same: name === post.name })), books: look() };
        return false;
      },
    });
    const clock = createFakeClock();
    const bird = startCanary(service, { file, clock });
    look = () => bird.canary.state(bird.target)?.books;
    await bird.run();
    await clock.advance(DAY);
    await bird.run();
    expect(seen).toMatchObject({ rows: [{ state: 'intent', same: true }], books: { ambiguous: 1, created: 0 } });
    expect(rowsOf(file).map(({ state }) => state)).toEqual(['created']);
    expect(look()).toMatchObject({ ambiguous: 0, created: 1 });
  });

  test('A lost response leaves the creation ambiguous: the run fails, and nothing is sent again.', async () => {
    const { service, file, clock, bird } = await world({
      onPost: (response) => {
        response.destroy();
        return true;
      },
    });
    const { sample } = await bird.run();
    expect(sample).toMatchObject({ verdict: 'fail', reason: 'protocol', clause: 'errors.answers' });
    await clock.advance(60_000);
    await bird.run();
    expect(service.posts).toHaveLength(1);
    expect(rowsOf(file).map(({ state }) => state)).toEqual(['ambiguous']);
    expect(bird.settled).toEqual([`${NAME} ambiguous`]);
    expect(bird.canary.state(bird.target)).toMatchObject({ left: 99, books: { created: 0, ambiguous: 1, today: 1 } });
  });

  test('A creation that hangs is cut off within the deadline of the run, ambiguous, and the failure of the service.', async () => {
    const { service, file, bird } = await world({ onPost: () => true, deadline: 8_000, interval: 10_000 });
    const { sample } = await bird.run();
    expect(sample).toMatchObject({ verdict: 'fail', reason: 'timeout', clause: 'errors.answers' });
    expect(sample.duration).toBeLessThan(8_000);
    expect(service.posts).toHaveLength(1);
    expect(rowsOf(file).map(({ state }) => state)).toEqual(['ambiguous']);
  });

  test('A service that asks to retry later gets no second request.', async () => {
    const { service, file, bird } = await world({
      onPost: (response) => {
        response.writeHead(429, { 'retry-after': '0' }).end();
        return true;
      },
    });
    const result = await bird.run();
    expect(service.posts).toHaveLength(1);
    expect(verdictOf(result, 'create.success/canary')).toBe('inconclusive');
    expect(rowsOf(file).map(({ state }) => state)).toEqual(['refused']);
    expect(bird.canary.state(bird.target)).toMatchObject({ left: 99, books: { refused: 1 } });
  });

  test.for([
    ['create-answers-200', 'create.success', 'create.success/canary'],
    ['stored-name-cut-at-16', 'create.round-trip', 'create.round-trip/canary'],
    ['stored-status-available', 'create.round-trip', 'create.round-trip/canary'],
    ['stored-not-at-all', 'list.complete', 'list.complete/canary'],
    ['answer-name-cut', 'create.answer', 'create.answer/every-201-to-plain-bodies'],
  ] as const)('A service with the fault %s is red by %s.', async ([fault, clause, check]) => {
    const { service, bird } = await world({ faults: [fault] });
    const result = await bird.run();
    expect(redOf(result)).toContain(check);
    expect(result.sample).toMatchObject({ verdict: 'fail', clause });
    expect(service.posts).toHaveLength(1);
  });

  test('What is stored wrongly stays red in the runs that only read.', async () => {
    const { clock, bird } = await world({ faults: ['stored-name-cut-at-16'] });
    await bird.run();
    await clock.advance(60_000);
    const later = await bird.run();
    expect(later.sample).toMatchObject({ verdict: 'fail', clause: 'create.round-trip' });
    expect(redOf(later)).toEqual(['create.round-trip/canary']);
  });

  test('An animal that is gone, or another one in its place, is red.', async () => {
    const { file, clock, bird, service } = await world();
    await bird.run();
    const database = new DatabaseSync(file);
    const elsewhere = (id: string): void => void database.prepare('UPDATE creation SET id = ?').run(id);
    elsewhere('999999999999');
    await clock.advance(60_000);
    expect((await bird.run()).sample).toMatchObject({ verdict: 'fail', clause: 'get.durable' });
    const { baseUrl } = await startService({ faults: ['get-answers-next'] });
    const list = (await (await fetch(`${baseUrl}/pets`, { headers: { authorization: `Bearer ${KEY}` } })).json()) as { id: number }[];
    database.prepare('UPDATE creation SET id = ?, base_url = ?').run(String(list[0]?.id), baseUrl);
    database.close();
    const other = startCanary({ baseUrl }, { file, clock });
    expect(redOf(await other.run())).toContain('get.identity/canary');
    expect(service.posts).toHaveLength(1);
  });

  test('Where no list has room, an animal that can be read is fine, and one that nothing shows is red.', async () => {
    const full = await world({ seedAnimals: 150 });
    const fine = await full.bird.run();
    expect(redOf(fine)).toEqual([]);
    expect(verdictOf(fine, 'create.round-trip/canary')).toBe('pass');
    expect(verdictOf(fine, 'list.complete/canary')).toBe('inconclusive');
    const lost = await world({ seedAnimals: 150, faults: ['stored-not-at-all'] });
    const red = await lost.bird.run();
    expect(redOf(red)).toEqual(['list.complete/canary']);
    expect(red.sample).toMatchObject({ verdict: 'fail', clause: 'list.complete' });
  });

  test('From the removal of getPet on, nothing is judged about the animal.', async () => {
    const { file, clock, bird } = await world();
    await bird.run();
    const { baseUrl } = await startService({ variants: ['removed-not-found'] });
    const database = new DatabaseSync(file);
    database.prepare('UPDATE creation SET base_url = ?').run(baseUrl);
    database.close();
    clock.jump(Date.UTC(2031, 0, 15) - clock.wall());
    const result = await startCanary({ baseUrl }, { file, clock, writes: { ...GENEROUS, lifetime: 1 } }).run();
    expect(redOf(result)).toEqual([]);
    for (const id of ['get.durable/canary', 'get.identity/canary', 'create.round-trip/canary'])
      expect(`${id} ${verdictOf(result, id)}`).toBe(`${id} not-applicable`);
  });

  test('An animal of another address is not looked for.', async () => {
    const { file, clock, bird } = await world();
    await bird.run();
    const moved = await startService();
    const later = startCanary(moved, { file, clock });
    const result = await later.run();
    expect(result.sample.verdict).toBe('pass');
    expect(verdictOf(result, 'get.durable/canary')).toBeUndefined();
  });

  test('A waiver holds for what the canary finds.', async () => {
    const waivers = ['create.round-trip', 'record.same-animal'].map((id) => ({ id, reason: 'known', expires: '9999-12-31' }));
    const { bird } = await world({ faults: ['stored-name-cut-at-16'], waivers });
    const result = await bird.run();
    expect(result.sample.verdict).toBe('pass');
    expect(verdictOf(result, 'create.round-trip/canary')).toBe('waived');
  });

  test('The category is the configured one; without it and without a listed animal nothing is sent.', async () => {
    const chosen = await world({ seedAnimals: 0, writes: { ...GENEROUS, categoryId: 3n } });
    await chosen.bird.run();
    expect(chosen.service.posts).toMatchObject([{ categoryId: 3 }]);
    const unknown = await world({ seedAnimals: 0 });
    const result = await unknown.bird.run();
    expect(unknown.service.posts).toEqual([]);
    expect(rowsOf(unknown.file)).toEqual([]);
    expect(result.run?.record.checks.find(({ id }) => id === 'create.success/canary')?.note).toContain('writes.categoryId');
  });

  test.for(['list-forbidden', 'list-nested'])('A service whose list is broken is not written to: %s.', async (fault) => {
    const { service, file, bird } = await world({ faults: [fault] });
    expect((await bird.run()).sample.verdict).toBe('fail');
    expect(service.posts).toEqual([]);
    expect(rowsOf(file)).toEqual([]);
  });
});

describe('a ledger that fails', () => {
  test('A file that cannot be opened: nothing is created, the reads continue, and it is reported.', async () => {
    const service = await startService();
    const file = join(ownFolder(), 'canary.db');
    mkdirSync(file);
    const clock = createFakeClock();
    const bird = startCanary(service, { file, clock });
    for (let run = 0; run < 3; run += 1) {
      expect((await bird.run()).sample.verdict).toBe('pass');
      await clock.advance(DAY);
    }
    expect(service.posts).toEqual([]);
    expect(service.reads.length).toBeGreaterThan(0);
    expect(bird.problems.join()).toContain('canary.db failed: unable to open');
    expect(bird.canary.problem()).toContain('nothing is created');
    expect(bird.canary.state(bird.target)).toMatchObject({ left: 0, books: undefined });
    rmSync(file, { recursive: true });
    await clock.advance(60_000);
    await bird.run();
    expect(bird.canary.problem()).toBeUndefined();
  });

  test('A damaged file is left unchanged, and nothing is created: a new one would not know what was spent.', async () => {
    const { service, file, bird, clock } = await world();
    await bird.run();
    bird.close();
    const damaged = Buffer.from(readFileSync(file)).fill(0x55, 0, 2_000);
    writeFileSync(file, damaged);
    const later = startCanary(service, { file, clock });
    await clock.advance(DAY);
    expect((await later.run()).sample.verdict).toBe('pass');
    expect(service.posts).toHaveLength(1);
    expect(readFileSync(file).equals(damaged)).toBe(true);
    expect(readdirSync(dirname(file)).filter((name) => name.includes('damaged'))).toEqual([]);
    expect(later.canary.problem()).toContain('nothing is created');
  });

  test('A file that cannot be written at the moment: nothing is sent until it can.', async () => {
    const { service, file, bird } = await world();
    const other = new DatabaseSync(file);
    other.exec('BEGIN IMMEDIATE');
    expect((await bird.run()).sample.verdict).toBe('pass');
    expect(service.posts).toEqual([]);
    expect(bird.canary.problem()).toContain('nothing is created');
    expect(bird.problems.join()).toContain('locked');
    other.exec('ROLLBACK');
    other.close();
    await bird.run();
    expect(service.posts).toHaveLength(1);
    expect(bird.canary.problem()).toBeUndefined();
  });

  test('A file that is removed while the monitor runs is not recreated.', async () => {
    const { service, file, bird, clock } = await world();
    await bird.run();
    for (const side of ['', '-wal', '-shm']) renameSync(file + side, `${file}${side}.old`);
    await clock.advance(DAY);
    await bird.run();
    await clock.advance(DAY);
    await bird.run();
    expect(service.posts).toHaveLength(1);
    expect(bird.problems.join()).toContain('removed or replaced');
    expect(bird.canary.problem()).toContain('nothing is created');
  });

  test('A result that cannot be written now is written later, and counts as ambiguous until then.', async () => {
    let block = (): void => undefined;
    const { file, bird } = await world({
      onPost: () => {
        block();
        return false;
      },
    });
    const other = new DatabaseSync(file);
    block = () => other.exec('BEGIN IMMEDIATE');
    await bird.run();
    expect(rowsOf(file).map(({ state }) => state)).toEqual(['intent']);
    other.exec('ROLLBACK');
    other.close();
    expect(bird.canary.state(bird.target)?.books).toMatchObject({ created: 1, ambiguous: 0 });
    expect(rowsOf(file).map(({ state }) => state)).toEqual(['created']);
  });

  test('The key gets into no file of the ledger, even where the service returns it.', async () => {
    const { file, bird } = await world({
      onPost: (response, post) => {
        const body = JSON.stringify({ ...post, id: 77, name: KEY, note: KEY });
        response.writeHead(201, { 'content-type': 'application/json', 'x-key': KEY }).end(body);
        return true;
      },
    });
    const { sample } = await bird.run();
    expect(sample.verdict).toBe('fail');
    expect(JSON.stringify(sample)).not.toContain(KEY);
    expect(rowsOf(file)).toMatchObject([{ state: 'created', id: '77' }]);
    bird.close();
    for (const name of readdirSync(dirname(file))) expect(readFileSync(join(dirname(file), name)).includes(KEY)).toBe(false);
  });
});
