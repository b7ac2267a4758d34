import { describe, expect, test } from 'vitest';
import { readJson } from '../wire/json.ts';
import { isInt64, kindsOfProblems, schemaProblems } from './validators.ts';

function problems(id: string): string[] {
  const reading = readJson(`{"id":${id},"name":"rex","categoryId":1}`);
  return reading.ok ? schemaProblems('pet', reading.value).map(({ pointer, problem }) => `${pointer} ${problem}`) : [reading.problem];
}

describe('schemaProblems', () => {
  test.each(['0', '-0', '1.0', '1e3', '9007199254740993', '9223372036854775807', '-9223372036854775808', '922337203685477580.7e1'])(
    'accepts the int64 %s',
    (id) => {
      expect(problems(id)).toEqual([]);
    },
  );

  test.each(['9223372036854775808', '-9223372036854775809', '1e19', '1e999999999', '9'.repeat(500), `-${'9'.repeat(500)}`])(
    'says that %s is outside int64',
    (id) => {
      expect(problems(id)).toEqual(['/id is outside int64 (-2^63 to 2^63-1)']);
    },
  );

  test.each(['1.5', '9007199254740993.5', '99999999.99999999999', '1e-999999999', '"1"', 'true', 'null', '[]'])(
    'says that %s is not an integer',
    (id) => {
      expect(problems(id)).toEqual(['/id must be an integer']);
    },
  );

  test('names the place of a broken item far down a list, and stops there', () => {
    const pets = Array.from({ length: 250 }, (_unused, id) => (id < 170 ? { id, name: 'rex', categoryId: 1 } : {}));
    const found = schemaProblems('pets', pets);
    expect(found[0]).toMatchObject({ pointer: '/170', problem: 'has no field "name"' });
    expect(found.length).toBeLessThanOrEqual(50);
  });

  test('examines no more of a list than the hundred in which something is broken', () => {
    const pets = Array.from({ length: 250 }, (_unused, id) => (id < 199 ? { id, name: 'rex', categoryId: 1 } : {}));
    expect(schemaProblems('pets', pets).map(({ pointer }) => pointer)).toEqual(['/199', '/199', '/199']);
  });

  test('does not treat members of a prototype as members', () => {
    const reading = readJson('{"__proto__":{"id":1},"name":"rex","categoryId":1}');
    expect(reading.ok && schemaProblems('pet', reading.value)).toMatchObject([{ pointer: '', problem: 'has no field "id"' }]);
  });

  test.each([
    ['a member that is missing', '{"id":1,"name":"rex"}', { place: 'categoryId', expected: 'the member', received: 'missing' }],
    ['another type', '{"id":"1","name":"rex","categoryId":1}', { place: 'id', expected: 'an integer', received: 'another type' }],
    ['a fraction', '{"id":1.5,"name":"rex","categoryId":1}', { place: 'id', expected: 'an integer', received: 'another type' }],
    [
      'a status of another type',
      '{"id":1,"name":"rex","categoryId":1,"status":7}',
      { place: 'status', expected: 'a string', received: 'another type' },
    ],
    ['a null', '{"id":1,"name":null,"categoryId":1}', { place: 'name', expected: 'a string', received: 'null' }],
    [
      'an id outside int64',
      '{"id":9223372036854775808,"name":"rex","categoryId":1}',
      { place: 'id', expected: 'int64', received: 'an integer outside int64' },
    ],
    [
      'another status',
      '{"id":1,"name":"rex","categoryId":1,"status":"gone"}',
      { place: 'status', expected: 'a value of the enum', received: 'another string' },
    ],
  ])('says of which kind a problem is, without values: %s', (_case, text, kind) => {
    const reading = readJson(text);
    expect(reading.ok && kindsOfProblems(schemaProblems('pet', reading.value))).toEqual([kind]);
    expect(reading.ok && kindsOfProblems(schemaProblems('pets', [reading.value, reading.value]))).toEqual([
      { ...kind, place: `[].${kind.place}` },
    ]);
  });

  test('requires a list to be a list', () => {
    expect(schemaProblems('pets', {})).toMatchObject([{ pointer: '', problem: 'must be an array' }]);
    expect(schemaProblems('pets', [])).toEqual([]);
  });
});

test('isInt64 takes safe numbers and bigints in range', () => {
  expect([0, -0, 2n ** 63n - 1n, -(2n ** 63n)].filter(isInt64)).toHaveLength(4);
  expect([1.5, Number.NaN, Number.POSITIVE_INFINITY, 2n ** 63n, -(2n ** 63n) - 1n, '1', null].filter(isInt64)).toEqual([]);
});
