import { expect, test } from 'vitest';
import { KEY, sessionOptions } from '../../../test/prove/judge-reference.ts';
import { listed, posted } from '../../../test/support/exchange-samples.ts';
import { startReference } from '../../reference/server.ts';
import type { Json } from '../../wire/json.ts';
import type { CreateOptions } from '../client/api.ts';
import { openSession } from '../open-session.ts';
import { statusOf } from '../read-exchange.ts';
import { kindOfRejection, trackRunState } from './run-state.ts';
import { createWriteBudget } from './write-budget.ts';

const PLAIN: CreateOptions = { domain: 'plain' };
const INVALID: CreateOptions = { domain: 'invalid', clause: 'create.name-required' };
const MISSING_NAME = 'create.name-required: undefined';
const NUMBER_NAME = 'create.name-type: number';
const NUMBERED: CreateOptions = { domain: 'invalid', clause: 'create.name-type' };
const NEW_PET = { name: 'conformanceTodayAaab', categoryId: 1 };

function budgetOf(maxCreates: number) {
  const tracker = trackRunState({
    ...{ consistencyWindow: 0, baseUrl: 'http://127.0.0.1:1', now: new Date(0) },
    ...{ runTag: 'today', leftoverIds: [] },
  });
  const budget = createWriteBudget({ readOnly: false, maxCreates }, tracker.knowledge);
  const settle = (value: Json, reply: Parameters<typeof posted>[1], options: CreateOptions): void => {
    const exchange = posted(value, reply, options);
    budget.release(kindOfRejection(exchange.request));
    tracker.take(exchange);
  };
  return { ...tracker, budget, settle };
}

test('a creation waits for those in flight, which may create nothing', async () => {
  const { budget, settle } = budgetOf(1);
  await budget.reserve(MISSING_NAME);
  let sent = false;
  const next = budget.reserve().then(() => {
    sent = true;
  });
  await Promise.resolve();
  expect(sent).toBe(false);
  settle({}, { status: 400 }, INVALID);
  await next;
  expect(sent).toBe(true);
  expect(budget.room()).toBe(0);
});

test('several that wait are sent while there is room, and the others halt because the budget is spent', async () => {
  const { budget, settle } = budgetOf(1);
  await budget.reserve(MISSING_NAME);
  const waiting = [budget.reserve(), budget.reserve()];
  budget.release(MISSING_NAME);
  await waiting[0];
  settle(NEW_PET, { status: 201, body: { id: 1, ...NEW_PET } }, PLAIN);
  await expect(waiting[1]).rejects.toMatchObject({ unsent: { kind: 'inconclusive', why: 'choice' } });
});

test('invalid bodies that are accepted leave a part of the budget to other creations', async () => {
  const { budget, settle } = budgetOf(8);
  const accept = async (id: number): Promise<void> => {
    await budget.reserve(MISSING_NAME);
    settle({ categoryId: id }, { status: 201, body: { id, categoryId: id } }, INVALID);
  };
  for (let id = 1; id <= 5; id += 1) await accept(id);
  expect(budget.room()).toBe(2);
  await expect(budget.reserve(MISSING_NAME)).rejects.toMatchObject({ unsent: { kind: 'inconclusive', why: 'choice' } });
  await expect(budget.reserve()).resolves.toBeUndefined();
});

test('what must be rejected is sent after the rest of the budget is spent, one of a kind at a time, until the first of its kind is accepted', async () => {
  const { budget, settle, knowledge } = budgetOf(8);
  const create = async (id: number): Promise<void> => {
    await budget.reserve();
    settle(NEW_PET, { status: 201, body: { id, ...NEW_PET } }, PLAIN);
  };
  for (let id = 1; id <= 6; id += 1) await create(id);
  const spent = { unsent: { kind: 'inconclusive', why: 'choice', missing: expect.stringContaining('--max-creates raises it') } };
  await expect(budget.reserve()).rejects.toMatchObject(spent);
  for (let turn = 0; turn < 20; turn += 1) {
    await budget.reserve(MISSING_NAME);
    settle({}, { status: 400 }, INVALID);
  }
  await budget.reserve(MISSING_NAME);
  const second = budget.reserve(MISSING_NAME);
  settle({ categoryId: 1 }, { status: 201, body: { id: 7, categoryId: 1 } }, INVALID);
  await expect(second).rejects.toMatchObject(spent);
  await budget.reserve(NUMBER_NAME);
  const other = budget.reserve('create.status-invalid: string');
  settle({ name: 1 }, { status: 201, body: { id: 8, name: 1 } }, { domain: 'invalid', clause: 'create.name-type' });
  await expect(other).rejects.toMatchObject(spent);
  expect(knowledge.entries).toHaveLength(8);
});

test('what must be rejected costs a creation each, once the service is known to store what it rejects', async () => {
  const { budget, settle, take, knowledge } = budgetOf(8);
  const reject = async (name: string): Promise<void> => {
    await budget.reserve(NUMBER_NAME);
    settle({ name: 1, note: name }, { status: 400 }, NUMBERED);
  };
  for (let turn = 0; turn < 20; turn += 1) await reject(`conformanceTodayAab${turn}`);
  take(listed({ limit: 100 }, { status: 200, body: [] }));
  expect(budget.room()).toBe(6);
  await reject('conformanceTodayAaaa');
  take(listed({ limit: 100 }, { status: 200, body: [{ id: 1, name: 'conformanceTodayAaaa', categoryId: 1 }] }));
  for (let turn = 0; turn < 7; turn += 1) await reject('conformanceTodayAaac');
  await expect(budget.reserve(NUMBER_NAME)).rejects.toMatchObject({ unsent: { kind: 'inconclusive', why: 'choice' } });
  expect([knowledge.entries.length, knowledge.ambiguous.length]).toEqual([1, 7]);
});

test('a list is due, once in a run, when rejected creations could have used up the budget', async () => {
  const { budget, settle, take } = budgetOf(12);
  const reject = async (times: number): Promise<void> => {
    for (let turn = 0; turn < times; turn += 1) {
      await budget.reserve(NUMBER_NAME);
      settle({ name: 1 }, { status: 400 }, NUMBERED);
    }
  };
  await reject(8);
  expect([budget.room(), budget.lookUp()]).toEqual([9, undefined]);
  await reject(1);
  expect([budget.lookUp(), budget.lookUp()]).toEqual([{ limit: 100 }, undefined]);
  take(listed({ limit: 100 }, { status: 200, body: [] }));
  await reject(20);
  expect(budget.lookUp()).toBeUndefined();
});

test('lost creations count against the budget, and are looked for whenever there are eight more than a list has left', async () => {
  const { budget, settle, knowledge } = budgetOf(40);
  const lose = async (times: number): Promise<void> => {
    for (let time = 0; time < times; time += 1) {
      await budget.reserve();
      settle({ ...NEW_PET, name: `conformanceTodayAa${knowledge.ambiguous.length}` }, 'timeout', PLAIN);
    }
  };
  await lose(7);
  expect([budget.room(), budget.lookUp()]).toEqual([27, undefined]);
  await lose(1);
  expect([budget.room(), budget.lookUp(), budget.lookUp()]).toEqual([26, { limit: 100 }, undefined]);
});

test('invalid bodies that the service accepts leave a part of the write budget, even if all are sent at once', async () => {
  const reference = await startReference({ apiKey: KEY, seedAnimals: 3, faults: ['number-name-accepted'] });
  const open = await openSession(sessionOptions(reference.baseUrl, { maxCreates: 40, concurrency: 4 }));
  const { session } = open;
  try {
    await open.start();
    const sent = Array.from({ length: 60 }, (_unused, index) => ({ value: { name: index, categoryId: 1 } }));
    const asked = sent.map((body) => session.api.create(body, { domain: 'invalid', clause: 'create.name-type' }));
    const responses = (await Promise.allSettled(asked)).flatMap((one) => (one.status === 'fulfilled' ? [statusOf(one.value)] : []));
    expect(new Set(responses)).toEqual(new Set([201]));
    expect(responses.length).toBeLessThan(40);
    expect((await session.fixtures.create()).id).toBeGreaterThan(0n);
  } finally {
    await session.close();
    await reference.close();
  }
});
