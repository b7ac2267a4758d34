import { existsSync, rmSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openCreationLedger } from '../../src/probe/canary/ledger.ts';
import { createCanarySchedule, describeWrites } from '../../src/probe/canary/limits.ts';
import { resolveTarget } from '../../src/probe/smoke.ts';
import { ownFolder } from '../support/program.ts';
import { GENEROUS, NAME, redOf, rowsOf, startCanary, startService, verdictOf, world } from './canary-world.ts';
import { createFakeClock, type FakeClock } from './samples.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** When a target that is run once per minute gets an animal, by the monotonic clock. */
async function turns(
  clock: FakeClock,
  options: { minutes: number; spacing: number; schedule: ReturnType<typeof createCanarySchedule>; lastAt?: number },
) {
  const { minutes, spacing, schedule, lastAt } = options;
  const at: number[] = [];
  for (let minute = 0; minute < minutes; minute += 1) {
    if (schedule.isDue(NAME, { spacing, lastAt })) {
      at.push(clock.monotonic());
      schedule.took(NAME);
    }
    await clock.advance(60_000);
  }
  return at;
}

const gapsOf = (at: readonly number[]): number[] => at.slice(1).map((time, index) => time - (at[index] ?? 0));

describe('createCanarySchedule', () => {
  test('The animals of a day are spread evenly over it.', async () => {
    const clock = createFakeClock();
    const at = await turns(clock, { minutes: 24 * 60, spacing: DAY / 24, schedule: createCanarySchedule(clock), lastAt: 0 });
    expect(at).toHaveLength(24);
    expect(new Set(gapsOf(at))).toEqual(new Set([HOUR]));
  });

  test('A spacing that is not a multiple of the interval loses no turn and causes no two at once.', async () => {
    const clock = createFakeClock();
    const at = await turns(clock, { minutes: 24 * 60, spacing: DAY / 1_000, schedule: createCanarySchedule(clock), lastAt: 0 });
    expect(at.length).toBeGreaterThan(950);
    expect(at.length).toBeLessThanOrEqual(1_000);
    expect(Math.min(...gapsOf(at))).toBe(60_000);
  });

  test('What was missed is not made up for.', async () => {
    const clock = createFakeClock();
    const schedule = createCanarySchedule(clock);
    await turns(clock, { minutes: 60, spacing: HOUR, schedule, lastAt: 0 });
    await clock.advance(9.9 * HOUR);
    const at = await turns(clock, { minutes: 180, spacing: HOUR, schedule });
    expect(at.length).toBeLessThanOrEqual(4);
    expect(Math.min(...gapsOf(at))).toBeGreaterThanOrEqual(HOUR / 2);
  });

  test('A wall clock that jumps by days, either way, changes no turn.', async () => {
    const clock = createFakeClock();
    const schedule = createCanarySchedule(clock);
    const at: number[] = [];
    for (const jump of [0, 3 * DAY, -9 * DAY, 30 * DAY]) {
      clock.jump(jump);
      at.push(...(await turns(clock, { minutes: 120, spacing: HOUR, schedule, lastAt: 0 })));
    }
    expect(at).toHaveLength(8);
    expect(new Set(gapsOf(at))).toEqual(new Set([HOUR]));
  });

  test('A start waits for what is left since the last creation, and an hour where the ledger knows none.', async () => {
    const clock = createFakeClock();
    const beat = (lastAt: number | undefined) => ({ spacing: 6 * HOUR, lastAt });
    const schedule = createCanarySchedule(clock);
    expect(schedule.isDue('recent', beat(clock.wall() - 5 * HOUR))).toBe(false);
    expect(schedule.isDue('ahead', beat(clock.wall() + 5 * HOUR))).toBe(false);
    expect(schedule.isDue('fresh', beat(undefined))).toBe(false);
    expect(schedule.isDue('long ago', beat(clock.wall() - DAY))).toBe(true);
    await clock.advance(HOUR);
    expect(['recent', 'ahead', 'fresh'].map((name) => schedule.isDue(name, beat(undefined)))).toEqual([true, false, true]);
  });
});

describe('the budgets', () => {
  test('Per day and lifetime are kept across restarts, and nothing is created in a burst.', async () => {
    const at: number[] = [];
    let clock = createFakeClock();
    const service = await startService({
      onPost: () => {
        at.push(clock.wall());
        return false;
      },
    });
    const file = join(ownFolder(), 'canary.db');
    const writes = { perDay: 3, lifetime: 7, categoryId: undefined };
    // Eleven hours each, so that starts occur at different times of the day.
    for (let start = 0; start < 10; start += 1) {
      clock = createFakeClock(clock.wall());
      const bird = startCanary(service, { file, clock, writes });
      for (let run = 0; run < 5; run += 1) {
        await bird.run();
        await clock.advance(2.2 * HOUR);
      }
      bird.close();
    }
    expect(at).toHaveLength(7);
    expect(rowsOf(file).map(({ state }) => state)).toEqual(Array.from({ length: 7 }, () => 'created'));
    const days = at.map((time) => Math.floor(time / DAY));
    for (const day of days) expect(days.filter((other) => other === day).length).toBeLessThanOrEqual(3);
    expect(Math.min(...gapsOf(at))).toBeGreaterThanOrEqual(4 * HOUR);
    const later = startCanary(service, { file, clock, writes });
    expect(later.canary.state(later.target)).toMatchObject({ left: 0, books: { created: 7 } });
  });

  test('A rejected or lost creation counts like a successful one.', async () => {
    const responses = [400, 500, 0, 202];
    const service = await startService({
      onPost: (response) => {
        const status = responses.shift();
        if (status === undefined) return false;
        if (status === 0) response.destroy();
        else response.writeHead(status, { 'content-type': 'application/json' }).end('{"code":"x","message":"x","status":400}');
        return true;
      },
    });
    const file = join(ownFolder(), 'canary.db');
    const clock = createFakeClock();
    const bird = startCanary(service, { file, clock, writes: { perDay: 24, lifetime: 4, categoryId: undefined } });
    for (let run = 0; run < 8; run += 1) {
      await bird.run();
      await clock.advance(HOUR);
    }
    expect(service.posts).toHaveLength(4);
    expect(rowsOf(file).map(({ state }) => state)).toEqual(['refused', 'ambiguous', 'ambiguous', 'ambiguous']);
  });

  test('Two monitors with one ledger do not overdraw it together, and each target has its own.', () => {
    const clock = createFakeClock();
    const file = join(ownFolder(), 'canary.db');
    const open = () => openCreationLedger({ file, clock, onProblem: () => undefined, onAbandoned: () => undefined });
    const [one, two] = [open(), open()];
    const sent = { name: 'probeAaaaaaaaaaaaaaa', categoryId: 9_007_199_254_740_993n };
    const budget = { perDay: 2, lifetime: 3, categoryId: undefined };
    const reserve = (ledger: typeof one, target = NAME) => ledger.reserve({ target, baseUrl: 'http://x/v1', sent }, budget).ok;
    expect([reserve(one), reserve(two), reserve(one), reserve(two), reserve(one, 'other')]).toEqual([true, true, false, false, true]);
    // The day is that of the entries, wherever the clock is now.
    clock.jump(-3 * DAY);
    expect(reserve(one)).toBe(false);
    clock.jump(4 * DAY);
    expect([reserve(one), reserve(two)]).toEqual([true, false]);
    one.settle(1, { state: 'created', id: -9_223_372_036_854_775_808n });
    expect(two.lastAnimal(NAME, 'http://x/v1')).toMatchObject({ id: -9_223_372_036_854_775_808n, sent });
    one.close();
    two.close();
  });

  const sent = { name: 'probeAaaaaaaaaaaaaaa', categoryId: 1n };

  test('A ledger that is missing at the start is not recreated until somebody allows it.', () => {
    const [clock, file, problems] = [createFakeClock(), join(ownFolder(), 'canary.db'), [] as string[]];
    const open = () => openCreationLedger({ file, clock, onProblem: (problem) => problems.push(problem), onAbandoned: () => undefined });
    const reserve = (ledger: ReturnType<typeof open>) => ledger.reserve({ target: NAME, baseUrl: 'http://x/v1', sent }, GENEROUS).ok;
    const use = (): { created: boolean; available: boolean } => {
      const ledger = open();
      const created = reserve(ledger);
      const available = ledger.available();
      ledger.close();
      return { created, available };
    };
    // Nothing was created yet, so that nothing is forgotten.
    open().close();
    rmSync(file);
    expect(use()).toEqual({ created: true, available: true });
    rmSync(file);
    expect(use()).toEqual({ created: false, available: false });
    expect(existsSync(file)).toBe(false);
    expect(problems[0]).toContain(
      `it is missing, although animals were created: put it back, or remove ${file}.begun to begin with full budgets`,
    );
    rmSync(`${file}.begun`);
    expect(use()).toEqual({ created: true, available: true });
    // An older version left no such file.
    rmSync(`${file}.begun`);
    expect(use()).toEqual({ created: true, available: true });
    rmSync(file);
    expect(use().created).toBe(false);
  });

  test('A renamed target does not get a new budget, and takes nothing from a target that still exists.', async () => {
    const service = await startService();
    const [clock, file] = [createFakeClock(), join(ownFolder(), 'canary.db')];
    const writes = { perDay: 24, lifetime: 2, categoryId: undefined };
    const first = startCanary(service, { file, clock, writes });
    await first.run();
    await clock.advance(HOUR);
    await first.run();
    first.close();
    const renamed = startCanary(service, { file, clock, writes, name: 'renamed' });
    expect(renamed.canary.state(renamed.target)).toMatchObject({ left: 1, books: { created: 1 } });
    const beside = { ...renamed.target, name: 'beside' };
    renamed.canary.use([beside, renamed.target]);
    expect(renamed.canary.state(beside)).toMatchObject({ left: 2 });
    expect(renamed.canary.state(renamed.target)).toMatchObject({ left: 1 });
    const elsewhere = startCanary({ baseUrl: 'http://127.0.0.1:9/v1' }, { file, clock, writes, name: 'elsewhere' });
    expect(elsewhere.canary.state(elsewhere.target)).toMatchObject({ left: 2 });
  });

  test('An intent that a killed process left is ambiguous after the restart, and is reported once.', () => {
    const clock = createFakeClock();
    const file = join(ownFolder(), 'canary.db');
    const abandoned: string[] = [];
    const open = () => openCreationLedger({ file, clock, onProblem: () => undefined, onAbandoned: (target) => abandoned.push(target) });
    open().reserve({ target: NAME, baseUrl: 'http://x/v1', sent }, GENEROUS);
    const later = open();
    expect(later.books(NAME)).toMatchObject({ ambiguous: 1, created: 0, today: 1 });
    expect(rowsOf(file).map(({ state }) => state)).toEqual(['ambiguous']);
    later.close();
    open().close();
    expect(abandoned).toEqual([NAME]);
  });
});

describe('describeWrites', () => {
  const target = (name: string, extra: object = {}) => resolveTarget({ name, baseUrl: 'https://x/v1', apiKey: () => 'k', ...extra });

  test('It says in words what each target will create.', () => {
    const writes = { perDay: 24, lifetime: 500, categoryId: undefined };
    const targets = [
      target('production', { writes }),
      target('slow', { writes: { perDay: 1_000, lifetime: 5_000, categoryId: 7n }, interval: 2 * HOUR }),
      target('staging'),
    ];
    expect(describeWrites({ targets, schedule: true })).toEqual([
      'production creates at most 24 animals a day and 500 in all, in the category of a listed animal, which cannot be deleted',
      'slow creates at most 12 animals a day and 5000 in all, in category 7, which cannot be deleted',
      'all other targets are only read',
    ]);
    expect(describeWrites({ targets: [target('staging')], schedule: true })).toEqual(['no target creates animals']);
    expect(describeWrites({ targets, schedule: false })[0]).toBe(
      'production creates nothing, because "schedule" is false and /probe never writes',
    );
  });
});

const ONE_DAY = 86_400_000;

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
      await clock.advance(ONE_DAY);
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
    await clock.advance(ONE_DAY);
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
    await clock.advance(ONE_DAY);
    expect((await bird.run()).sample.verdict).toBe('fail');
    expect(bird.canary.state(bird.target)?.books).toMatchObject({ quota: 0, ambiguous: 1 });
  });
});

describe('When the next creation is due', () => {
  test('It is in the past as long as a creation is due and none was sent, also while the wall clock jumps.', async () => {
    const { clock, bird } = await world();
    const due = (): number => (bird.canary.state(bird.target)?.dueAt ?? 0) - clock.wall();
    await clock.advance(ONE_DAY / 2);
    expect(due()).toBeLessThan(-ONE_DAY / 2);
    clock.jump(30 * ONE_DAY);
    expect(due()).toBeLessThan(-ONE_DAY / 2);
    expect(due()).toBeGreaterThan(-3 * ONE_DAY);
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
