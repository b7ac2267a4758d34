import { expect, test } from 'vitest';
import { listed, posted, read } from '../../../test/support/exchange-samples.ts';
import { type Exchange, unreadReason } from '../../wire/exchange.ts';
import { createRecorder, operationsIn, traitsIn } from './history.ts';

const REX = { id: 1, name: 'Rex', categoryId: 1 };
const textIn = ({ outcome }: Exchange): string | undefined => (outcome.kind === 'answered' ? outcome.answer.text : undefined);

test('the history has every exchange in the order of recording, and listeners to all are called first', () => {
  const recorder = createRecorder();
  const received: string[] = [];
  recorder.onExchange(({ request }) => received.push(`operations ${request.method} ${recorder.history.exchanges.length}`));
  recorder.onEveryExchange(({ request }) => received.push(`all ${request.method} ${recorder.history.exchanges.length}`));
  const asked = listed({}, { status: 200, body: [REX] });
  const spelled = { ...asked, request: { ...asked.request, intent: { ...asked.request.intent, undocumented: true } } };
  const exchanges = [posted(REX, { status: 201, body: REX }), spelled, read(1n, 'timeout')];
  for (const exchange of exchanges) recorder.record(exchange);
  expect(recorder.history.exchanges).toEqual(exchanges);
  expect(received).toEqual(['all POST 1', 'operations POST 1', 'all GET 2', 'all GET 3', 'operations GET 3']);
});

const page = (name: string) => listed({}, { status: 200, body: Array.from({ length: 1_000 }, (_unused, id) => ({ ...REX, id, name })) });

test('large bodies are kept as long as there is room for them, what was read once only once, and small ones always', () => {
  const recorder = createRecorder(100_000);
  const received: Exchange[] = [];
  recorder.onExchange((exchange) => received.push(exchange));
  const small = read(1n, { status: 200, body: REX });
  const rex = page('Rex');
  for (const exchange of [rex, page('Balu'), rex, page('Mia'), small, rex]) recorder.record(exchange);
  const { exchanges } = recorder.history;
  expect(exchanges.map(({ abridged = false }) => abridged)).toEqual([false, false, false, true, false, false]);
  expect(exchanges.map((exchange) => textIn(exchange) === undefined)).toEqual([false, false, false, true, false, false]);
  expect(exchanges[3]?.outcome).toMatchObject({ answer: { status: 200, json: { ok: false } } });
  // A listener that judges an exchange when it is recorded judges all of it.
  expect(received.every((exchange) => textIn(exchange) !== undefined)).toBe(true);
});

test('of a large body that is not kept, the animals are, without what nobody judges; of any other, nothing', () => {
  const recorder = createRecorder(0);
  const photo = 'x'.repeat(20_000);
  const pet = { ...REX, status: 'sold', photo };
  recorder.record(posted(REX, { status: 201, body: pet }));
  recorder.record(listed({}, { status: 200, body: Array.from({ length: 100 }, (_unused, id) => ({ ...pet, id })) }));
  recorder.record(read(1n, { status: 200, body: { ...pet, categoryId: photo } }));
  recorder.record(read(1n, { status: 404, body: { code: photo, message: 'y', status: 404 } }));
  const jsonIn = ({ outcome }: Exchange) => (outcome.kind === 'answered' ? outcome.answer.json : undefined);
  const [created, list, ...others] = recorder.history.exchanges;
  const kept = { ...REX, status: 'sold' };
  expect(created && jsonIn(created)).toEqual({ ok: true, value: kept });
  expect(list && jsonIn(list)).toEqual({ ok: true, value: Array.from({ length: 100 }, (_unused, id) => ({ ...kept, id })) });
  expect(others.map(unreadReason)).toEqual([expect.stringContaining('not kept'), expect.stringContaining('not kept')]);
  expect([created, list].map((one) => one && unreadReason(one))).toEqual([undefined, undefined]);
});

const ERROR = { code: 'x', message: 'y', status: 404 };

const undocumented = (exchange: Exchange): Exchange => ({
  ...exchange,
  request: { ...exchange.request, intent: { ...exchange.request.intent, undocumented: true } },
});

test('statistics count responses exactly as received, and requests to other paths too', () => {
  const wrapped = listed({}, { status: 200, body: { items: [REX] } });
  const read200 = listed({}, { status: 200, body: [REX] });
  const exchanges = [
    { ...read200, received: listed({}, { status: 206, body: [REX] }).outcome },
    wrapped,
    read(2n, { status: 404, body: ERROR }),
    read(3n, 'timeout'),
    undocumented(read(4n, { status: 410, body: { gone: true }, headers: [['x-other', '1']] })),
  ];
  expect(operationsIn(exchanges).map(({ operation, requests, statuses }) => [operation, requests, statuses])).toEqual([
    ['listPets', 2, { 200: 1, 206: 1 }],
    ['createPet', 0, {}],
    ['getPet', 3, { 404: 1, 410: 1, failed: 1 }],
  ]);
  expect(operationsIn(exchanges)[2]?.durations).toEqual([1, 1, 1]);
});

test('traits are the headers and members of documented requests', () => {
  const exchanges = [
    posted(REX, { status: 201, body: REX }),
    listed({}, { status: 200, body: [{ ...REX, tag: 'x' }] }),
    read(2n, { status: 404, body: ERROR, headers: [['x-request', '1']] }),
    undocumented(read(4n, { status: 404, body: { gone: true }, headers: [['x-other', '1']] })),
  ];
  expect(traitsIn(exchanges)).toEqual({
    headers: { 'createPet 201': ['content-type'], 'getPet 404': ['x-request'], 'listPets 200': ['content-type'] },
    members: { error: ['code', 'message', 'status'], pet: ['categoryId', 'id', 'name', 'tag'] },
  });
});
