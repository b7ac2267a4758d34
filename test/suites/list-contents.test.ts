import { expect, test } from 'vitest';
import type { Exchange } from '../../src/wire/exchange.ts';
import { hasRoom } from '../../suites/judging/lists/has-room.ts';
import { idsIn } from '../../suites/judging/lists/ids-in.ts';
import { missingFrom } from '../../suites/judging/lists/missing-from.ts';
import { listed, type Reply } from '../exchange-samples.ts';

const ok = (body: unknown): Reply => ({ status: 200, body });
const animals = (count: number) => ok(Array.from({ length: count }, (_unused, id) => ({ id })));

test.each<[boolean, string, Exchange]>([
  [true, 'nineteen animals without limit', listed({}, animals(19))],
  [false, 'twenty animals without limit', listed({}, animals(20))],
  [true, 'nineteen animals with a limit of twenty', listed({ limit: 20 }, animals(19))],
  [false, 'one animal with a limit of nineteen', listed({ limit: 19 }, animals(1))],
  [false, 'twenty animals with a large limit', listed({ limit: 100 }, animals(20))],
  [true, 'no animal, whatever the limit', listed({ limit: 1 }, animals(0))],
  [false, 'no animal with a limit that is open', listed({ limit: 0 }, animals(0))],
  [false, 'no list', listed({}, ok({}))],
  [false, 'no answer', listed({}, 'timeout')],
])('hasRoom is %s of %s', (expected, _case, exchange) => {
  expect(hasRoom(exchange)).toBe(expected);
});

test('idsIn tells the ids of a list digit by digit, and none where there is no list', () => {
  expect([...idsIn(listed({}, ok([{ id: 9_007_199_254_740_993n }, { id: 7 }])))]).toEqual(['9007199254740993', '7']);
  expect(idsIn(listed({}, 'timeout')).size).toBe(0);
  expect(idsIn(listed({}, { status: 400, body: [{ id: 7 }] })).size).toBe(0);
});

test('missingFrom gives the animals that a list does not show', () => {
  const expected = [{ id: 0n }, { id: 5n }, { id: 2n ** 60n }];
  expect(missingFrom(listed({}, animals(3)), expected)).toEqual(expected.slice(1));
  expect(missingFrom(listed({}, 'timeout'), expected)).toEqual(expected);
});
