import { expect, test } from 'vitest';
import type { RunState } from '../../src/session/state/run-state.ts';
import type { Exchange } from '../../src/wire/exchange.ts';
import { clauses } from '../../suites/index.ts';
import { knowledgeOf } from '../exchange-samples.ts';

/** What is found: words of the summary, where in the body, and words of what came and of what was wanted. */
type Broken = { readonly summary: string | RegExp; readonly pointer?: string; readonly received?: string; readonly expected?: string };

type Wanted = 'holds' | 'not-applicable' | Broken;

/** An exchange, or several in their order, and what is said of the last; nothing is known before unless it is told. */
export type Row = readonly [name: string, exchanges: Exchange | readonly Exchange[], expected: Wanted, knowledge?: RunState];

export function broken(summary: string | RegExp, pointer?: string, words: Pick<Broken, 'received' | 'expected'> = {}): Broken {
  return { summary, ...(pointer === undefined ? {} : { pointer }), ...words };
}

/** What an invariant says of the last of several exchanges. */
export function judge(invariant: string, exchanges: readonly Exchange[], knowledge: RunState) {
  const law = clauses.flatMap(({ invariants }) => invariants).find(({ id }) => id === invariant);
  if (law === undefined) throw new Error(`there is no invariant ${invariant}`);
  return exchanges.map((exchange) => law.judge(exchange, knowledge)).at(-1);
}

/** One test an exchange: what the invariant says of it. A finding names what would have been right, and what came. */
export function testInvariant(invariant: string, rows: readonly Row[]): void {
  for (const [name, exchanges, expected, knowledge = knowledgeOf()] of rows) {
    test(`${invariant} judges ${name}`, () => {
      const judgement = judge(invariant, [exchanges].flat(), knowledge);
      if (typeof expected === 'string') {
        expect(judgement).toBe(expected);
        return;
      }
      const { summary, pointer, received, expected: right = '' } = expected;
      expect(judgement).toEqual({
        summary: typeof summary === 'string' ? expect.stringContaining(summary) : expect.stringMatching(summary),
        expected: expect.arrayContaining([expect.stringContaining(right)]),
        received: received === undefined ? expect.stringMatching(/./) : expect.stringContaining(received),
        pointer,
      });
    });
  }
}
