import { type AddressInfo, connect, createServer } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { nextDue, type Scheduled, Scheduler } from '../../src/probe/schedule.ts';
import { createSharedProbes } from '../../src/probe/shared-probes.ts';
import type { SmokeResult } from '../../src/probe/smoke.ts';
import { startReference } from '../../src/reference/server.ts';
import { ownFolder } from '../support/program.ts';
import { startMonitor, until } from './running-monitor.ts';
import { createFakeClock, KEY, sampleOf } from './samples.ts';

const item = (name: string, interval = 30_000): Scheduled => ({ name, interval, deadline: interval * 0.8 });

type Wishes = {
  readonly places?: number;
  readonly hang?: (name: string) => boolean;
  readonly lasts?: (name: string) => number;
  readonly confirm?: (name: string) => boolean;
};

function setUp(options: Wishes = {}) {
  const clock = createFakeClock();
  const starts: { name: string; at: number; confirms: boolean }[] = [];
  const skips: string[] = [];
  const delays: number[] = [];
  const pending = new Map<string, () => void>();
  const scheduler = new Scheduler<Scheduled>({
    clock,
    places: options.places ?? 10,
    async run({ name }, { confirms }) {
      starts.push({ name, at: clock.monotonic(), confirms });
      const time = options.lasts?.(name) ?? 0;
      if (time > 0) await new Promise<void>((resolve) => void clock.after(time, resolve));
      else if (options.hang?.(name) === true) {
        const { promise, resolve } = Promise.withResolvers<void>();
        pending.set(name, resolve);
        await promise;
      }
      return { confirm: options.confirm?.(name) ?? false };
    },
    onSkip: ({ name }, reason) => skips.push(`${name} ${reason}`),
    onDelay: (_item, delay) => delays.push(delay),
  });
  return { clock, scheduler, starts, skips, delays, release: (name: string) => pending.get(name)?.() };
}

describe('Scheduler', () => {
  test('Each target runs once per interval, on a beat derived from its name.', async () => {
    const { clock, scheduler, starts } = setUp();
    scheduler.set([item('a'), item('b')]);
    await clock.advance(120_000);
    for (const name of ['a', 'b']) {
      const at = starts.filter((start) => start.name === name).map((start) => start.at);
      expect(at).toHaveLength(4);
      expect(at).toEqual(at.map((_unused, index) => nextDue(item(name), 0) + index * 30_000));
    }
  });

  test('A thousand names spread evenly over the interval.', () => {
    const tenths = Array.from({ length: 10 }, () => 0);
    for (let index = 0; index < 1_000; index += 1) {
      const tenth = Math.floor(nextDue(item(`target-${index}`), 0) / 3_000);
      tenths[tenth] = (tenths[tenth] ?? 0) + 1;
    }
    expect(Math.min(...tenths)).toBeGreaterThan(60);
    expect(Math.max(...tenths)).toBeLessThan(140);
  });

  test('No second run starts during a run of the same target: the overlap is skipped and counted.', async () => {
    const { clock, scheduler, starts, skips, release } = setUp({ hang: () => true });
    scheduler.set([item('slow')]);
    await clock.advance(95_000);
    expect(starts).toHaveLength(1);
    expect(skips).toEqual(['slow overlap', 'slow overlap']);
    release('slow');
    await clock.advance(30_000);
    expect(starts).toHaveLength(2);
  });

  test('Hanging targets delay no other while places are free.', async () => {
    const { clock, scheduler, starts, delays } = setUp({ places: 120, hang: (name) => name.startsWith('hung') });
    const hung = Array.from({ length: 100 }, (_unused, index) => item(`hung-${index}`));
    const well = Array.from({ length: 900 }, (_unused, index) => item(`well-${index}`));
    scheduler.set([...hung, ...well]);
    await clock.advance(60_000);
    expect(starts.filter(({ name }) => name.startsWith('well'))).toHaveLength(1_800);
    expect(Math.max(...delays)).toBe(0);
  });

  test('Targets that hang repeatedly hold at most half of the places, however few there are.', async () => {
    const { clock, scheduler, starts, skips } = setUp({ places: 20, lasts: (name) => (name.startsWith('hung') ? 24_000 : 0) });
    const hung = Array.from({ length: 100 }, (_unused, index) => item(`hung-${index}`));
    const well = Array.from({ length: 900 }, (_unused, index) => item(`well-${index}`));
    scheduler.set([...hung, ...well]);
    // At first, no target is known to hang.
    await clock.advance(240_000);
    starts.length = 0;
    skips.length = 0;
    await clock.advance(60_000);
    expect(starts.filter(({ name }) => name.startsWith('well'))).toHaveLength(1_800);
    expect(skips.filter((skip) => skip.startsWith('well'))).toEqual([]);
    expect(starts.filter(({ name }) => name.startsWith('hung')).length).toBeGreaterThan(10);
  });

  test('When all places are taken, a run waits at most until it would reach into the next one.', async () => {
    const { clock, scheduler, starts, skips, release } = setUp({ places: 1, hang: (name) => name === 'a' });
    scheduler.set([item('a'), item('b')]);
    const [dueA, dueB] = [nextDue(item('a'), 0), nextDue(item('b'), 0)];
    // The second one finds the only place taken.
    await clock.advance(Math.max(dueA, dueB) + 1);
    if (dueB > dueA) {
      await clock.advance(7_000);
      release('a');
      await clock.advance(1);
      expect(skips).toContain('b capacity');
    }
    expect(starts.map(({ name }) => name)).toContain('a');
  });

  test('Missed beats are not made up for.', async () => {
    const { clock, scheduler, starts } = setUp();
    scheduler.set([item('a')]);
    await clock.advance(40_000);
    const before = starts.length;
    // The process slept for ten intervals: the timer fires late, once.
    const sleeping = { ...clock };
    expect(nextDue(item('a'), sleeping.monotonic() + 300_000)).toBeGreaterThanOrEqual(340_000);
    await clock.advance(30_000);
    expect(starts.length - before).toBe(1);
  });

  test('A jump of the wall clock by a day, either way, changes no beat.', async () => {
    const { clock, scheduler, starts } = setUp();
    scheduler.set([item('a')]);
    await clock.advance(30_000);
    clock.jump(86_400_000);
    await clock.advance(30_000);
    clock.jump(-2 * 86_400_000);
    await clock.advance(30_000);
    expect(starts).toHaveLength(3);
  });

  test('Targets that stay keep their beat when others come and go.', async () => {
    const { clock, scheduler, starts } = setUp();
    scheduler.set([item('stays'), item('goes')]);
    await clock.advance(30_000);
    scheduler.set([item('stays'), item('comes')]);
    await clock.advance(60_000);
    const at = starts.filter(({ name }) => name === 'stays').map((start) => start.at);
    expect(at.map((time, index) => time - index * 30_000)).toEqual(at.map(() => at[0]));
    expect(starts.filter(({ name }) => name === 'goes')).toHaveLength(1);
    expect(starts.filter(({ name }) => name === 'comes')).toHaveLength(2);
  });

  test('Stopping waits for running items and starts nothing more.', async () => {
    const { clock, scheduler, starts, release } = setUp({ hang: () => true });
    scheduler.set([item('a')]);
    await clock.advance(30_000);
    let stopped = false;
    const stop = scheduler.stop().then(() => {
      stopped = true;
    });
    await clock.advance(60_000);
    expect(stopped).toBe(false);
    release('a');
    await stop;
    expect(starts).toHaveLength(1);
  });
});

describe('Confirmations', () => {
  const minute = (name: string): Scheduled => ({ name, interval: 60_000, deadline: 30_000 });
  const confirmations = ({ starts }: ReturnType<typeof setUp>, name: string) =>
    starts.filter((start) => start.name === name && start.confirms).map(({ at }) => at);

  test('What is to be confirmed runs again once, about ten seconds later, and the beat goes on as before.', async () => {
    const all = setUp({ confirm: () => true });
    all.scheduler.set([minute('a')]);
    await all.clock.advance(240_000);
    const beats = all.starts.filter(({ confirms }) => !confirms).map(({ at }) => at);
    expect(beats).toEqual([0, 1, 2, 3].map((index) => nextDue(minute('a'), 0) + index * 60_000));
    // The last one may be due after the end of the test.
    const waits = confirmations(all, 'a').map((at, index) => at - (beats[index] ?? Number.NaN));
    expect(waits.length).toBeGreaterThanOrEqual(3);
    for (const wait of waits) expect(wait).toBeGreaterThanOrEqual(8_000);
    for (const wait of waits) expect(wait).toBeLessThan(12_000);
    expect(all.skips).toEqual([]);
    expect(all.delays).toEqual(beats.map(() => 0));
  });

  test('Targets that fail together are not confirmed together.', async () => {
    const all = setUp({ places: 1_000, confirm: () => true });
    const names = Array.from({ length: 200 }, (_unused, index) => `target-${index}`);
    all.scheduler.set(names.map(minute));
    await all.clock.advance(72_000);
    const waits = names.flatMap((name) => {
      const beat = all.starts.find((start) => start.name === name)?.at ?? Number.NaN;
      return confirmations(all, name)
        .slice(0, 1)
        .map((at) => Math.floor((at - beat) / 1_000));
    });
    expect(waits).toHaveLength(200);
    for (const second of [8, 9, 10, 11]) expect(waits.filter((wait) => wait === second).length).toBeGreaterThan(25);
  });

  test('None begins so late that the next beat would find it running: that run comes soon anyway.', async () => {
    const slow = setUp({ confirm: () => true, lasts: () => 28_000 });
    slow.scheduler.set([minute('a')]);
    const short = setUp({ confirm: () => true });
    short.scheduler.set([item('a', 15_000)]);
    for (const { clock } of [slow, short]) await clock.advance(240_000);
    for (const all of [slow, short]) {
      expect(all.starts.length).toBeGreaterThanOrEqual(4);
      expect(confirmations(all, 'a')).toEqual([]);
      expect(all.skips).toEqual([]);
    }
  });

  test('One for which there is no place does not take place, and nothing waits for it.', async () => {
    const all = setUp({ places: 1, confirm: (name) => name === 'staging', hang: (name) => name === 'd' });
    all.scheduler.set([minute('staging'), minute('d')]);
    // The other one takes the only place for the next minute.
    const [due, taken] = [nextDue(minute('staging'), 0), nextDue(minute('d'), 0)];
    expect(taken - due).toBeGreaterThan(0);
    expect(taken - due).toBeLessThan(8_000);
    await all.clock.advance(due + 30_000);
    expect(all.starts.map(({ name, confirms }) => `${name} ${confirms}`)).toEqual(['staging false', 'd false']);
    expect(all.skips).toEqual([]);
  });

  test('A target that goes, and a scheduler that stops, confirm nothing any more.', async () => {
    const goes = setUp({ confirm: () => true });
    goes.scheduler.set([minute('a')]);
    const stops = setUp({ confirm: () => true });
    stops.scheduler.set([minute('a')]);
    const due = nextDue(minute('a'), 0);
    for (const { clock } of [goes, stops]) await clock.advance(due + 1_000);
    goes.scheduler.set([]);
    await stops.scheduler.stop();
    for (const all of [goes, stops]) {
      await all.clock.advance(30_000);
      expect(all.starts).toHaveLength(1);
    }
  });
});

function setUpProbes(most = 100) {
  const clock = createFakeClock();
  const probes = createSharedProbes({ clock, most: () => most });
  const started: { resolve: (result: SmokeResult) => void; reject: (error: Error) => void }[] = [];
  const ask = (deadline: number, target = 'production', module?: string, debug = false) =>
    probes.run({ target, module, debug, deadline }, () => {
      const { promise, resolve, reject } = Promise.withResolvers<SmokeResult>();
      started.push({ resolve, reject });
      return promise;
    });
  return { clock, probes, ask, started };
}

const RESULT: SmokeResult = { sample: sampleOf({}), run: undefined };

describe('createSharedProbes', () => {
  test('Requests with the same time share a run, and so does a later one with as much.', async () => {
    const { clock, ask, started } = setUpProbes();
    const first = ask(10_000);
    expect(ask(10_000)).toBe(first);
    await clock.advance(3_000);
    expect(ask(10_000)).toBe(first);
    started[0]?.resolve(RESULT);
    expect(await first).toBe(RESULT);
    expect(ask(10_000)).not.toBe(first);
    expect(started).toHaveLength(2);
  });

  test('Whoever asks for the exchanges gets a separate run, because that of a scrape has none.', () => {
    const { ask } = setUpProbes();
    const first = ask(10_000);
    const debugged = ask(10_000, 'production', undefined, true);
    expect(debugged).not.toBe(first);
    expect(ask(10_000)).toBe(first);
    expect(ask(10_000, 'production', undefined, true)).toBe(debugged);
  });

  test('A request by another module gets a separate run, and the limit per target stays the same.', () => {
    const { ask, started } = setUpProbes();
    const first = ask(10_000, 'production', 'quick');
    expect(ask(10_000, 'production', 'quick')).toBe(first);
    expect(ask(10_000)).not.toBe(first);
    ask(10_000, 'production', 'lists');
    ask(10_000, 'production', 'reads');
    expect(ask(10_000, 'production', 'all')).toBeUndefined();
    expect(started).toHaveLength(4);
  });

  test('A request with more time than the run has gets a separate one.', () => {
    const { ask, started } = setUpProbes();
    expect(ask(25_000)).not.toBe(ask(500));
    expect(started).toHaveLength(2);
  });

  test('A request with less time than the run may still take gets a separate one, and shares it as soon as it ends in time.', async () => {
    const { clock, ask, started } = setUpProbes();
    const patient = ask(25_000);
    expect(ask(500)).not.toBe(patient);
    await clock.advance(24_600);
    expect(ask(500)).toBe(patient);
    expect(started).toHaveLength(2);
  });

  test('A target has four runs at a time at most, all targets together as many as are allowed, and each that ends makes room.', async () => {
    const { ask, started } = setUpProbes(5);
    for (const deadline of [1_000, 2_000, 3_000, 4_000]) expect(ask(deadline)).toBeDefined();
    expect(ask(5_000)).toBeUndefined();
    expect(ask(1_000, 'staging')).toBeDefined();
    expect(ask(1_000, 'test')).toBeUndefined();
    started[0]?.resolve(RESULT);
    await until('there is room', () => ask(1_000, 'test') !== undefined);
  });
});

/** A conforming service that takes a fifth of a second for each response. */
async function startSlow(): Promise<string> {
  const reference = await startReference({ apiKey: KEY, seedAnimals: 12 });
  const server = createServer((socket) => {
    const through = connect(reference.port, '127.0.0.1').on('error', () => socket.destroy());
    socket.on('error', () => through.destroy()).on('close', () => through.destroy());
    socket.on('data', (data) => void setTimeout(() => through.write(data), 200));
    through.pipe(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.close();
    await reference.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

test('/probe: a scraper with a short timeout causes no failure for one with a longer timeout.', async () => {
  const monitor = await startMonitor(
    `server: { port: 0 }\nschedule: false\ntargets:\n  - { name: slow, baseUrl: "${await startSlow()}", apiKey: env:KEY }\n`,
    ownFolder(),
  );
  const scrape = async (seconds: string): Promise<{ success: string | undefined; milliseconds: number }> => {
    const begin = performance.now();
    const headers = { 'x-prometheus-scrape-timeout-seconds': seconds };
    const text = await (await fetch(`${monitor.url}/probe?target=slow`, { headers })).text();
    return { success: /^probe_success (\d)$/m.exec(text)?.[1], milliseconds: performance.now() - begin };
  };
  const [impatient, patient, other, late] = await Promise.all([scrape('0.5'), scrape('25'), scrape('25'), scrape('0.5')]);
  expect([impatient.success, patient.success, other.success, late.success]).toEqual(['0', '1', '1', '0']);
  expect(late.milliseconds).toBeLessThan(patient.milliseconds);
});
