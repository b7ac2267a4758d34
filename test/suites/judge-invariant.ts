import { expect, test } from 'vitest';
import type { StatedKind } from '../../src/clause/failure-kind.ts';
import { expectedStatuses } from '../../src/clause/failure-kind.ts';
import { eventOf, type Rule, worldOf } from '../../src/oracle/world.ts';
import type { RunState } from '../../src/session/state/run-state.ts';
import type { Exchange } from '../../src/wire/exchange.ts';
import { clauses } from '../../suites/index.ts';
import { knowledgeOf } from '../support/exchange-samples.ts';

/** What is found: words of the summary, the place in the body, and words of what was received and expected. */
type Broken = { readonly summary: string | RegExp; readonly pointer?: string; readonly received?: string; readonly expected?: string };

type Wanted = 'holds' | 'not-applicable' | Broken;

/** An exchange, or several in order, and the expected judgment on the last one; nothing is known before unless it is given. */
export type Row = readonly [name: string, exchanges: Exchange | readonly Exchange[], expected: Wanted, knowledge?: RunState];

export function broken(summary: string | RegExp, pointer?: string, words: Pick<Broken, 'received' | 'expected'> = {}): Broken {
  return { summary, ...(pointer === undefined ? {} : { pointer }), ...words };
}

/** The judgment of rules on the last of several exchanges: the first thing that is wrong, or else whether they hold. */
function judgeByRules(rules: readonly Rule[], exchanges: readonly Exchange[], knowledge: RunState) {
  const events = exchanges.map(eventOf);
  const last = events.at(-1);
  if (last === undefined) throw new Error('there is no exchange');
  const world = worldOf(events, knowledge);
  const said = rules.flatMap((rule) => {
    if (rule.judgeAll === undefined) return [rule.judge(last, world)];
    const own = rule.judgeAll(world).filter(({ event }) => event === last);
    return own.map(({ breach = 'holds' as const }) => breach);
  });
  const broken = said.find((one) => typeof one !== 'string');
  if (broken !== undefined) {
    // The symptom that breaches of several clauses share is only for the blame.
    const { symptom: _symptom, ...finding } = broken;
    return finding;
  }
  return said.find((one) => one === 'holds') ?? 'not-applicable';
}

/** The judgment of an invariant, or of all rules of a clause, on the last of several exchanges. */
export function judge(invariant: string, exchanges: readonly Exchange[], knowledge: RunState) {
  for (const { id: clause, invariants, rules } of clauses)
    if (clause === invariant || invariants.some(({ id }) => id === invariant)) return judgeByRules(rules, exchanges, knowledge);
  throw new Error(`there is no invariant ${invariant}`);
}

/** A rule names the kinds of a failure, without values, unless the expected statuses do. */
function expectKinds(kinds: readonly StatedKind[], expected: readonly string[]): void {
  if (kinds.length === 0) expect(expectedStatuses({ expected })).toBeDefined();
  for (const { place, expected: right, received = '' } of kinds) {
    const words = [place, received, ...(place === 'HTTP status' ? [] : [right])].join(' ');
    // These are words of the document.
    expect(words.replace(/\/v1|HTTP\/1|limit=20|int64|UTF-8/g, '')).not.toMatch(/\d/);
  }
}

/** One test per exchange: the judgment of the invariant. A finding names what was expected, and what was received. */
export function testInvariant(invariant: string, rows: readonly Row[]): void {
  for (const [name, exchanges, expected, knowledge = knowledgeOf()] of rows) {
    test(`${invariant} judges ${name}`, () => {
      const judgement = judge(invariant, [exchanges].flat(), knowledge);
      if (typeof expected === 'string') {
        expect(judgement).toBe(expected);
        return;
      }
      const { summary, pointer, received, expected: right = '' } = expected;
      // Which other exchanges show it, which one did it, and which animals are wrong, is only for readers.
      if (judgement === undefined || typeof judgement === 'string') throw new Error(`nothing is wrong: ${judgement}`);
      const { exchanges: _exchanges, origin: _origin, animals: _animals, failureKinds = [], ...said } = judgement;
      expectKinds(failureKinds, said.expected);
      expect(said).toEqual({
        summary: typeof summary === 'string' ? expect.stringContaining(summary) : expect.stringMatching(summary),
        expected: expect.arrayContaining([expect.stringContaining(right)]),
        received: received === undefined ? expect.stringMatching(/./) : expect.stringContaining(received),
        pointer,
      });
    });
  }
}
