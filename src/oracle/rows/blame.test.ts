import { describe, expect, test } from 'vitest';
import { error, history, pet } from '../../../test/support/history.ts';
import { casesOf, explain } from './blame.ts';
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
  const all = explain(casesOf(clauses, world), world).get(clauses.at(-1)?.id ?? 'list.success') ?? [];
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
