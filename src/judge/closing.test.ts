import { expect, test } from 'vitest';
import { type Answered, error, history, pet } from '../../test/support/history.ts';
import { NO_KEY } from '../../test/support/judged.ts';
import { closingOf } from './closing.ts';

const [LIST, READ, WITHOUT] = [{}, { target: '/pets/1' }, NO_KEY];
const [SHOWN, FOUND, REJECTED] = [{ status: 200, body: [pet(1)] }, { status: 200, body: pet(1) }, error(401)];
type Asked = Parameters<ReturnType<typeof history>['add']>[0];
type Step = readonly [Asked, Answered | undefined];

/** What is said at the end of a run that was fine until these last requests. */
function endOf(steps: readonly Step[], now = '2026-01-01'): readonly string[] {
  const run = history({ now: new Date(now) });
  for (const [asked, reply] of [[LIST, SHOWN] as const, [READ, FOUND] as const, [WITHOUT, REJECTED] as const, ...steps])
    run.add(asked, reply);
  return closingOf(run.now()).map((sentence) => sentence.replace(/^at the end of the run /, ''));
}

test.each<[string, Step, string | undefined]>([
  ['a list as before', [LIST, SHOWN], undefined],
  ['a rejected list', [LIST, error(403)], 'GET /pets returned 403, not 200 as before'],
  ['a list that lacks its animals', [LIST, { status: 200, body: [] }], 'GET /pets no longer showed any animal'],
  [
    'an empty list of a status that nothing was asked of before',
    [{ target: '/pets?status=sold' }, { status: 200, body: [] }],
    'GET /pets?status=sold no longer showed any animal',
  ],
  ['an object for a list', [LIST, { status: 200, body: {} }], 'GET /pets no longer returned a list'],
  ['no response to a list', [LIST, undefined], 'GET /pets got no complete response: no response within 3 s'],
  ['a list with another parameter', [{ target: '/pets?page=2' }, error(400)], undefined],
  ['a list of an unusual client', [{ headers: [['user-agent', '']] }, error(400)], undefined],
  ['a read as before', [READ, FOUND], undefined],
  ['an animal that is gone', [READ, error(404)], undefined],
  ['a removed operation', [READ, error(410)], 'GET /pets/1 returned 410, not 200 as before'],
  ['a rejected read', [READ, error(500)], 'GET /pets/1 returned 500, not 200 as before'],
  ['a list for an animal', [READ, SHOWN], 'GET /pets/1 no longer returned the animal'],
  ['no response to a read', [READ, undefined], 'GET /pets/1 got no complete response: no response within 3 s'],
  ['a read of an unknown animal', [{ target: '/pets/9' }, error(500)], undefined],
  ['a rejected credential as before', [WITHOUT, error(403)], undefined],
  ['a list without the key', [WITHOUT, SHOWN], 'GET /pets without the API key returned 200, not 401 as before'],
  ['a list without the key that is not found', [WITHOUT, error(404)], 'GET /pets without the API key returned 404, not 401 as before'],
  ['no response without the key', [WITHOUT, undefined], 'GET /pets got no complete response: no response within 3 s'],
])('closingOf says of %s: %3$s', (_what, step, sentence) => {
  expect(endOf([step])).toEqual(sentence === undefined ? [] : [sentence]);
});

test('closingOf says nothing of a removed operation once it may be, and of what was never fine', () => {
  expect(endOf([[READ, error(410)]], '2031-01-01')).toEqual([]);
  const run = history();
  for (const step of [LIST, READ, WITHOUT]) run.add(step, error(500));
  for (const step of [LIST, READ, WITHOUT]) run.add(step, error(404));
  expect(closingOf(run.now())).toEqual([]);
});

test('closingOf says what no longer held at an earlier end', () => {
  const run = history();
  run.add(LIST, SHOWN);
  run.add(LIST, error(403));
  run.add(LIST, SHOWN);
  expect(closingOf(run.now())).toEqual([]);
  expect(closingOf(run.now(), 2)).toEqual(['at the end of the run GET /pets returned 403, not 200 as before']);
});
