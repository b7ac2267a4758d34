import { expect, test } from 'vitest';
import { clauses } from '../../../suites/rows/index.ts';
import { error, history, pet } from '../../../test/support/history.ts';
import { judge } from './verdicts.ts';

const LEFT = pet(7, { name: 'ConformanceQrstuAaaa', categoryId: '3' });

test.each(['/pets', '/pets?limit=-1'])('an invalid animal of an earlier run that only %s shows is a warning', (target) => {
  const run = history();
  run.add({ target: '/pets?limit=1' }, { status: 200, body: [pet(1)] });
  run.add({ target }, { status: 200, body: [pet(1), LEFT] });
  run.add({ body: { name: 'ConformanceTestBbbb', categoryId: '3' } }, error(400));
  const verdicts = new Map(judge(clauses, run.now()).map((one) => [one.clause.id as string, one]));
  expect(verdicts.get('record.leftovers')).toMatchObject({ verdict: 'fail', note: expect.stringContaining('7 (categoryId "3")') });
  expect(verdicts.get('record.pets')?.verdict).not.toBe('fail');
});
