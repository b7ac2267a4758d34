import { describe, expect, test } from 'vitest';
import { error, history, pet } from '../../test/support/history.ts';
import { animalsOf, storesRejected } from './animals.ts';

const TAG = 'test';
const body = (letters: string) => ({ name: `ConformanceTest${letters}`, categoryId: 3 });
const NAMELESS = { body: { categoryId: 3 } };
const ALL = { target: '/pets?limit=100' };
const shows = (...pets: readonly object[]) => ({ status: 200, body: pets });
const own = (id: number, letters: string) => pet(id, body(letters));

function created() {
  const run = history();
  run.add(ALL, shows(pet(1, { name: 'Rex' })));
  run.add({ body: body('Aaaa') }, { status: 201, body: own(2, 'Aaaa') });
  return run;
}
type Run = ReturnType<typeof created>;
const left = (run: Run) => animalsOf(run.now(), TAG);
const CREATED = { id: '2', name: 'ConformanceTestAaaa', status: 'sold' };

describe('animalsOf', () => {
  test('has what was created, as responses name it, and nothing of what was rejected or never arrived', () => {
    const run = created();
    run.add(NAMELESS, { status: 201, body: { categoryId: 3 } });
    run.add({ body: '[' }, { status: 201, body: pet(4, { status: undefined }) });
    run.add({ body: body('Bbbb') }, error(400));
    run.add({ body: body('Cccc') }, { status: 200, body: error(400).body });
    run.add({ body: body('Dddd') }, { failure: { reason: 'connect' } });
    run.add({ body: body('Eeee') }, error(500));
    expect(left(run)).toEqual({
      created: [CREATED, { id: '?', name: '(no name)' }, { id: '4', name: '(not JSON)' }],
      ambiguous: [],
    });
  });

  test('has what a list shows by a name that only this run has, although its creation was rejected, or got no response', () => {
    const run = created();
    for (const letters of ['Bbbb', 'Cccc']) run.add({ body: body(letters) }, letters === 'Bbbb' ? error(400) : undefined);
    run.add({}, shows(own(2, 'Aaaa'), own(3, 'Bbbb'), own(4, 'Cccc'), pet(5, { name: 'Rex' }), own(6, 'Zzzz')));
    const found = [CREATED, { ...CREATED, id: '3', name: 'ConformanceTestBbbb' }, { ...CREATED, id: '4', name: 'ConformanceTestCccc' }];
    expect(left(run)).toEqual({ created: found, ambiguous: [] });
  });

  test('says which names may be in the store: those of creations without a response, unless a later list of all lacks them', () => {
    const run = created();
    run.add({ body: body('Bbbb') }, undefined);
    expect(left(run).ambiguous).toEqual(['ConformanceTestBbbb']);
    run.add({}, shows(own(2, 'Aaaa')));
    expect(left(run).ambiguous).toEqual(['ConformanceTestBbbb']);
    run.add(ALL, shows(own(2, 'Aaaa')));
    expect(left(run)).toEqual({ created: [CREATED], ambiguous: [] });
  });

  test('says so of a body without a name until a list of all shows nothing new', () => {
    const run = created();
    run.add(NAMELESS, undefined);
    run.add(ALL, shows(pet(1, { name: 'Rex' }), own(2, 'Aaaa'), pet(9, { name: 'Tim' })));
    expect(left(run).ambiguous).toEqual(['(no name)']);
    const other = created();
    other.add(NAMELESS, undefined);
    other.add(ALL, shows(pet(1, { name: 'Rex' }), own(2, 'Aaaa')));
    expect(left(other).ambiguous).toEqual([]);
  });

  test('counts what was rejected, too, where the service stores what it rejects', () => {
    const run = created();
    for (const letters of ['Bbbb', 'Cccc']) run.add({ body: body(letters) }, error(400));
    run.add({}, shows(own(3, 'Bbbb')));
    expect(left(run).ambiguous).toEqual(['ConformanceTestCccc']);
  });
});

type Step = Parameters<Run['add']>;
const NEW_NAMELESS = pet(9, { name: '' });
const REX = pet(1, { name: 'Rex' });
const rejected = (letters: string, status = 400): Step => [{ body: body(letters) }, error(status)];
const list = (...pets: readonly object[]): Step => [{}, shows(...pets)];
const all = (...pets: readonly object[]): Step => [ALL, shows(...pets)];
const NAMELESS_REJECTED: Step = [NAMELESS, error(400)];

test.each<[string, boolean, readonly Step[]]>([
  ['nothing was rejected', false, [all(REX, pet(9))]],
  ['a list shows a rejected name', true, [rejected('Bbbb'), list(own(3, 'Bbbb'))]],
  ['it was rejected with 401', false, [rejected('Bbbb', 401), list(own(3, 'Bbbb'))]],
  ['it was a server error', false, [rejected('Bbbb', 500), list(own(3, 'Bbbb'))]],
  ['a list shows another name of the run', false, [rejected('Bbbb'), list(own(3, 'Cccc'))]],
  ['a list of all shows a stranger since', true, [NAMELESS_REJECTED, all(REX, NEW_NAMELESS)]],
  ['a list with a smaller limit does', false, [NAMELESS_REJECTED, list(REX, NEW_NAMELESS)]],
  ['a list of all shows nothing new', false, [NAMELESS_REJECTED, all(REX, own(2, 'Aaaa'))]],
  ['the stranger was there before', false, [all(REX, pet(9)), NAMELESS_REJECTED, all(REX, pet(9))]],
  ['a lost creation may have made the stranger', false, [NAMELESS_REJECTED, [NAMELESS, undefined], all(REX, NEW_NAMELESS)]],
])('storesRejected where %s: %s', (_what, expected, steps) => {
  const run = created();
  for (const step of steps) run.add(...step);
  expect(storesRejected(run.now(), TAG)).toBe(expected);
});
