import { describe, expect, test } from 'vitest';
import { Halt } from '../clause/halt.ts';
import type { Exchange, Intent } from '../wire/exchange.ts';
import { readJson } from '../wire/json.ts';
import {
  answerOf,
  describeAnswer,
  describeRequest,
  finding,
  isErrorBody,
  petOf,
  petsOf,
  statusOf,
  wrongRefusal,
  wrongStatus,
} from './expect.ts';

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

function answered(status: number, text: string, operation?: Intent['operation']): Exchange {
  return exchange({ kind: 'answered', answer: { status, headers: [], size: text.length, text, json: readJson(text) } }, operation);
}

const FAILED = exchange({ kind: 'failed', failure: { reason: 'timeout', message: 'too late', stale: false } });
const PET = '{"id":9007199254740993,"name":"rex","categoryId":1}';

function blocker(work: () => unknown): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (error instanceof Halt && error.outcome.kind === 'inconclusive')
      return error.outcome.why === 'waits' ? error.outcome.blockedBy : undefined;
    throw error;
  }
}

describe('an exchange without an answer', () => {
  test('is the business of errors.answers, whatever is asked of it', () => {
    for (const ask of [answerOf, petOf, petsOf]) expect(blocker(() => ask(FAILED))).toBe('errors.answers');
    expect(blocker(() => wrongStatus(FAILED, [200], 'a read'))).toBe('errors.answers');
    expect(statusOf(FAILED)).toBeUndefined();
    const stale = exchange({ kind: 'failed', failure: { reason: 'protocol', message: 'closed', stale: true } });
    expect(blocker(() => answerOf(stale))).toBeUndefined();
    expect(() => answerOf(stale)).toThrow(Halt);
    expect(describeAnswer(FAILED)).toBe('no complete response (too late)');
  });
});

describe('petOf', () => {
  test('gives the animal digit by digit', () => {
    expect(petOf(answered(200, PET)).id).toBe(9007199254740993n);
    expect(petOf(answered(201, PET, 'createPet')).name).toBe('rex');
  });

  test('is blocked by the clause that owns what is wrong', () => {
    expect(blocker(() => petOf(answered(500, PET)))).toBe('get.success');
    expect(blocker(() => petOf(answered(200, PET, 'createPet')))).toBe('create.success');
    expect(blocker(() => petOf(answered(200, '{')))).toBe('media.well-formed');
    expect(blocker(() => petOf(answered(200, '{"id":1}')))).toBe('record.pet');
  });
});

describe('petsOf', () => {
  test('reads the animals of a list, field by field, and nothing else', () => {
    expect(petsOf(answered(200, `[${PET}]`, 'listPets'))).toHaveLength(1);
    expect(petsOf(answered(200, '[]', 'listPets'))).toEqual([]);
    expect(blocker(() => petsOf(answered(200, '{}', 'listPets')))).toBe('record.pets');
    expect(petsOf(answered(200, `[${PET},{}]`, 'listPets'))).toHaveLength(1);
    expect(petsOf(answered(200, '[{"id":"7","name":"rex","category_id":1,"status":null}]', 'listPets'))).toMatchObject([
      { id: 7n, name: 'rex', categoryId: 1n, status: undefined, gaps: ['status'] },
    ]);
    expect(blocker(() => petsOf(answered(200, '[{"id":7},{}]', 'listPets')))).toBe('record.pets');
    expect(blocker(() => petsOf(answered(401, '[]', 'listPets')))).toBe('list.success');
    expect(blocker(() => petsOf(answered(200, '[', 'listPets')))).toBe('media.well-formed');
  });
});

describe('wrongRefusal', () => {
  const error = (status: number) => `{"code":"x","message":"y","status":${status}}`;

  test('finds a wrong status, and leaves the body of a right one to errors.shape', () => {
    expect(wrongRefusal(answered(404, error(404)), 404, 'a missing animal')).toBeUndefined();
    expect(wrongRefusal(answered(200, PET), 404, 'a missing animal')?.summary).toBe('a missing animal returned 200; expected 404');
    expect(wrongRefusal(answered(404, '{}'), 404, 'a missing animal')).toBeUndefined();
    expect(isErrorBody(answerOf(answered(404, error(200))))).toBe(true);
  });
});

test('wrongStatus names every status that would have been right, and which of them carry an Error', () => {
  expect(wrongStatus(answered(201, PET), [201, 400], 'a creation')).toBeUndefined();
  expect(wrongStatus(answered(200, PET), [201, 399, 400], 'a creation')).toMatchObject({
    summary: 'a creation returned 200; expected 201 or 399 or 400',
    expected: ['201', '399', '400 with an Error body'],
  });
});

describe('finding', () => {
  const exchanges = [answered(201, PET, 'createPet'), answered(404, '{}'), answered(200, '[]')] as const;

  test('shows the last answer, and all exchanges in order', () => {
    expect(finding(exchanges, { summary: 's', expected: ['w'] })).toEqual({ summary: 's', expected: ['w'], received: '200 []', exchanges });
  });

  test('shows what came as the clause says it', () => {
    expect(finding(exchanges, { summary: 's', expected: ['w'], received: 'id 7', pointer: '/id' })).toMatchObject({
      received: 'id 7',
      pointer: '/id',
    });
  });
});

test.each([
  ['a body', '{"a":1}', '200 {"a":1}'],
  ['many blanks as one', '{ "a":\n\t 1 }', '200 { "a": 1 }'],
  ['no body', '', '200 no body'],
])('describeAnswer shows %s', (_case, text, expected) => {
  expect(describeAnswer(answered(200, text))).toBe(expected);
});

test('describeAnswer counts the bytes of what is no text', () => {
  const answer = { status: 200, headers: [], size: 3, text: undefined, json: { ok: false, problem: 'the bytes are not UTF-8' } } as const;
  expect(describeAnswer(exchange({ kind: 'answered', answer }))).toBe('200 3 bytes that are not UTF-8');
});

test('describeRequest shows control characters in escaped spelling', () => {
  expect(describeRequest(answered(200, PET))).toBe('GET /pets/1?a=\\u001b');
});
