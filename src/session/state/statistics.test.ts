import { expect, test } from 'vitest';
import { listed, posted, read } from '../../../test/support/exchange-samples.ts';
import type { Exchange } from '../../wire/exchange.ts';
import { operationsIn, traitsIn } from './statistics.ts';

const REX = { id: 1, name: 'Rex', categoryId: 1 };
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
