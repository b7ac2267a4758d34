import { describe, expect, test } from 'vitest';
import { Halt } from '../clause/halt.ts';
import type { Exchange, Intent } from '../wire/exchange.ts';
import { readJson } from '../wire/json.ts';
import { describeRequest, describeResponse, isErrorBody, petOf, petsOf, responseOf, statusOf } from './read-exchange.ts';

const INTENT: Intent = {
  operation: 'getPet',
  credential: 'valid',
  credentialNote: 'the API key',
  limit: 'absent',
  status: 'absent',
  body: 'none',
  bodyClause: undefined,
  petId: 1n,
};

function exchange(outcome: Exchange['outcome'], operation: Intent['operation'] = 'getPet'): Exchange {
  const request = {
    method: 'GET',
    path: '/pets/1',
    query: 'a=\u001b',
    headers: [],
    body: undefined,
    intent: { ...INTENT, operation },
  } as const;
  return { number: 1, request, timings: { startedAt: 0, duration: 1 }, retried: false, postponed: 0, outcome };
}

function withResponse(status: number, text: string, operation?: Intent['operation']): Exchange {
  return exchange({ kind: 'answered', answer: { status, headers: [], size: text.length, text, json: readJson(text) } }, operation);
}

const FAILED = exchange({ kind: 'failed', failure: { reason: 'timeout', message: 'too late', stale: false } });
const PET = '{"id":9007199254740993,"name":"rex","categoryId":1}';

/** The reason why the work stops, if it stops at a response that leaves nothing to continue with. */
function stop(work: () => unknown): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (error instanceof Halt) return error.unsent.kind === 'stopped' ? error.unsent.missing : undefined;
    throw error;
  }
}

describe('an exchange without a response', () => {
  test('stops everything that needs its response', () => {
    for (const ask of [responseOf, petOf, petsOf]) expect(stop(() => ask(FAILED))).toMatch(/got no complete response: too late$/);
    expect(statusOf(FAILED)).toBeUndefined();
    const stale = exchange({ kind: 'failed', failure: { reason: 'protocol', message: 'closed', stale: true } });
    expect(stop(() => responseOf(stale))).toBeUndefined();
    expect(() => responseOf(stale)).toThrow(Halt);
    expect(describeResponse(FAILED)).toBe('no complete response (too late)');
  });
});

describe('petOf', () => {
  test('returns the animal digit by digit', () => {
    expect(petOf(withResponse(200, PET)).id).toBe(9007199254740993n);
    expect(petOf(withResponse(201, PET, 'createPet')).name).toBe('rex');
  });

  test('stops at anything but an animal', () => {
    expect(stop(() => petOf(withResponse(500, PET)))).toContain('returned 500');
    expect(stop(() => petOf(withResponse(200, PET, 'createPet')))).toContain('returned 200');
    expect(stop(() => petOf(withResponse(200, '{')))).toContain('not JSON');
    expect(stop(() => petOf(withResponse(200, '{"id":1}')))).toContain('no valid Pet');
  });
});

describe('petsOf', () => {
  test('reads the animals of a list, field by field, and nothing else', () => {
    expect(petsOf(withResponse(200, `[${PET}]`, 'listPets'))).toHaveLength(1);
    expect(petsOf(withResponse(200, '[]', 'listPets'))).toEqual([]);
    expect(stop(() => petsOf(withResponse(200, '{}', 'listPets')))).toContain('no animal that can be read');
    expect(petsOf(withResponse(200, `[${PET},{}]`, 'listPets'))).toHaveLength(1);
    expect(petsOf(withResponse(200, '[{"id":"7","name":"rex","category_id":1,"status":null}]', 'listPets'))).toMatchObject([
      { id: 7n, name: 'rex', categoryId: 1n, status: undefined, gaps: ['status'] },
    ]);
    expect(stop(() => petsOf(withResponse(200, '[{"id":7},{}]', 'listPets')))).toContain('no animal that can be read');
    expect(stop(() => petsOf(withResponse(401, '[]', 'listPets')))).toContain('returned 401');
    expect(stop(() => petsOf(withResponse(200, '[', 'listPets')))).toContain('not JSON');
  });
});

test('isErrorBody recognizes an Error by its schema, whatever its status', () => {
  expect(isErrorBody(responseOf(withResponse(404, '{"code":"x","message":"y","status":200}')))).toBe(true);
  expect(isErrorBody(responseOf(withResponse(404, '{}')))).toBe(false);
});

test.each([
  ['a body', '{"a":1}', '200 {"a":1}'],
  ['many blanks as one', '{ "a":\n\t 1 }', '200 { "a": 1 }'],
  ['no body', '', '200 no body'],
])('describeResponse shows %s', (_case, text, expected) => {
  expect(describeResponse(withResponse(200, text))).toBe(expected);
});

test('describeResponse counts the bytes of a body that is not text', () => {
  const response = { status: 200, headers: [], size: 3, text: undefined, json: { ok: false, problem: 'the bytes are not UTF-8' } } as const;
  expect(describeResponse(exchange({ kind: 'answered', answer: response }))).toBe('200 3 bytes that are not UTF-8');
});

test('describeRequest shows control characters in escaped spelling', () => {
  expect(describeRequest(withResponse(200, PET))).toBe('GET /pets/1?a=\\u001b');
});
