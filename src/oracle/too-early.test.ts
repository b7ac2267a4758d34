import { describe, expect, test } from 'vitest';
import { clauses } from '../../suites/clauses/index.ts';
import { error, history, NAME, pet } from '../../test/support/history.ts';
import { requestsToRepeat } from './blame.ts';
import { judgeHistory } from './verdicts.ts';

const OTHER = 'ConformanceTestBbbb';
const WINDOW = 500;

/** Animal 1, created at the beginning and known to the suite at 10 ms, so that it must be visible after 510 ms. */
function created() {
  const run = history({ window: WINDOW });
  run.add({ body: { name: NAME, categoryId: 3, status: 'sold' } }, { status: 201, body: pet(1) }, 0);
  return run;
}

type Run = ReturnType<typeof history>;
const owes = (run: Run, ...only: readonly string[]) =>
  requestsToRepeat(only.length === 0 ? clauses : clauses.filter(({ id }) => only.includes(id)), run.now()).map(
    ({ exchange, countsAfter, place }) => [exchange.sent.target, countsAfter, place],
  );
const verdictOn = (run: Run, clause: string) => judgeHistory(clauses, run.now()).find((one) => one.clause.id === clause);

const [LIST, SOLD, READ] = ['/pets', '/pets?status=sold', '/pets/1'];
const empty = { status: 200, body: [] };

describe('a request that shows an animal too early to count', () => {
  test('is owed nothing if it shows the animal', () => {
    const run = created();
    run.add({}, { status: 200, body: [pet(1)] }, 20);
    run.add({ target: READ }, { status: 200, body: pet(1) }, 40);
    expect(owes(run)).toEqual([]);
  });

  test.each([
    [LIST, empty, 'list'],
    [SOLD, empty, 'filtered'],
    [READ, error(404), 'read'],
  ] as const)('is owed from the end of the window on if it does not: %s', (target, answer, place) => {
    const run = created();
    run.add({ target }, answer, 20);
    expect(owes(run)).toEqual([[target, 10 + WINDOW, place]]);
  });

  test('is neither a breach nor evidence', () => {
    const run = created();
    run.add({}, empty, 20);
    expect(verdictOn(run, 'list.complete')).toMatchObject({ verdict: 'inconclusive', broken: [] });
  });

  test('is settled by the same request that shows it, also before the end of the window', () => {
    const run = created();
    run.add({}, empty, 20);
    run.add({}, { status: 200, body: [pet(1)] }, 100);
    expect(owes(run)).toEqual([]);
  });

  test('is owed for the animal that takes longest', () => {
    const run = created();
    run.add({ body: { name: OTHER, categoryId: 3, status: 'sold' } }, { status: 201, body: pet(2, { name: OTHER }) }, 200);
    run.add({}, empty, 300);
    expect(owes(run)).toEqual([[LIST, 210 + WINDOW, 'list']]);
  });

  test('is owed if it omits an animal that came after it only when it is sent again', () => {
    const run = history({ window: WINDOW });
    run.add({}, empty, 0);
    run.add({ body: { name: NAME, categoryId: 3, status: 'sold' } }, { status: 201, body: pet(1) }, 20);
    expect(owes(run)).toEqual([]);
  });

  test('is owed to clauses that look there, and to no others', () => {
    const run = created();
    run.add({}, empty, 20);
    run.add({ target: READ }, error(404), 40);
    expect(owes(run, 'get.success')).toEqual([[READ, 10 + WINDOW, 'read']]);
    expect(owes(run, 'list.complete')).toEqual([[LIST, 10 + WINDOW, 'list']]);
    expect(owes(run, 'create.round-trip')).toHaveLength(2);
    expect(owes(run, 'auth.wrong-key')).toEqual([]);
  });
});

test('a request that counts and omits the animal is owed until it has done so three times', () => {
  const run = created();
  const counts = [1_000, 2_000, 3_000].map((at) => {
    run.add({}, empty, at);
    return owes(run).length;
  });
  expect(counts).toEqual([1, 1, 0]);
  expect(verdictOn(run, 'list.complete')?.verdict).toBe('fail');
});

test('what showed an animal of others last is owed once something that counts omits it', () => {
  const run = history({ window: WINDOW });
  run.add({}, { status: 200, body: [pet(7)] }, 0);
  run.add({ target: '/pets/7' }, { status: 200, body: pet(7) }, 2_000);
  run.add({}, empty, 3_000);
  expect(owes(run, 'get.success')).toEqual([['/pets/7', 10 + WINDOW, 'read']]);
  run.add({ target: '/pets/7' }, error(404), 4_000);
  expect(owes(run, 'get.success')).toEqual([]);
});

test('pages without a limit that differ from those with limit=20 are owed in pairs, until everything had to know', () => {
  const run = history({ window: WINDOW });
  const pets = Array.from({ length: 22 }, (_unused, index) =>
    pet(index + 1, { name: `Conformance${'abcdefghijklmnopqrstuvw'.charAt(index)}` }),
  );
  run.add({ target: '/pets?limit=100' }, { status: 200, body: pets }, 0);
  for (const at of [1_000, 2_000, 3_000]) {
    run.add({}, { status: 200, body: pets }, at);
    run.add({ target: '/pets?limit=20' }, { status: 200, body: pets.slice(0, 20) }, at + 100);
    expect(owes(run, 'list.limit-default').length).toBe(at < 3_000 ? 2 : 0);
  }
});

test('a history can be judged after each exchange', () => {
  const run = created();
  const after = [];
  for (const [target, answer] of [
    [READ, error(404)],
    [LIST, empty],
    [SOLD, empty],
    [LIST, { status: 200, body: [pet(1)] }],
  ] as const) {
    run.add({ target }, answer);
    after.push(owes(run).length);
  }
  expect(after).toEqual([1, 2, 3, 2]);
});
