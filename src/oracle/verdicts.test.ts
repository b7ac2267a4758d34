import { describe, expect, test } from 'vitest';
import { clauses } from '../../suites/clauses/index.ts';
import { error, history, KEY, pet } from '../../test/support/history.ts';
import { NOT_RECOGNIZED } from '../clause/outcome.ts';
import { judgeHistory } from './verdicts.ts';

type Run = ReturnType<typeof history>;
const verdictsOf = (run: Run) => new Map(judgeHistory(clauses, run.now()).map((one) => [one.clause.id as string, one]));
const passed = (run: Run): readonly string[] => [...verdictsOf(run)].flatMap(([id, { verdict }]) => (verdict === 'pass' ? [id] : []));

const PLAIN = { body: { name: 'ConformanceTestBbbb', categoryId: 3, status: 'sold' } };
const NAMELESS = { body: { categoryId: 3 } };

/** A list that shows an animal, with the key and without it. */
function credible(run = history()) {
  run.add({}, { status: 200, body: [pet(1)] });
  run.add({ credential: undefined }, error(401));
  return run;
}

describe('a must that was not met says why', () => {
  test('by the row that would have met it', () => {
    const run = credible();
    run.skip(PLAIN, 'choice', '--read-only');
    run.skip(NAMELESS, 'choice', '--read-only');
    const all = verdictsOf(run);
    expect(all.get('create.success')).toMatchObject({ verdict: 'inconclusive', why: 'choice', note: '--read-only' });
    expect(all.get('create.name-required')?.unmet).toEqual([
      { title: 'bodies that must be rejected', why: 'choice', missing: '--read-only' },
    ]);
    expect(all.get('auth.wrong-key')).toMatchObject({ why: 'circumstance' });
  });

  test('by the creations that were not sent, where it takes an animal of the run', () => {
    const run = credible();
    run.skip(PLAIN, 'choice', '--read-only');
    expect(
      verdictsOf(run)
        .get('list.complete')
        ?.unmet.find(({ title }) => title === 'created animals'),
    ).toMatchObject({ why: 'choice' });
  });

  test('by the clause that is broken on the exchange that should have brought what it needs', () => {
    const run = credible();
    run.add(PLAIN, error(500));
    run.skip({ target: '/pets/5' }, 'circumstance', 'an id', 3);
    expect(verdictsOf(run).get('get.not-found')?.unmet).toMatchObject([
      { title: 'ids of 31 bits', why: 'waits', blockedBy: 'errors.no-server-error' },
      { title: 'negative ids', why: 'circumstance' },
      { title: 'larger ids', why: 'circumstance' },
    ]);
  });

  test('by the service that put a request off', () => {
    const run = credible();
    run.add(PLAIN, { ...error(503), headers: [['retry-after', '1']] });
    expect(verdictsOf(run).get('create.success')).toMatchObject({ verdict: 'inconclusive', why: 'service' });
  });

  test('by what is broken, where nothing shows that the service is a pet store', () => {
    const run = history();
    for (const target of ['/pets', '/pets?limit=5', '/pets/1']) run.add({ target }, error(500));
    const all = verdictsOf(run);
    const waits = { verdict: 'inconclusive', why: 'waits', blockedBy: 'errors.no-server-error' };
    expect(all.get('list.success')).toMatchObject(waits);
    expect(all.get('create.success')).toMatchObject({ verdict: 'inconclusive', why: 'circumstance', note: NOT_RECOGNIZED });
  });

  test.each([
    ['put off', (run: ReturnType<typeof credible>) => run.add({}, undefined)],
    ['left out', (run: ReturnType<typeof credible>) => run.skip(PLAIN, 'choice', 'the write budget of 250 animals is spent')],
  ])('and does not apply where others could have shown what a request that was %s did not', (_what, miss) => {
    const run = credible();
    const before = verdictsOf(run).get('errors.infrastructure-errors');
    expect(before).toMatchObject({ verdict: 'not-applicable' });
    miss(run);
    expect(verdictsOf(run).get('errors.infrastructure-errors')).toMatchObject({ verdict: 'not-applicable', note: before?.note });
  });

  test('by the service that put a request off, rather than by what was left out', () => {
    const run = credible();
    run.skip(PLAIN, 'choice', '--depth thorough');
    run.add(PLAIN, { ...error(503), headers: [['retry-after', '1']] });
    expect(verdictsOf(run).get('create.success')).toMatchObject({ verdict: 'inconclusive', why: 'service' });
  });

  test.each([403, 413, 507])('by the service that rejects every creation, from the first one on, with %d', (status) => {
    const run = credible();
    for (const asked of [PLAIN, NAMELESS, { body: { ...PLAIN.body, name: 'ConformanceTestCccc' } }]) run.add(asked, error(status));
    const all = verdictsOf(run);
    const missing = expect.stringContaining(`the service rejects every creation (${status})`);
    expect(all.get('create.success')).toMatchObject({ verdict: 'inconclusive', why: 'service', note: missing });
    expect(all.get('create.name-required')?.verdict).toBe('inconclusive');
    expect(all.get('errors.no-server-error')?.verdict).not.toBe('fail');
  });

  test('by the category that the service may not have, where no animal shows one and all are rejected with 400', () => {
    const rejected = { ...error(400), body: { code: 'category', message: 'No such category', status: 400 } };
    const run = history();
    run.add({}, { status: 200, body: [] });
    for (const categoryId of [1, 2, 3, 4, 5]) run.add({ body: { name: 'ConformanceTestBbbb', categoryId } }, rejected);
    const missing = '400 "No such category" (categories tried: 1, 2, 3 and 2 more); name a category that exists with --category-id';
    expect(verdictsOf(run).get('create.success')).toMatchObject({
      ...{ verdict: 'inconclusive', why: 'circumstance', note: expect.stringContaining(missing) },
    });
    // Any other status is no answer to a category.
    run.add({ body: { name: 'ConformanceTestCccc', categoryId: 6 } }, error(405));
    expect(verdictsOf(run).get('create.success')?.verdict).toBe('fail');
  });

  test('by nothing, where the user names a category that is rejected', () => {
    const run = history({ categoryIds: [5n] });
    run.add({}, { status: 200, body: [] });
    run.add({ body: { name: 'ConformanceTestBbbb', categoryId: 5 } }, error(400));
    expect(verdictsOf(run).get('create.success')?.verdict).toBe('fail');
  });

  test('by the quota that came after a creation, which is none of the service', () => {
    const run = credible();
    run.add(PLAIN, { status: 201, body: pet(2, { name: PLAIN.body.name, categoryId: 3, status: 'sold' }) });
    for (const name of ['ConformanceTestCccc', 'ConformanceTestDddd', 'ConformanceTestEeee'])
      run.add({ body: { name, categoryId: 3 } }, error(507));
    const all = verdictsOf(run);
    expect(all.get('create.success')?.verdict).toBe('pass');
    expect(all.get('create.status-optional')).toMatchObject({ verdict: 'inconclusive', why: 'circumstance' });
  });

  test('by the success that is missing, where a rejection was seen', () => {
    const run = credible();
    run.add(NAMELESS, error(400));
    expect(verdictsOf(run).get('create.name-required')).toMatchObject({ verdict: 'inconclusive', why: 'circumstance' });
    run.skip(PLAIN, 'service', 'the rate limit');
    expect(verdictsOf(run).get('create.name-required')).toMatchObject({ why: 'service' });
    run.add(PLAIN, error(400));
    expect(verdictsOf(run).get('create.name-required')).toMatchObject({ why: 'waits', blockedBy: 'create.success' });
  });

  test('and is left out once getPet has been removed', () => {
    const run = credible(history({ now: new Date('2031-01-01') }));
    run.add({ target: '/pets/1' }, error(410));
    const all = verdictsOf(run);
    expect(all.get('get.success')).toMatchObject({ verdict: 'not-applicable', unmet: [] });
    expect(all.get('errors.shape')?.unmet.map(({ title }) => title)).not.toContain('404 of getPet');
    expect(all.get('deprecation.still-works')?.verdict).toBe('pass');
  });
});

describe('a service that answers the same to everything passes nothing', () => {
  const bodies = { list: [pet(1)], 'empty list': [], animal: pet(1), object: {}, error: error(404).body, text: 'OK', null: null };
  const rows = Object.entries(bodies).flatMap(([title, body]) => [200, 201, 401, 404, 500].map((status) => ({ title, status, body })));

  test.each(rows)('$status $title', ({ status, body }) => {
    const run = history();
    for (const target of ['/pets', '/pets?limit=5', '/pets?status=sold', '/pets/1', '/pets/-2', '/pets/1'])
      for (const credential of [`Bearer ${KEY}`, undefined, 'Bearer wrong']) run.add({ target, credential }, { status, body });
    for (const asked of [PLAIN, NAMELESS, { body: '{' }]) run.add(asked, { status, body });
    expect(passed(run)).toEqual([]);
  });
});

test('a service passes what it was asked for alone', () => {
  const run = history();
  run.add({}, { status: 200, body: [pet(1)] });
  expect(passed(run)).toContain('list.success');
});
