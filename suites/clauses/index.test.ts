import { describe, expect, test } from 'vitest';
import { judgeHistory } from '../../src/oracle/verdicts.ts';
import { error, history, NAME, pet } from '../../test/support/history.ts';
import { clauses } from './index.ts';

test('no clause has more than six musts, and each that judges has one', () => {
  const judging = clauses.filter(({ level }) => level !== 'open');
  expect(judging.filter(({ must }) => must.length === 0 || must.length > 6).map(({ id }) => id)).toEqual([]);
});

test('what is open is asked, and never judged', () => {
  for (const { level, rules, must, open } of clauses) {
    expect(level === 'open').toBe(open !== undefined);
    if (level === 'open') expect([...rules, ...must]).toEqual([]);
  }
});

const verdicts = (run: ReturnType<typeof history>) => new Map(judgeHistory(clauses, run.now()).map((one) => [one.clause.id, one]));

/** A service that does as the document says, as far as a few requests show. */
function conforming() {
  const run = history();
  run.add({}, { status: 200, body: [pet(1)], connection: 1 });
  run.add({ credential: undefined }, { ...error(401), connection: 2 });
  run.add({ target: '/pets/1' }, { status: 200, body: pet(1), connection: 1 });
  run.add({ target: '/pets/2' }, { ...error(404), connection: 1 });
  run.add({ body: { name: NAME, categoryId: 3, status: 'sold' } }, { status: 201, body: pet(2), connection: 1 });
  run.add({ body: { categoryId: 3 } }, { ...error(400), connection: 1 });
  return run;
}

describe('verdicts', () => {
  test('a conforming service breaks nothing, and passes what was met', () => {
    const all = verdicts(conforming());
    expect([...all.values()].filter(({ verdict }) => verdict === 'fail' && verdict !== undefined).map(({ clause }) => clause.id)).toEqual([
      'auth.challenge',
      'deprecation.announced',
    ]);
    expect(all.get('create.name-required')).toMatchObject({ verdict: 'pass' });
    expect(all.get('auth.missing-credential')).toMatchObject({ verdict: 'pass', note: 'passed, 5 of 6 not met', met: ['lists'] });
  });

  test('a service that rejects everything passes nothing', () => {
    const run = history();
    for (const target of ['/pets', '/pets/1', '/pets?limit=5']) {
      run.add({ target }, error(401));
      run.add({ target, credential: undefined }, error(401));
    }
    run.add({ body: { name: NAME, categoryId: 3 } }, error(401));
    run.add({ body: { categoryId: 3 } }, error(401));
    const passed = [...verdicts(run).values()].filter(({ verdict }) => verdict === 'pass').map(({ clause }) => clause.id);
    expect(passed).toEqual([]);
  });

  test('a rejection that proves nothing waits for what broke the success', () => {
    const run = history();
    run.add({}, { status: 200, body: [pet(1)] });
    run.add({ body: { name: NAME, categoryId: 3 } }, error(500));
    run.add({ body: { categoryId: 3 } }, error(400));
    expect(verdicts(run).get('create.name-required')).toMatchObject({
      verdict: 'inconclusive',
      why: 'waits',
      blockedBy: 'errors.no-server-error',
    });
  });

  test.each([200, 201, 404, 500])('a service that answers %i with an object to everything passes nothing', (status) => {
    const run = history();
    const same = { status, body: {} };
    for (const target of ['/pets', '/pets?limit=5', '/pets/1', '/pets/2']) run.add({ target }, same);
    run.add({ credential: undefined }, same);
    run.add({ body: { name: NAME, categoryId: 3 } }, same);
    run.add({ body: { categoryId: 3 } }, same);
    const passed = [...verdicts(run).values()].filter(({ verdict }) => verdict === 'pass').map(({ clause }) => clause.id);
    expect(passed).toEqual([]);
  });
});
