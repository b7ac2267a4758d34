import { describe, expect, test } from 'vitest';
import { listed, posted, read } from '../../test/support/exchange-samples.ts';
import { sampleRecord } from '../../test/support/judge-samples.ts';
import type { Finding } from '../clause/outcome.ts';
import { kindsOf, withCases } from './failure-kinds.ts';

const CREATION = posted({ name: 'Rex', categoryId: 1n }, { status: 201, body: {} });
const finding = (more: Partial<Finding>): Finding => ({
  summary: 's',
  expected: ['400 with an Error body'],
  received: 'r',
  exchanges: [CREATION],
  ...more,
});

describe('kindsOf', () => {
  test.each([
    [['400 with an Error body'], '400'],
    [['401 with an Error body', '400 with an Error body'], '400 or 401'],
  ])('is the expected statuses and the class of the received one: %s', (expected, said) => {
    expect(kindsOf(finding({ expected }), 'create-pet')).toEqual([
      { must: 'createPet', place: 'HTTP status', expected: said, received: '2xx' },
    ]);
  });

  test('says that there was no response', () => {
    const [kind] = kindsOf(finding({ exchanges: [read(1n, 'timeout')] }), 'errors');
    expect(kind).toEqual({ must: 'getPet', place: 'HTTP status', expected: '400', received: 'no response' });
  });

  test('takes the operation from the chapter, wherever it is seen that the clause is broken, and elsewhere from the wrong response', () => {
    const exchanges = [CREATION, listed({}, { status: 500 })] as const;
    const mustOf = (more: Partial<Finding>, chapter: Parameters<typeof kindsOf>[1]) =>
      kindsOf(finding({ exchanges, ...more }), chapter)[0]?.must;
    expect(mustOf({}, 'create-pet')).toBe('createPet');
    expect(mustOf({}, 'media-type')).toBe('listPets');
    const stated = { operation: 'createPet', place: 'animal', expected: 'not stored' } as const;
    expect(mustOf({ failureKinds: [stated] }, 'authentication')).toBe('createPet');
  });

  test('has the kinds that a rule states, all of them', () => {
    const failureKinds = [
      { place: '[].id', expected: 'an integer', received: 'null' },
      { place: 'HTTP status', expected: 'a status below 500' },
    ];
    expect(kindsOf(finding({ failureKinds }), 'records')).toEqual([
      { must: 'createPet', ...failureKinds[0] },
      { must: 'createPet', ...failureKinds[1], received: '2xx' },
    ]);
  });

  test('leaves out the values of a finding that states no kind and expects something else than a status', () => {
    const of = (more: Partial<Finding>) => kindsOf(finding(more), 'own-rules')[0];
    expect(of({ expected: ['at most 37 animals of "Rex \\"4\\""'], pointer: '/3/name' })).toMatchObject({
      place: '[].name',
      expected: 'at most N animals of "…"',
    });
    expect(of({ expected: ['201 with the animal'] })).toMatchObject({ place: 'response', expected: 'N with the animal' });
  });
});

test('withCases counts the kinds of what is left, and numbers them anew', () => {
  const kind = { must: 'listPets', place: 'HTTP status', expected: '200' };
  const record = {
    ...sampleRecord('list.success/a', 'fail'),
    failureKinds: [
      { ...kind, received: '5xx', cases: 1 },
      { ...kind, received: '4xx', cases: 2 },
    ],
  };
  const one = { summary: 's', failureKinds: [1] };
  expect(withCases(record, { cases: [one, one], findings: [] })).toEqual({
    cases: [{ summary: 's' }, { summary: 's' }],
    findings: [],
    failureKinds: [{ ...kind, received: '4xx', cases: 2 }],
  });
  const both = { summary: 's', failureKinds: [0, 1] };
  expect(withCases(record, { cases: [one, both], findings: [] })).toMatchObject({
    cases: [{ failureKinds: [1] }, { failureKinds: [0, 1] }],
    failureKinds: [{ cases: 1 }, { cases: 2 }],
  });
});
