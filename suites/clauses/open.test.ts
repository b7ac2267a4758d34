import { describe, expect, test } from 'vitest';
import { judgeHistory } from '../../src/oracle/verdicts.ts';
import { error, history, NAME, pet } from '../../test/support/history.ts';
import { clauses } from './index.ts';

type Run = ReturnType<typeof history>;
const on = (run: Run, id: string) => judgeHistory(clauses, run.now()).find(({ clause }) => clause.id === id);
const answerTo = (run: Run, id: string, question: string): string | undefined =>
  on(run, id)?.observations.find((one) => one.question === question)?.answer;

const ASKED = { target: '/pets?limit=abc' };
const PLAIN = { name: NAME, categoryId: 3 };
const OTHER_NAME = 'ConformanceTestBbbb';

/** A list that shows an animal, with the key and without it. */
function credible() {
  const run = history();
  run.add({}, { status: 200, body: [pet(1)] });
  run.add({ credential: undefined }, error(401));
  return run;
}

describe('an answer', () => {
  test('is that of a request that is plain in all else', () => {
    const run = credible();
    run.add({ ...ASKED, headers: [['accept-language', 'de']] }, error(406));
    expect(on(run, 'list.limit-not-integer')).toMatchObject({ verdict: 'inconclusive', observations: [] });
    run.add(ASKED, error(400));
    run.add({ ...ASKED, headers: [['accept-language', 'de']] }, error(406));
    expect(on(run, 'list.limit-not-integer')).toMatchObject({
      verdict: 'observed',
      note: 'limit=abc: rejected with 400',
      observations: [{ question: 'limit=abc', answer: 'rejected with 400' }],
    });
  });

  test('of a list is the latest one, when the store is largest', () => {
    const run = credible();
    run.add(ASKED, { status: 200, body: [pet(1)] });
    run.add(ASKED, { status: 200, body: Array.from({ length: 7 }, (_unused, index) => pet(index + 1)) });
    expect(answerTo(run, 'list.limit-not-integer', 'limit=abc')).toBe('accepted: up to 20 animals');
  });

  test('is not that the service asks to wait', () => {
    const run = credible();
    run.add(ASKED, { ...error(429), headers: [['retry-after', '1']] });
    expect(on(run, 'list.limit-not-integer')).toMatchObject({ verdict: 'inconclusive', why: 'service' });
  });

  test('to a creation takes one that was accepted', () => {
    const run = credible();
    run.add({ body: { ...PLAIN, color: 'brown' } }, error(400));
    expect(on(run, 'create.unknown-members')).toMatchObject({ verdict: 'inconclusive' });
    run.add({ body: { ...PLAIN, name: OTHER_NAME } }, { status: 201, body: pet(2, { name: OTHER_NAME }) });
    expect(answerTo(run, 'create.unknown-members', 'an unknown property')).toBe('rejected with 400');
  });

  test('about a name that is taken takes a creation that got it before', () => {
    const run = credible();
    run.add({ body: PLAIN }, { status: 201, body: pet(2) });
    expect(on(run, 'create.duplicate-names')?.verdict).toBe('inconclusive');
    run.add({ body: PLAIN }, { status: 200, body: pet(2) });
    expect(answerTo(run, 'create.duplicate-names', 'a second animal with the same name')).toBe('returned 200 without an animal');
  });

  test.each([
    ['{"name":"ConformanceTestCccc","categoryId":3,"status":"pending","status":"sold"}', 'pending', 'the first one counts'],
    ['{"name":"ConformanceTestCccc","categoryId":3,"status":"pending","status":"sold"}', 'sold', 'the last one counts'],
  ])('to %s of which %s is stored is that %s', (body, status, answer) => {
    const run = credible();
    run.add({ body: PLAIN }, { status: 201, body: pet(3) });
    run.add({ body }, { status: 201, body: pet(2, { name: 'ConformanceTestCccc', status }) });
    expect(answerTo(run, 'create.duplicate-members', 'status twice in the body')).toBe(`accepted: ${answer}`);
  });

  test('about codes is that of a plain list without a credential, also if there was none', () => {
    const run = credible();
    expect(answerTo(run, 'errors.codes', 'code without a credential')).toMatch(/^401 \S/);
    const silent = history();
    silent.add({}, { status: 200, body: [pet(1)] });
    silent.add({ target: '/pets?limit=3', credential: undefined }, error(401));
    expect(answerTo(silent, 'errors.codes', 'code without a credential')).toBeUndefined();
    silent.add({ credential: undefined }, undefined);
    expect(answerTo(silent, 'errors.codes', 'code without a credential')).toBe('no response');
  });

  test('about the order needs animals', () => {
    const run = credible();
    for (const body of [[], []]) run.add({ target: '/pets?limit=100' }, { status: 200, body });
    expect(answerTo(run, 'list.order', 'order of the list')).toBe('too few animals to tell');
  });

  test('names the animal that odd ids were made from', () => {
    const run = credible();
    run.add({ target: '/pets/1' }, { status: 200, body: pet(1) });
    run.add({ target: '/pets/%2B1' }, { status: 200, body: pet(1) });
    run.add({ target: '/pets/1.0' }, { status: 200, body: pet(10) });
    expect(on(run, 'get.id-spelling')?.observations).toEqual([
      { question: 'petId has a plus sign', answer: '200 with the animal of that number' },
      { question: 'petId has a fraction of zero', answer: '200 with a different animal' },
    ]);
  });
});

describe('a question without an answer', () => {
  test('says which row would have asked it', () => {
    const run = credible();
    run.skip({ target: '/pets?limit=5' }, 'choice', 'another reason');
    run.skip(ASKED, 'choice', '--requests');
    expect(on(run, 'list.limit-not-integer')).toMatchObject({ verdict: 'inconclusive', why: 'choice', note: '--requests' });
  });

  test('is undecided by circumstance where nothing asks it', () => {
    expect(on(credible(), 'list.order')).toMatchObject({ verdict: 'inconclusive', why: 'circumstance' });
  });

  test('is undecided where nothing shows that this is a pet store', () => {
    const run = history();
    run.add(ASKED, error(400));
    expect(on(run, 'list.limit-not-integer')).toMatchObject({ verdict: 'inconclusive', why: 'circumstance' });
  });
});
