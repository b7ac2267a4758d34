import { describe, expect, test } from 'vitest';
import type { ClauseId } from '../../../src/clause/clause.ts';
import type { CasesByClause } from '../../../src/oracle/blame.ts';
import { type Event, eventOf, type Rule, worldOf } from '../../../src/oracle/world.ts';
import type { Exchange } from '../../../src/wire/exchange.ts';
import { knowledgeOf, listed, posted, RIGHT_KEY } from '../../support/exchange-samples.ts';
import { explainBy, isSimpler, type Model, ranksOf, vectorOf } from './ranks.ts';

const ruleAfter = (...after: readonly ClauseId[]): Rule => ({ layer: 'values', judge: () => 'holds', after });

describe('ranksOf', () => {
  test('is the longest way through what clauses come after', () => {
    const ranks = ranksOf([
      { id: 'get.durable', rules: [ruleAfter('list.unique', 'list.complete'), ruleAfter('get.identity')] },
      { id: 'list.complete', rules: [ruleAfter('list.unique')] },
      { id: 'list.unique', rules: [] },
      { id: 'get.identity', rules: [] },
    ]);
    expect(Object.fromEntries(ranks)).toEqual({ 'get.durable': 2, 'list.complete': 1, 'list.unique': 0, 'get.identity': 0 });
  });

  test('cuts cycles where they close, from the first clause on', () => {
    const ranks = ranksOf([
      { id: 'get.durable', rules: [ruleAfter('list.complete', 'get.durable')] },
      { id: 'list.complete', rules: [ruleAfter('get.durable', 'list.unique')] },
    ]);
    expect(Object.fromEntries(ranks)).toEqual({ 'get.durable': 2, 'list.complete': 1, 'list.unique': 0 });
  });
});

const vector = (exchange: Exchange) => vectorOf(eventOf(exchange), { usualKey: RIGHT_KEY.note, isKnown: true });
const OK = { status: 200, body: [] };

test.each<[string, Exchange, Exchange, boolean]>([
  ['without parameters', listed({}, OK), listed({ limit: 7 }, OK), true],
  ['with one of two parameters', listed({ status: 'sold' }, OK), listed({ limit: 7, status: 'sold' }, OK), true],
  ['with another value', listed({ limit: 8 }, OK), listed({ limit: 7, status: 'sold' }, OK), false],
  ['that is the same', listed({ limit: 7 }, OK), listed({ limit: 7 }, OK), false],
  ['with the API key', listed({}, OK), listed({}, OK, { credential: { note: 'no credential', standing: 'refused', headers: [] } }), true],
  [
    'that creates a plain animal',
    posted({ name: 'rex', categoryId: 1n }, OK),
    posted({ name: '', categoryId: 1n }, OK, { domain: 'invalid' }),
    true,
  ],
])('isSimpler: a request %s: %s', (_what, simpler, own, expected) => {
  expect(isSimpler(vector(simpler), vector(own))).toBe(expected);
});

describe('explainBy', () => {
  const rule: Rule = { layer: 'values', judge: () => 'holds' };
  const broken = (event: Event, pointer: string) => ({
    event,
    rule,
    breach: { summary: 'wrong', expected: ['right'], received: 'wrong', pointer },
  });
  const RANKS = new Map<ClauseId, number>([['get.durable', 1]]);

  function explanation(cases: CasesByClause, exchanges: readonly Exchange[], model: Model): ClauseId | undefined {
    const world = worldOf(exchanges.map(eventOf), knowledgeOf());
    return explainBy(model, RANKS)(cases, world).get('get.durable')?.[0]?.explainedBy;
  }

  test('ranks explain the higher by the lower on the same exchange: with any symptom, or with the same one', () => {
    const exchange = listed({}, OK);
    const event = eventOf(exchange);
    const beside = (pointer: string): CasesByClause =>
      new Map<ClauseId, ReturnType<typeof broken>[]>([
        ['get.durable', [broken(event, '/0/name')]],
        ['list.unique', [broken(event, pointer)]],
      ]);
    const by = (pointer: string, ranks: NonNullable<Model['ranks']>) => explanation(beside(pointer), [exchange], { name: 'test', ranks });
    expect(by('/3/name', 'same symptom')).toBe('list.unique');
    expect(by('/0/id', 'same symptom')).toBeUndefined();
    expect(by('/0/id', 'any symptom')).toBe('list.unique');
  });

  test('subsets explain by the nearest simpler request with the same symptom', () => {
    const [plain, limited] = [listed({}, OK), listed({ limit: 7 }, OK)];
    const told = (pointer: string): CasesByClause =>
      new Map<ClauseId, ReturnType<typeof broken>[]>([
        ['get.durable', [broken(eventOf(limited), '/0/name')]],
        ['list.unique', [broken(eventOf(plain), pointer)]],
      ]);
    const by = (pointer: string) => explanation(told(pointer), [plain, limited], { name: 'test', subsets: 'of any clause' });
    expect(by('/0/name')).toBe('list.unique');
    expect(by('/0/id')).toBeUndefined();
  });
});
