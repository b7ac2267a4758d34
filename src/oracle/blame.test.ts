import { describe, expect, test } from 'vitest';
import { error, history, pet } from '../../test/support/history.ts';
import { brokenBy, listed, NO_KEY, posted, type Step } from '../../test/support/judged.ts';
import { casesOf, explainBreaches } from './blame.ts';
import type { Breach, Clause, Rule } from './rule.ts';

const broken = (symptom?: string): Breach => ({
  summary: 'wrong',
  expected: [],
  received: '',
  ...(symptom === undefined ? {} : { symptom }),
});

const WORDING = { chapter: 'list-pets', section: '', level: 'required', quote: [''], requirement: '', likelyCause: '' } as const;
const clause = (id: Clause['id'], ...rules: readonly Rule[]): Clause => ({ ...WORDING, id, rules, must: [] });

/** Broken on the exchanges with these numbers, and held on all others. */
const on = (numbers: readonly number[], layer: Rule['layer'] = 'status', more: Pick<Rule, 'blame' | 'letter'> = {}): Rule => ({
  ...{ layer, ...more },
  judge: ({ number }) => (numbers.includes(number) ? broken() : 'holds'),
});

function run() {
  const all = history();
  for (const status of [500, 500, 200, 404]) all.add({}, status === 200 ? { status, body: [pet(1)] } : error(status));
  return all.now();
}

/** What explains the breaches of the second clause, by exchange. */
const explained = (...clauses: readonly Clause[]) => {
  const world = run();
  const all = explainBreaches(casesOf(clauses, world), world).get(clauses.at(-1)?.id ?? 'list.success') ?? [];
  return Object.fromEntries(
    all.flatMap(({ exchange, breach, explainedBy }) => (breach === undefined ? [] : [[exchange.number, explainedBy ?? 'nothing']])),
  );
};

describe('a breach is explained', () => {
  test('by a lower layer on the same exchange, unless it is about the letter', () => {
    const lower = clause('errors.no-server-error', on([2], 'failure'));
    expect(explained(lower, clause('list.success', on([2, 4])))).toEqual({ 2: 'errors.no-server-error', 4: 'nothing' });
    expect(explained(lower, clause('errors.shape', on([2], 'schema', { letter: true })))).toEqual({ 2: 'nothing' });
  });

  test('by a clause that it comes after, on the same exchange', () => {
    const first = clause('list.unique', on([2], 'values'));
    expect(explained(first, clause('list.complete', on([2, 4], 'history', { blame: { after: ['list.unique'] } })))).toEqual({
      2: 'list.unique',
      4: 'nothing',
    });
    expect(explained(first, clause('list.complete', on([2], 'history')))).toEqual({ 2: 'nothing' });
  });

  test('by the nearest simpler request with the same symptom', () => {
    const own = clause('list.limit-accepted', on([2], 'status', { blame: { simpler: { clauses: ['list.success'] } } }));
    expect(explained(clause('list.success', on([1])), own)).toEqual({ 2: 'list.success' });
    // The nearest ones hold, or have another status.
    expect(explained(clause('list.success', on([4])), own)).toEqual({ 2: 'nothing' });
    expect(explained(clause('list.success', on([3])), own)).toEqual({ 2: 'nothing' });
  });

  test('never by a success', () => {
    expect(
      explained(clause('list.unique', on([])), clause('list.complete', on([2], 'history', { blame: { after: ['list.unique'] } }))),
    ).toEqual({ 2: 'nothing' });
  });
});

describe('of the clauses of the suite', () => {
  const FINE = { status: 200, body: [pet(1)] };
  const red = (asked: readonly string[], ...steps: readonly Step[]) => brokenBy(steps, asked);

  test('a crash explains what else is wrong with it, and 501 does not: a deliberate response can be judged', () => {
    const asked = ['list.success', 'errors.no-server-error'];
    expect(red(asked, listed({}, error(500)))).toEqual(['errors.no-server-error']);
    expect(red(['list.success'], listed({}, error(501)))).toEqual(['list.success']);
  });

  test('an error that the API key gets as well says nothing about what is rejected without it', () => {
    const asked = ['auth.missing-credential'];
    // An animal of that category.
    const seen = listed({}, FINE);
    const without = (status: number): Step => posted({ name: 'ConformanceTestCccc', categoryId: 3 }, error(status), NO_KEY);
    const withKey = (status: number): Step => posted({ name: 'ConformanceTestBbbb', categoryId: 3 }, error(status));
    expect(red(asked, seen, withKey(400), without(400))).toEqual([]);
    expect(red(asked, seen, withKey(400), without(403))).toEqual(asked);
    // Another operation, and a request that is wrong itself.
    expect(red(asked, seen, listed({}, error(400)), without(400))).toEqual(asked);
    expect(red(asked, seen, posted({}, error(400)), without(400))).toEqual(asked);
  });

  const asked = ['list.limit-accepted'];
  const limited = (limit: number, reply: Step['reply']): Step => listed({ limit }, reply);
  const plain = (reply: Step['reply']): Step => listed({}, reply);
  const wrong = error(418);

  test('a simpler request explains a rejection where it is the nearest, or where most of them are rejected', () => {
    expect(red(asked, plain(wrong), limited(7, wrong))).toEqual([]);
    expect(red(asked, limited(7, wrong), plain(wrong))).toEqual([]);
    expect(red(asked, plain(error(400)), limited(7, wrong))).toEqual(asked);
    expect(red(asked, plain(wrong), plain(FINE), limited(7, wrong), plain(FINE))).toEqual(asked);
    expect(red(asked, ...[1, 2, 3].map(() => plain(wrong)), plain(FINE), limited(7, wrong), plain(FINE))).toEqual([]);
  });

  test('any simpler request explains it where the very same GET is accepted at another time', () => {
    const around = [plain(wrong), plain(FINE), limited(7, wrong), plain(FINE)];
    expect(red(asked, ...around, limited(7, FINE))).toEqual([]);
    // Another limit that is right says nothing about this one.
    expect(red(asked, ...around, limited(8, FINE))).toEqual(asked);
  });
});
