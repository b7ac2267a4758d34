import { expect, test } from 'vitest';
import { idsIn } from '../../suites/list/lists.ts';
import { listed, type Reply } from '../exchange-samples.ts';

const ok = (body: unknown): Reply => ({ status: 200, body });

test('idsIn returns the ids of a list digit by digit, and none without a list', () => {
  expect([...idsIn(listed({}, ok([{ id: 9_007_199_254_740_993n }, { id: 7 }])))]).toEqual(['9007199254740993', '7']);
  expect(idsIn(listed({}, 'timeout')).size).toBe(0);
  expect(idsIn(listed({}, { status: 400, body: [{ id: 7 }] })).size).toBe(0);
});
