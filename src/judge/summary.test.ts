import { describe, expect, test } from 'vitest';
import { sessionOptions } from '../../proof/judge-reference.ts';
import { error, history, KEY, NAME, pet } from '../../test/support/history.ts';
import type { SessionOptions } from '../session/session.ts';
import { evidenceOf, summaryOf } from './summary.ts';

type Run = ReturnType<typeof history>;
const WIRE = { waited: 0, unasked: 0, sentences: [] };
const options = (more: Partial<SessionOptions> = {}): SessionOptions => sessionOptions('http://localhost/v1', { runTag: 'test', ...more });
const summary = (run: Run, more: Partial<SessionOptions> = {}) => summaryOf({ world: run.now(), notices: [], wire: WIRE }, options(more));

const bodyOf = (name: string) => ({ name, categoryId: 3, status: 'sold' });
const made = (id: number, name = NAME) => ({ status: 201, body: pet(id, { name }) });
const WHOLE = '/pets?limit=100';

describe('the animals of a run', () => {
  test('are those that the service has created, also by what it must reject', () => {
    const run = history();
    run.add({ body: bodyOf(NAME) }, made(1));
    run.add({ body: { categoryId: 3 } }, { status: 201, body: pet(2, { name: undefined }) });
    run.add({ body: bodyOf('ConformanceTestBbbb'), credential: undefined }, { status: 200, body: { id: 3 } });
    run.add({ body: bodyOf('ConformanceTestCccc') }, error(400));
    run.add({ body: bodyOf('ConformanceTestDddd') }, { ...error(400), status: 200 });
    expect(summary(run).animals).toEqual({
      created: [
        { id: '1', name: NAME, status: 'sold' },
        { id: '2', name: '(no name)', status: 'sold' },
        { id: '?', name: 'ConformanceTestBbbb' },
      ],
      ...{ ambiguous: [], budget: 250, prefix: 'Conformance' },
    });
  });

  test('include what lists show although its creation was rejected, or its response was lost', () => {
    const run = history();
    run.add({ body: bodyOf('ConformanceTestBbbb') }, error(400));
    run.add({ body: bodyOf('ConformanceTestCccc') }, undefined);
    run.add({ target: '/pets' }, { status: 200, body: [pet(7, { name: 'ConformanceTestBbbb' }), pet(8, { name: 'ConformanceTestCccc' })] });
    expect(summary(run).animals.created.map(({ id }) => id)).toEqual(['7', '8']);
    expect(summary(run).animals.ambiguous).toEqual([]);
  });

  test('are uncertain where a response was lost, until a list of all animals does not show one', () => {
    const run = history();
    run.add({ body: bodyOf('ConformanceTestBbbb') }, undefined);
    run.add({ body: bodyOf('ConformanceTestCccc') }, error(400));
    expect(summary(run).animals.ambiguous).toEqual(['ConformanceTestBbbb']);
    run.add({ target: '/pets' }, { status: 200, body: [pet(1)] });
    expect(summary(run).animals.ambiguous).toEqual(['ConformanceTestBbbb']);
    run.add({ target: WHOLE }, { status: 200, body: [pet(1)] });
    expect(summary(run).animals.ambiguous).toEqual([]);
  });

  test('are uncertain for each rejection once one was found to be stored', () => {
    const run = history();
    for (const name of ['ConformanceTestBbbb', 'ConformanceTestCccc']) run.add({ body: bodyOf(name) }, error(400));
    run.add({ target: '/pets' }, { status: 200, body: [pet(7, { name: 'ConformanceTestBbbb' })] });
    expect(summary(run).animals.ambiguous).toEqual(['ConformanceTestCccc']);
  });

  test('take no budget in a run that reads only', () => {
    expect(summary(history(), { readOnly: true }).animals.budget).toBe(0);
  });
});

test('statistics are about the responses to the letter, by operation', () => {
  const run = history();
  run.add({}, { status: 200, body: [pet(1)], headers: [['content-type', 'application/json']] });
  run.add({ target: '/pets/1' }, undefined);
  run.add({ target: '/pets/;v=1' }, { status: 200, body: { strange: 1 } });
  const { operations, traits } = summary(run);
  expect(operations[0]).toEqual({ operation: 'listPets', requests: 2, statuses: { 200: 2 }, durations: [10, 10] });
  expect(operations[2]).toMatchObject({ operation: 'getPet', requests: 1, statuses: { failed: 1 } });
  expect(traits).toEqual({
    headers: { 'listPets 200': ['content-type'] },
    members: { pet: ['categoryId', 'id', 'name', 'status'], error: [] },
  });
});

describe('departures', () => {
  test('name what was read through, each with its clause', () => {
    const run = history();
    for (let count = 0; count < 2; count += 1) run.add({}, { status: 203, body: { items: [pet(1)] } });
    for (let count = 0; count < 2; count += 1) run.add({ credential: undefined }, error(403));
    expect(summary(run).departures).toEqual([
      { place: 'list', clause: 'list.success', description: 'lists with status 203 are read as 200; see list.success' },
      { place: 'list', clause: 'record.pets', description: 'lists are read from what stands in the member "items"; see record.pets' },
      {
        ...{ place: 'unauthorized', clause: 'auth.missing-credential' },
        description: 'rejections of credentials with status 403 are read as 401; see auth.missing-credential',
      },
    ]);
  });

  test('of a body that is not strict JSON are those of the clause that judges its form', () => {
    const run = history();
    for (let count = 0; count < 2; count += 1) run.add({}, { status: 200, text: '[{"id":1,"name":"x","categoryId":3},]' });
    expect(summary(run).departures.map(({ clause }) => clause)).toEqual(['media.well-formed']);
  });

  test('are none where the service conforms', () => {
    const run = history();
    run.add({}, { status: 200, body: [pet(1)] });
    expect(summary(run).departures).toEqual([]);
  });
});

test('notices say what was waited for and sent again, without the key', () => {
  const run = history();
  run.add({}, { ...error(503), headers: [['retry-after', '1']] });
  const wire = { waited: 1_234, unasked: 2, sentences: ['at most 2 connections were served'] };
  const { notices } = summaryOf({ world: run.now(), notices: [`the key ${KEY}`], wire }, options());
  expect(notices).toEqual([
    'the key [key]',
    '1 responses asked to wait (429 or 503 with Retry-After); the suite waited 1.2 s in all',
    expect.stringMatching(/^On 2 connections the service sent a response that no request had asked for/),
    'at most 2 connections were served',
  ]);
});

describe('evidenceOf', () => {
  test('has what no longer holds at the end, if the run got there', () => {
    const run = history();
    run.add({}, { status: 200, body: [pet(1)] });
    run.add({ credential: undefined }, error(401));
    run.add({}, error(403), 5_000);
    run.add({ credential: undefined }, error(401), 5_100);
    const world = run.now();
    expect(evidenceOf({ world, phases: [] }, options())).toEqual({
      ...{ askedToWait: 0, rejects: ['listPets'], lockedOut: false, outage: [], closing: undefined },
    });
    const phases = [{ title: 'the end', from: 5_000, requests: 2 }];
    expect(evidenceOf({ world, phases }, options()).closing).toEqual(['at the end of the run GET /pets returned 403, not 200 as before']);
  });
});
