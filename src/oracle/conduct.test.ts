import { describe, expect, test } from 'vitest';
import { clauses } from '../../suites/clauses/index.ts';
import { error, history, pet } from '../../test/support/history.ts';
import { isBinding } from '../clause/clause.ts';
import { conductOf, noLongerIn } from './conduct.ts';
import { judgeHistory } from './verdicts.ts';

type Run = ReturnType<typeof history>;
const PLAIN = { body: { name: 'ConformanceTestBbbb', categoryId: 3, status: 'sold' } };
const LIST = { status: 200, body: [pet(1)] };
const redIn = (run: Run): readonly string[] =>
  judgeHistory(clauses, run.now()).flatMap(({ verdict, clause }) => (verdict === 'fail' && isBinding(clause) ? [clause.id] : []));

/** A service that has shown an animal, and rejects requests without the key. */
function served(run = history()): Run {
  run.add({}, LIST);
  run.add({ target: '/pets/1' }, { status: 200, body: pet(1) });
  run.add({ credential: undefined }, error(401));
  return run;
}

describe('conductOf', () => {
  test('has the operations that rejected what they must reject, and no rejections of the HTTP layer', () => {
    const run = history();
    run.add({ credential: undefined }, error(403));
    run.add({ target: '/pets/5', credential: undefined }, error(401));
    run.add({ body: { categoryId: 3 } }, error(413));
    expect(conductOf(run.now()).rejects).toEqual(['listPets']);
    run.add({ body: { categoryId: 3 } }, error(400));
    run.add({ target: '/pets/5' }, error(404));
    expect(conductOf(run.now()).rejects).toEqual(['listPets', 'createPet', 'getPet']);
  });

  test('counts the responses that asked to wait', () => {
    const run = served();
    run.add({}, { ...error(503), headers: [['retry-after', '1']] });
    run.add({}, error(429));
    run.add({}, error(503));
    expect(conductOf(run.now()).askedToWait).toBe(2);
  });

  test('says that the key is locked out once it is rejected for good, and not where it is accepted again', () => {
    const run = served();
    for (let count = 0; count < 4; count += 1) run.add({}, error(401));
    expect(conductOf(run.now()).isLockedOut).toBe(true);
    run.add({}, LIST);
    expect(conductOf(run.now()).isLockedOut).toBe(false);
  });

  test.each<[string, Parameters<ReturnType<typeof history>['add']>[0], number, readonly string[]]>([
    ['a list without the key', { credential: undefined }, 401, ['listPets']],
    ['a list without the key that is limited', { credential: undefined }, 429, []],
    ['a list with the key', {}, 400, []],
    ['an invalid body', { body: {} }, 400, ['createPet']],
    ['an invalid body that is called unprocessable', { body: {} }, 422, ['createPet']],
    ['an invalid body with the key rejected', { body: {} }, 401, []],
    ['an invalid body without the key', { body: {}, credential: undefined }, 401, []],
    ['a plain body', PLAIN, 400, []],
    ['an id that no animal has', { target: '/pets/7' }, 404, ['getPet']],
    ['an id that is none', { target: '/pets/x' }, 404, []],
  ])('classifies the rejection of %s', (_what, asked, status, rejects) => {
    const run = history();
    run.add(asked, error(status));
    expect(conductOf(run.now()).rejects).toEqual(rejects);
  });

  test.each<[string, readonly number[], boolean]>([
    ['accepted once and then never again', [200, 401, 401, 401], true],
    ['never accepted', [401, 401, 401], false],
    ['rejected now and then', [200, 401, 401, 401, 200], false],
    ['rejected once at the end', [200, 401], false],
    ['asked to wait with', [200, 401, 401, 401, 429], true],
  ])('tells a key that is %s', (_what, statuses, isLockedOut) => {
    const run = history();
    for (const status of statuses) run.add({}, status === 200 ? LIST : error(status));
    expect(conductOf(run.now()).isLockedOut).toBe(isLockedOut);
  });

  test.each<[string, readonly number[], number]>([
    ['five 5xx in a row', [500, 500, 500, 500, 500], 5],
    ['four of them', [500, 500, 500, 500], 0],
    ['a right response in between', [500, 500, 500, 500, 200, 500, 500, 500, 500], 0],
    ['501 in between', [500, 500, 500, 500, 501, 500, 500, 500, 500], 0],
  ])('sees the outage in %s', (_what, statuses, failed) => {
    const run = history();
    for (const status of statuses) run.add({}, status === 200 ? LIST : error(status));
    expect(conductOf(run.now()).outage.size).toBe(failed);
  });

  test('has the requests of an outage, and not those that fail for what they have in common', () => {
    const run = served();
    for (let count = 0; count < 9; count += 1) run.add({}, error(502));
    run.add({}, LIST);
    for (let count = 0; count < 9; count += 1) run.add({ credential: undefined }, error(502));
    expect([...conductOf(run.now()).outage]).toEqual([4, 5, 6, 7, 8, 9, 10, 11, 12]);
  });
});

describe('verdicts', () => {
  test('call a key that is rejected for good neither right nor wrong', () => {
    const run = served();
    for (let count = 0; count < 4; count += 1) run.add({}, error(401));
    expect(redIn(run)).toEqual([]);
    const verdict = judgeHistory(clauses, run.now()).find(({ clause }) => clause.id === 'auth.valid-key');
    expect(verdict).toMatchObject({ verdict: 'inconclusive', why: 'service', broken: [] });
    expect(verdict?.unmet.find(({ title }) => title === 'lists')).toMatchObject({ why: 'service' });
    run.add({}, LIST);
    expect(redIn(run)).toEqual(['auth.valid-key']);
  });

  test('have an outage as one defect', () => {
    const run = served();
    for (let count = 0; count < 9; count += 1) run.add(count % 2 === 0 ? {} : PLAIN, { status: 502, text: 'Bad Gateway', headers: [] });
    expect(redIn(run)).toEqual(['errors.no-server-error']);
  });
});

describe('noLongerIn', () => {
  test('is empty where all that held still holds, and where it was never so', () => {
    const run = served();
    run.add({}, LIST, 9_000);
    run.add({ target: '/pets/1' }, { status: 200, body: pet(1) }, 9_100);
    run.add({ credential: undefined }, error(401), 9_200);
    expect(noLongerIn({ from: 9_000 }, run.now())).toEqual([]);
    // What is asked after the end to learn when clauses are broken says nothing about it.
    run.add({}, error(400), 9_400);
    run.add({ target: '/pets?limit=13' }, error(400), 9_500);
    expect(noLongerIn({ from: 9_000, until: 9_400 }, run.now())).toEqual([]);
    const closed = history();
    closed.add({}, error(403));
    expect(noLongerIn({ from: 0 }, closed.now())).toEqual([]);
  });

  test('says what no longer holds', () => {
    const run = served();
    run.add({}, { status: 200, body: [] }, 9_000);
    run.add({ target: '/pets/1' }, error(500), 9_100);
    run.add({ credential: undefined }, LIST, 9_200);
    expect(noLongerIn({ from: 9_000 }, run.now())).toEqual([
      'at the end of the run GET /pets no longer showed any animal',
      'at the end of the run GET /pets/1 returned 500, not 200 as before',
      'at the end of the run GET /pets without the API key returned 200, not 401 as before',
    ]);
  });

  test('says that nothing was asked, or that there was no response', () => {
    const run = served();
    expect(noLongerIn({ from: 9_000 }, run.now())).toEqual([
      'at the end of the run no list was requested',
      'at the end of the run no list was requested without the API key',
    ]);
    run.add({}, undefined, 9_000);
    expect(noLongerIn({ from: 9_000 }, run.now())[0]).toBe(
      'at the end of the run GET /pets got no complete response: no response within 3 s',
    );
  });
});
