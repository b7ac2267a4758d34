import { expect, test } from 'vitest';
import { listed, posted } from '../../../test/exchange-samples.ts';
import type { Json } from '../../wire/json.ts';
import type { CreateOptions } from '../client/api.ts';
import { createLedger } from './write-budget.ts';

const PLAIN: CreateOptions = { domain: 'plain' };
const INVALID: CreateOptions = { domain: 'invalid', clause: 'create.name-required' };
const NEW_PET = { name: 'conformanceTodayAaab', categoryId: 1 };

const ledgerOf = (maxCreates: number) =>
  createLedger({
    readOnly: false,
    maxCreates,
    consistencyWindow: 0,
    baseUrl: 'http://127.0.0.1:1',
    now: new Date(0),
    namePrefix: 'conformance',
    runTag: 'today',
    leftoverIds: [],
  });

test('a creation waits for those under way, which may create nothing', async () => {
  const ledger = ledgerOf(1);
  await ledger.reserve(INVALID);
  let sent = false;
  const next = ledger.reserve(PLAIN).then(() => {
    sent = true;
  });
  await Promise.resolve();
  expect(sent).toBe(false);
  ledger.enter(posted({}, { status: 400 }, INVALID), { body: { value: {} }, options: INVALID });
  await next;
  expect(sent).toBe(true);
  expect(ledger.room()).toBe(0);
});

test('of several that wait, as many are sent as there is room for, and the others are told that the budget is spent', async () => {
  const ledger = ledgerOf(1);
  await ledger.reserve(INVALID);
  const waiting = [ledger.reserve(PLAIN), ledger.reserve(PLAIN)];
  ledger.release();
  await waiting[0];
  ledger.enter(posted(NEW_PET, { status: 201, body: { id: 1, ...NEW_PET } }, PLAIN), {
    body: { value: NEW_PET },
    options: PLAIN,
  });
  await expect(waiting[1]).rejects.toMatchObject({ outcome: { kind: 'inconclusive', why: 'choice' } });
});

const loseCreationOf = async (ledger: ReturnType<typeof ledgerOf>, value: Json): Promise<void> => {
  await ledger.reserve(INVALID);
  ledger.enter(posted(value, 'timeout', INVALID), { body: { value }, options: INVALID });
};

const all = (...pets: readonly Json[]) => listed({ limit: 100 }, { status: 200, body: pets });

test('a list of all animals that shows nothing of lost creations gives their part of the budget back', async () => {
  const ledger = ledgerOf(9);
  await loseCreationOf(ledger, { name: 'conformanceTodayAaab' });
  await loseCreationOf(ledger, { categoryId: 1 });
  expect([ledger.room(), ledger.ambiguous()]).toEqual([7, ['conformanceTodayAaab', '(no name)']]);
  ledger.notice(all({ id: 1, name: 'conformanceTodayAaab', categoryId: 1 }));
  expect([ledger.room(), ledger.ambiguous(), ledger.created().length]).toEqual([8, [], 1]);
});

test('an animal that nothing explains may be what came of a creation without a name', async () => {
  const ledger = ledgerOf(9);
  await loseCreationOf(ledger, { name: 'conformanceTodayAaab' });
  await loseCreationOf(ledger, { categoryId: 1 });
  ledger.notice(all({ id: 7, name: 'Rex', categoryId: 1 }));
  expect(ledger.ambiguous()).toEqual(['(no name)']);
});

test('a full page says nothing of lost creations', async () => {
  const ledger = ledgerOf(9);
  await loseCreationOf(ledger, { name: 'conformanceTodayAaab' });
  ledger.notice(all(...Array.from({ length: 100 }, (_unused, id) => ({ id, name: 'Rex', categoryId: 1 }))));
  expect(ledger.ambiguous()).toEqual(['conformanceTodayAaab']);
});
