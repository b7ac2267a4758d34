import { describe, expect, test } from 'vitest';
import { sampleClauses, sampleRecord } from '../../test/support/judge-samples.ts';
import type { Verdict, Why } from '../clause/outcome.ts';
import type { PartRecord } from '../clause/part-record.ts';
import { OPERATIONS, type Operation } from '../wire/exchange.ts';
import { operationStates } from './operation-states.ts';

const SUCCESS = { listPets: 'list.success/a', createPet: 'create.success/a', getPet: 'get.success/a' };
const REJECTION = { listPets: 'auth.missing-credential/list', createPet: 'create.name-required/a', getPet: 'get.not-found/a' };
const BEFORE = new Date('2030-12-04T23:59:59Z');
const FROM = new Date('2030-12-05T00:00:00Z');

type Result = Verdict | Why | 'absent';
const WHYS: readonly Result[] = ['service', 'choice', 'circumstance', 'waits'];

function part(id: string, result: Result): PartRecord[] {
  if (result === 'absent') return [];
  const title = id.endsWith('/list') ? 'lists' : id;
  return WHYS.includes(result)
    ? [{ ...sampleRecord(id, 'inconclusive'), title, why: result as Why }]
    : [{ ...sampleRecord(id, result as Verdict), title }];
}

function stateOf(operation: Operation, parts: readonly PartRecord[], { rejects = false, now = BEFORE } = {}) {
  const states = operationStates({ clauses: sampleClauses(parts), rejects: rejects ? [operation] : [], now });
  return states.find((state) => state.operation === operation);
}

describe.each(OPERATIONS)('operationStates of %s', (operation) => {
  test.each<[Result, Result, string]>([
    ['pass', 'pass', 'passed'],
    ['pass', 'absent', 'not-selected'],
    ['absent', 'pass', 'not-selected'],
    ['absent', 'absent', 'not-selected'],
    ['service', 'absent', 'not-selected'],
    ['choice', 'choice', 'left-out'],
    ['choice', 'circumstance', 'left-out'],
    ['pass', 'choice', 'left-out'],
    ['service', 'pass', 'unproven'],
    ['service', 'choice', 'unproven'],
    ['circumstance', 'pass', 'unproven'],
    ['waits', 'pass', 'unproven'],
    ['not-applicable', 'pass', 'unproven'],
    ['waived', 'pass', 'unproven'],
    ['pass', 'service', 'unproven'],
    ['pass', 'circumstance', 'unproven'],
    ['pass', 'not-applicable', 'unproven'],
    ['pass', 'waived', 'unproven'],
  ])('calls a success that is %s and a rejection that is %s %s', (success, rejection, kind) => {
    expect(stateOf(operation, [...part(SUCCESS[operation], success), ...part(REJECTION[operation], rejection)])?.kind).toBe(kind);
  });

  test('counts a waived rejection if the service was seen to reject, and never a waived success', () => {
    const seen = { rejects: true };
    expect(stateOf(operation, [...part(SUCCESS[operation], 'pass'), ...part(REJECTION[operation], 'waived')], seen)?.kind).toBe('passed');
    expect(stateOf(operation, [...part(SUCCESS[operation], 'waived'), ...part(REJECTION[operation], 'pass')], seen)).toMatchObject({
      kind: 'unproven',
      reason: expect.stringContaining('is waived, so nothing shows that'),
    });
  });

  test('says what was missing', () => {
    const undecided = [{ ...sampleRecord(SUCCESS[operation], 'inconclusive'), why: 'service' as const, note: 'it asks to wait' }];
    expect(stateOf(operation, [...undecided, ...part(REJECTION[operation], 'pass')])).toMatchObject({
      reason: `${operation} never worked in this run: it asks to wait`,
    });
  });
});

test('operationStates accepts any clause of invalid bodies for the rejections of createPet, even if another one is waived', () => {
  const others = [
    ...part('create.body-json/a', 'waived'),
    ...part('create.name-type/a', 'service'),
    ...part('create.status-invalid/a', 'pass'),
  ];
  expect(stateOf('createPet', [...part(SUCCESS.createPet, 'pass'), ...others])?.kind).toBe('passed');
});

test('operationStates accepts only lists of auth.missing-credential for the rejections of listPets', () => {
  const success = part(SUCCESS.listPets, 'pass');
  expect(stateOf('listPets', [...success, ...part('auth.missing-credential/get', 'pass')])?.kind).toBe('not-selected');
  expect(
    stateOf('listPets', [...success, ...part('auth.missing-credential/get', 'waived'), ...part(REJECTION.listPets, 'pass')])?.kind,
  ).toBe('passed');
});

test.each<[Result, Result, string]>([
  ['pass', 'not-applicable', 'passed'],
  ['pass', 'absent', 'passed'],
  ['waived', 'not-applicable', 'unproven'],
  ['service', 'not-applicable', 'unproven'],
  ['choice', 'not-applicable', 'left-out'],
  ['absent', 'not-applicable', 'not-selected'],
])(
  'operationStates lets a deprecation.still-works that is %s stand for getPet from its removal on, its clauses being %s',
  (standIn, own, kind) => {
    const parts = [...part('deprecation.still-works/a', standIn), ...part(SUCCESS.getPet, own), ...part(REJECTION.getPet, own)];
    expect(stateOf('getPet', parts, { now: FROM })?.kind).toBe(kind);
  },
);

test('operationStates ignores deprecation.still-works before the removal of getPet', () => {
  const parts = [...part('deprecation.still-works/a', 'service'), ...part(SUCCESS.getPet, 'pass'), ...part(REJECTION.getPet, 'pass')];
  expect(stateOf('getPet', parts)?.kind).toBe('passed');
});
