import { describe, expect, test } from 'vitest';
import { error, history, KEY, NAME, pet } from '../../test/support/history.ts';
import { loadOf, standingOf } from './standing.ts';

const plain = (name: string, categoryId: unknown = 3) => ({ body: { name, categoryId, status: 'sold' } });

describe('standing of a creation', () => {
  test('is plain with the category of the first accepted one, and unusual with another', () => {
    const run = history();
    run.add(plain(NAME), { status: 201, body: pet(1) });
    run.add(plain('ConformanceTestAaab'), error(500));
    expect(standingOf(run.last(), run.now()).body).toBe('plain');
    run.add(plain('ConformanceTestAaac', 9), error(400));
    expect(standingOf(run.last(), run.now()).body).toBe('unusual');
  });

  test('is open with a name that an accepted creation had, in whatever letter case, and plain after a rejected one', () => {
    const run = history();
    run.add(plain(NAME), { status: 201, body: pet(1) });
    run.add(plain(NAME.toUpperCase()), error(409));
    expect(standingOf(run.last(), run.now()).body).toBe('open');
    run.add(plain('ConformanceTestAaad'), error(400));
    run.add(plain('ConformanceTestAaad'), { status: 201, body: pet(2, { name: 'ConformanceTestAaad' }) });
    expect(standingOf(run.last(), run.now()).body).toBe('plain');
  });

  test('is open in another letter case than all names of others have, until one in it is accepted', () => {
    const run = history();
    run.add({}, { status: 200, body: [pet(8, { name: 'rex' }), pet(9, { name: 'bella' })] });
    run.add(plain(NAME.toLowerCase()), error(400));
    expect(standingOf(run.last(), run.now()).body).toBe('plain');
    run.add(plain('ConformanceTestAaab'), error(400));
    const other = run.last();
    expect(standingOf(other, run.now()).body).toBe('open');
    run.add(plain('ConformanceTestAaac'), { status: 201, body: pet(1, { name: 'ConformanceTestAaac' }) });
    expect(standingOf(other, run.now()).body).toBe('plain');
  });

  test('is open once creations have stopped, and not where one is accepted afterwards', () => {
    const run = history();
    run.add(plain(NAME), { status: 201, body: pet(1) });
    run.add(plain('ConformanceTestAaab'), error(403));
    run.add(plain('ConformanceTestAaac'), error(403));
    expect(standingOf(run.last(), run.now()).body).toBe('open');
    const stopped = run.last();
    run.add(plain('ConformanceTestAaad'), { status: 201, body: pet(2, { name: 'ConformanceTestAaad' }) });
    expect(standingOf(stopped, run.now()).body).toBe('plain');
  });

  test('is plain where creations are rejected for more than one reason: they have not stopped', () => {
    const run = history();
    run.add(plain(NAME), { status: 201, body: pet(1) });
    run.add(plain('ConformanceTestAaab'), error(403));
    const forbidden = run.last();
    run.add(plain('ConformanceTestAaac'), error(400));
    expect(standingOf(forbidden, run.now()).body).toBe('plain');
  });
});

describe('standing of a client', () => {
  const unnamed = { client: { without: ['user-agent'] } };

  test('may be rejected with a status that says so, unless the service accepts such a client', () => {
    const run = history();
    run.add(unnamed, error(403));
    const rejected = run.last();
    expect(standingOf(rejected, run.now()).mayRejectClient).toBe(true);
    run.add(unnamed, error(400));
    expect(standingOf(run.last(), run.now()).mayRejectClient).toBe(false);
    run.add(unnamed, { status: 200, body: [] });
    expect(standingOf(rejected, run.now()).mayRejectClient).toBe(false);
  });

  test('is accepted by its own value: another origin may be rejected', () => {
    const run = history();
    run.add({ headers: [['origin', 'https://one.example']] }, { status: 200, body: [] });
    run.add({ headers: [['origin', 'https://other.example']] }, error(403));
    expect(standingOf(run.last(), run.now()).mayRejectClient).toBe(true);
  });

  test('may be rejected for a size beyond the largest that the service accepts', () => {
    const run = history();
    const create = (length: number, answer: Parameters<typeof run.add>[1]) => {
      run.add({ body: { name: NAME.padEnd(length, 'a'), categoryId: 3 } }, answer);
      return run.last();
    };
    const [small, large] = [create(2_000, error(413)), create(9_000, error(413))];
    create(4_000, { status: 201, body: pet(1) });
    expect([small, large].map((one) => standingOf(one, run.now()).mayRejectClient)).toEqual([false, true]);
  });
});

describe('standing of a read', () => {
  test('is of a known animal once a response has shown it', () => {
    const run = history();
    run.add({ target: '/pets/7' }, error(404));
    const before = run.last();
    run.add({}, { status: 200, body: [pet(7)] });
    run.add({ target: '/pets/7' }, error(404));
    expect(standingOf(before, run.now()).asksForKnownAnimal).toBe(false);
    expect(standingOf(run.last(), run.now()).asksForKnownAnimal).toBe(true);
  });
});

describe('standing of a request without the key', () => {
  test('comes after the key on a connection that has carried it, for the same target, from the same client', () => {
    const run = history();
    const afterKey = () => {
      const standing = standingOf(run.last(), run.now()).afterKey;
      return standing === undefined ? ['with the key'] : Object.entries(standing).flatMap(([kind, is]) => (is === true ? [kind] : []));
    };
    const without = { credential: undefined };
    run.add({ ...without, target: '/pets?limit=5' }, { ...error(401), connection: 1 }, 0);
    expect(afterKey()).toEqual([]);
    run.add({ target: '/pets?limit=6' }, { status: 200, body: [], connection: 2 }, 100);
    expect(afterKey()).toEqual(['with the key']);
    run.add({ ...without, target: '/pets?limit=7' }, { ...error(401), connection: 2 }, 200);
    expect(afterKey()).toEqual(['connection', 'client']);
    run.add({ ...without, target: '/pets?limit=6' }, { ...error(401), connection: 1 }, 300);
    expect(afterKey()).toEqual(['target', 'client']);
    // A cache may have forgotten it.
    run.add({ ...without, target: '/pets?limit=6' }, { ...error(401), connection: 1 }, 5_000);
    expect(afterKey()).toEqual([]);
    run.add({ credential: `bearer ${KEY}`, target: '/pets?limit=8' }, { status: 200, body: [], connection: 3 }, 6_000);
    run.add({ ...without, target: '/pets?limit=8' }, { ...error(401), connection: 1 }, 6_100);
    expect(afterKey()).toEqual(['target', 'client']);
  });
});

test('the company of a request is what is in flight with it, and how long nothing was before', () => {
  const run = history();
  for (const at of [0, 5, 2_000, 2_005, 2_009, 2_500]) run.add({}, { status: 200, body: [] }, at);
  const world = run.now();
  expect(world.all.map((one) => loadOf(one, world))).toEqual([
    { inFlight: 1, idle: 0 },
    { inFlight: 1, idle: 0 },
    { inFlight: 2, idle: 1_985 },
    { inFlight: 2, idle: 0 },
    { inFlight: 2, idle: 0 },
    { inFlight: 0, idle: 481 },
  ]);
});
