import { describe, expect, test } from 'vitest';
import { limitMaximum } from '../../suites/list/limit-maximum.clause.ts';
import { knowledgeOf, listed } from '../../test/support/exchange-samples.ts';
import type { InvariantJudgement } from '../clause/clause.ts';
import type { Exchange } from '../index.ts';
import { type JudgedPart, judgeHistory } from '../oracle/oracle.ts';
import { eventOf, type Rule, type SessionClause } from '../oracle/world.ts';
import { defineClause, OwnClauseError } from './own-clause.ts';

const WORDING = {
  id: 'acme:list.rule',
  section: 'House rules, 1',
  level: 'required',
  requirement: 'Lists are short.',
  likelyCause: 'There are many animals.',
} as const;

/** Lists show at most this many animals. */
const atMost = (most: number, layer: Rule['layer'] = 'values'): Rule => ({
  layer,
  judge: ({ pets }) => {
    if (pets === undefined) return 'not-applicable';
    return pets.length <= most ? 'holds' : { summary: 'the list is long', expected: ['a short list'], received: `${pets.length} animals` };
  },
});

const PET = { id: 1n, name: 'rex', categoryId: 1n };
const TWO = listed({}, { status: 200, body: [PET, { ...PET, id: 2n }] });

function judge(clauses: readonly SessionClause[], exchanges: readonly Exchange[]): readonly JudgedPart[] {
  return judgeHistory(clauses, { events: exchanges.map(eventOf), known: knowledgeOf(), unsent: new Map() });
}

const verdicts = (parts: readonly JudgedPart[]) => parts.map(({ id, outcome }) => [id, outcome.kind]);

describe('a clause from outside', () => {
  test('with rules alone is one part, of every response that they judge', () => {
    const clause = defineClause({ ...WORDING, rules: [atMost(1)] });
    expect(verdicts(judge([clause], [TWO]))).toEqual([['acme:list.rule/every-response', 'fail']]);
    expect(clause.invariants).toMatchObject([{ title: 'Lists are short.' }]);
  });

  test('has a part for each of its kinds and invariants', () => {
    const clause = defineClause({
      ...WORDING,
      rules: [atMost(2)],
      sent: [
        {
          id: 'long',
          title: 'A long list is short',
          step: 'read',
          needs: ['pets'],
          send: ({ api }, { pets }) => api.list({ limit: pets.length }),
        },
      ],
      met: [{ id: 'empty', title: 'An empty list is short', cases: ({ event }) => event.pets?.length === 0 }],
      invariants: [{ id: 'law', title: 'A law', judge: () => 'holds' }],
    });
    expect(clause.checks).toMatchObject([{ id: 'acme:list.rule/long', needs: ['pets'], effect: 'read', smoke: false, exhaustive: false }]);
    expect(clause.invariants.map(({ id }) => id)).toEqual(['acme:list.rule/empty', 'acme:list.rule/law']);
    expect(verdicts(judge([clause], [TWO]))).toEqual([
      ['acme:list.rule/empty', 'not-applicable'],
      ['acme:list.rule/law', 'pass'],
    ]);
  });

  test('that is open records what its kinds observe', () => {
    const observe = () => [{ question: 'how long lists are', answer: 'short' }];
    const clause = defineClause({ ...WORDING, level: 'open', met: [{ id: 'lengths', title: 'Records the length', observe }] });
    expect(verdicts(judge([clause], [TWO]))).toEqual([['acme:list.rule/lengths', 'observed']]);
  });

  test('does not affect the clauses of the interface, whatever its layer', () => {
    const own = defineClause({ ...WORDING, rules: [atMost(0, 'transport')] });
    const tooLong = listed({ limit: 1 }, { status: 200, body: [PET, { ...PET, id: 2n }] });
    const broken = judge([own, limitMaximum], [tooLong]).filter(({ outcome }) => outcome.kind === 'fail');
    expect(broken.map(({ clause }) => clause.id)).toEqual(['acme:list.rule', 'list.limit-maximum']);
  });

  test('that throws has no verdict, and does not affect any other', () => {
    const broken = defineClause({
      ...WORDING,
      id: 'acme:list.thrower',
      rules: [
        {
          layer: 'values',
          judge: () => {
            throw new Error('not today');
          },
        },
      ],
    });
    const [thrown, other] = judge([broken, defineClause({ ...WORDING, rules: [atMost(2)] })], [TWO]);
    expect(thrown?.thrown).toEqual(new Error('not today'));
    expect(other?.outcome.kind).toBe('pass');
  });
});

/** The verdicts on a clause with these invariants. */
function judgeLaws(laws: Readonly<Record<string, (exchange: Exchange) => InvariantJudgement>>, exchanges: readonly Exchange[]) {
  const invariants = Object.entries(laws).map(([id, law]) => ({ id, title: id, judge: law }));
  const parts = judge([defineClause({ ...WORDING, rules: [atMost(2)], met: [{ id: 'all', title: 'All' }], invariants })], exchanges);
  return new Map(parts.map((part) => [part.id.slice(part.id.indexOf('/') + 1), part]));
}

describe('an invariant of a clause from outside', () => {
  const lists = Array.from({ length: 10 }, (_unused, index) => ({ ...TWO, number: index + 1 }));

  test('has the cases that it judges, and no other part has them', () => {
    const parts = judgeLaws(
      {
        odd: ({ number }) => (number % 2 === 1 ? { summary: `number ${number}`, expected: [], received: '' } : 'holds'),
        never: () => 'not-applicable',
      },
      lists,
    );
    expect(parts.get('odd')).toMatchObject({
      evidence: { judged: 10, broken: 5 },
      outcome: { findings: [{ summary: 'number 1' }, {}, {}, {}, {}] },
    });
    expect(parts.get('never')?.outcome.kind).toBe('not-applicable');
    expect(parts.get('all')).toMatchObject({ evidence: { judged: 10, broken: 0 }, outcome: { kind: 'pass' } });
  });

  test('judges each exchange once, with what is known then', () => {
    const asked: number[] = [];
    const clause = defineClause({
      ...WORDING,
      invariants: [{ id: 'law', title: 'law', judge: ({ number }) => (asked.push(number) > 0 ? 'holds' : 'not-applicable') }],
    });
    for (let time = 0; time < 3; time += 1) judge([clause], lists);
    expect(asked).toEqual(lists.map(({ number }) => number));
  });

  test('that throws has no verdict, and does not affect any other', () => {
    const parts = judgeLaws(
      {
        holds: () => 'holds',
        throws: () => {
          throw new Error('a defect of theirs');
        },
      },
      lists,
    );
    expect(parts.get('throws')).toMatchObject({ thrown: new Error('a defect of theirs') });
    expect([parts.get('holds'), parts.get('all')].map((part) => part?.outcome.kind)).toEqual(['pass', 'pass']);
  });
});

describe('defineClause says what is wrong with', () => {
  const send = async () => undefined;
  test.for<readonly [what: string, draft: object, message: string]>([
    ['checks', { checks: [] }, 'docs/own-clauses.md of this package shows under "Rewriting a clause that has checks"'],
    ['nothing that judges', {}, 'has neither rules nor invariants'],
    ['kinds without rules', { met: [{ id: 'every', title: 'Every' }] }, 'has no rules, so nothing judges the cases of "every"'],
    ['a malformed id of a part', { rules: [atMost(1)], met: [{ id: 'Every', title: 'Every' }] }, 'the part "Every" needs an id'],
    ['a rule that is none', { rules: [{ layer: 'values' }] }, 'rule 1 needs a function "judge" or "judgeAll"'],
    ['a layer that there is not', { rules: [atMost(1), { ...atMost(1), layer: 'body' }] }, 'rule 2 needs a "layer": transport,'],
    ['a clause that there is not', { rules: [{ ...atMost(1), after: ['list.sucess'] }] }, 'rule 1 names "list.sucess"'],
    ['a kind that does not send', { rules: [atMost(1)], sent: [{ id: 'long', step: 'read' }] }, '"long" needs a function "send"'],
    ['a step that there is not', { rules: [atMost(1)], sent: [{ id: 'long', step: 'first', send }] }, '"long" needs a "step": read,'],
    [
      'a need that there is not',
      { rules: [atMost(1)], sent: [{ id: 'long', step: 'read', needs: ['lists'], send }] },
      '"long" needs a list "needs" of pets, petList, readable or creation',
    ],
    ['an open clause with rules', { level: 'open', rules: [atMost(1)] }, 'is open, so it has no rules'],
    ['an open clause that observes nothing', { level: 'open', met: [{ id: 'every' }] }, '"every" needs a function "observe"'],
  ])('%s', ([, draft, message]) => {
    const define = () => defineClause({ ...WORDING, ...draft } as unknown as Parameters<typeof defineClause>[0]);
    expect(define).toThrow(OwnClauseError);
    expect(define).toThrow(message);
  });
});
