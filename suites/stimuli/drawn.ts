import fc from 'fast-check';
import { Halt, haltInconclusive } from '../../src/clause/halt.ts';
import { eventOf, type Rule, worldOf } from '../../src/oracle/world.ts';
import type { Session } from '../../src/session/session.ts';
import type { Exchange } from '../../src/wire/exchange.ts';

export type Drawn<Value> = {
  /** Together with the run's seed, the name decides which values are drawn. */
  readonly name: string;
  readonly values: fc.Arbitrary<Value>;
  readonly batch: readonly [least: number, most: number];
  /** Batches of a standard run, which the session scales by depth and latency. */
  readonly planned: number;
  /** The maximum number of batches, at any depth (animals are permanent). */
  readonly most?: number;
  readonly shrinking: number;
  readonly send: (value: Value) => Promise<Exchange | readonly Exchange[]>;
  readonly rules: readonly Rule[];
};

/** A number derived from the run's seed and the name (FNV-1a), so that different names draw different values. */
export function seedOf(seed: number, name: string): number {
  let hash = 0x811c9dc5 ^ seed;
  for (const character of name) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return hash | 0;
}

/** Whether the exchanges of a batch, judged by themselves, break one of the rules. */
function isBroken(s: Session, rules: readonly Rule[], exchanges: readonly Exchange[]): boolean {
  const events = exchanges.map(eventOf);
  const world = worldOf(events, s.knowledge);
  return rules.some((rule) =>
    rule.judgeAll === undefined
      ? events.some((event) => typeof rule.judge(event, world) === 'object')
      : rule.judgeAll(world).some(({ breach }) => breach !== undefined),
  );
}

/**
 * Sends drawn values until a batch breaks a rule, then shrinks it: the shortest request that breaks the rule is among those sent. Halts if
 * not a single batch could be sent; exchanges before a budget ran out count.
 */
export async function sendDrawn<Value>(s: Session, drawn: Drawn<Value>): Promise<void> {
  const { name, values, batch, planned, most = Number.POSITIVE_INFINITY, shrinking, send, rules } = drawn;
  let sent = 0;
  let shrunk: number | undefined;
  let halt: Halt | undefined;
  const holds = async (all: readonly Value[]): Promise<boolean> => {
    if (shrunk !== undefined) shrunk += 1;
    if ((shrunk ?? 0) > shrinking || s.outOfTime()) return true;
    try {
      const exchanges = await s.all(all, send);
      sent += 1;
      if (!isBroken(s, rules, exchanges.flat())) return true;
      shrunk ??= 0;
      return false;
    } catch (error) {
      if (!(error instanceof Halt)) throw error;
      halt ??= error;
      return true;
    }
  };
  const [minLength, maxLength] = batch;
  const parameters = { numRuns: Math.min(s.cases(planned), most), seed: seedOf(s.options.seed, name) };
  const details = await fc.check(fc.asyncProperty(fc.array(values, { minLength, maxLength }), holds), parameters);
  // An exception is a bug in the suite: fast-check would swallow it, and the run would look green.
  if (details.failed && shrunk === undefined) throw details.errorInstance ?? new Error(`${name}: fast-check failed without a breach`);
  if (sent > 0) return;
  if (halt !== undefined) throw halt;
  haltInconclusive('the time budget was spent before anything was drawn', 'choice');
}
