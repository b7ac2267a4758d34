import { expect, test } from 'vitest';
import type { TransportFailure } from '../wire/exchange.ts';
import { Budget } from './budget.ts';
import type { Received } from './history.ts';

const SENT: Received['sent'] = { method: 'POST', target: '/pets', headers: [], body: undefined, framing: 'length', connection: 'kept' };
const base = { number: 1, sent: SENT, at: 0, done: 1, isUnread: false, waits: 0 };
const answered = (status: number): Received => ({
  ...base,
  response: { status, headers: [], size: 0, text: '', json: { ok: false, problem: 'empty' } },
  failure: undefined,
});
const failed = (reason: TransportFailure['reason']): Received => ({
  ...base,
  response: undefined,
  failure: { reason, message: 'it broke', stale: false },
});

async function createAll(budget: Budget, mustBeRejected: boolean, status: number): Promise<number> {
  for (let sent = 0; ; sent += 1) {
    if ((await budget.take(mustBeRejected)) !== undefined || sent > 999) return sent;
    budget.settle(mustBeRejected, answered(status));
  }
}

test('a creation costs one until it is answered, and nothing if it is rejected', async () => {
  const budget = new Budget(1);
  expect(await budget.take(false)).toBeUndefined();
  let why: string | undefined = 'waits';
  const next = budget.take(false).then((told) => {
    why = told;
  });
  await Promise.resolve();
  expect(why).toBe('waits');
  budget.settle(false, answered(400));
  await next;
  expect(why).toBeUndefined();
  budget.settle(false, answered(201));
  expect(await budget.take(false)).toBe('the write budget of 1 animals is spent; --max-creates raises it');
  expect(budget.created()).toEqual({ accepted: 1, acceptedWrongly: 0, lost: 0, rejected: 1 });
});

test('valid bodies leave six places to those that must be rejected, which take none from each other', async () => {
  const budget = new Budget(40);
  expect(await createAll(budget, false, 201)).toBe(34);
  expect(await createAll(budget, true, 400)).toBe(1_000);
});

test('a quarter of the budget stays for valid bodies where invalid ones are accepted', async () => {
  const budget = new Budget(40);
  expect(await createAll(budget, true, 201)).toBe(30);
  expect(await createAll(budget, false, 201)).toBe(10);
  expect(budget.created()).toEqual({ accepted: 10, acceptedWrongly: 30, lost: 0, rejected: 0 });
});

test.each([
  ['timeout', { lost: 1, rejected: 0 }],
  ['protocol', { lost: 1, rejected: 0 }],
  ['connect', { lost: 0, rejected: 1 }],
] as const)('a creation without a response (%s) counts where it may have arrived', async (reason, counts) => {
  const budget = new Budget(4);
  await budget.take(false);
  budget.settle(false, failed(reason));
  expect(budget.created()).toMatchObject(counts);
});

test('what was not sent costs nothing', async () => {
  const budget = new Budget(1);
  await budget.take(true);
  budget.settle(true, undefined);
  expect(await budget.take(false)).toBeUndefined();
});
