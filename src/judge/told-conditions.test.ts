import { expect, test } from 'vitest';
import { WORDING } from '../../suites/plan/narrowing.ts';
import { error, history, pet } from '../../test/support/history.ts';
import { recurringCondition } from './told-conditions.ts';

const CLAUSE = 'errors.no-server-error';

/** Lists, with a read after each; every third list and, where the reads recur too, every second read is broken. */
function subjectsOf(readsRecur: boolean) {
  const run = history();
  for (let index = 0; index < 60; index += 1) {
    run.add({}, index % 3 === 2 ? error(500) : { status: 200, body: [pet(1)] });
    run.add({ target: '/pets/1' }, readsRecur && index % 2 === 1 ? error(500) : { status: 200, body: pet(1) });
  }
  return run.now().all.map((exchange) => ({ exchange, isBroken: exchange.status === 500 }));
}

test('what recurs among the requests of one operation is told of these, whatever stands between them', () => {
  const found = recurringCondition(CLAUSE, subjectsOf(false), WORDING);
  expect(found).toMatchObject({
    when: 'in about every 3rd response to GET /pets',
    broken: { broken: 20 },
    otherwise: { broken: 0, of: 100 },
  });
});

test('what is broken for several operations is not told to recur for one', () => {
  expect(recurringCondition(CLAUSE, subjectsOf(true), WORDING)).toBeUndefined();
});
