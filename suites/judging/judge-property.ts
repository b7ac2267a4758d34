import fc from 'fast-check';
import { Halt, inconclusive, pass } from '../../src/clause/halt.ts';
import type { Finding, Outcome } from '../../src/clause/outcome.ts';
import type { Session } from '../../src/session/session.ts';
import { seedOf } from '../stimuli/drawn.ts';
import { combineRows, judgeRow, type RowFindings } from './judge-rows.ts';

export type Property<Value> = {
  /** Names the property; together with the run's seed, it decides which cases are drawn. */
  readonly name: string;
  readonly cases: fc.Arbitrary<Value>;
  /** Cases of a standard run; the session scales them by depth and latency. */
  readonly planned: number;
  /** Cases at most, at any depth (animals are permanent). */
  readonly most?: number;
  /** Cases sent at most to shrink a failure. */
  readonly shrinking?: number;
  /** Cases judged at a time, where no case changes what another one expects; one, unless said otherwise. Which cases are drawn is the same. */
  readonly atATime?: number;
  readonly law: (value: Value) => Promise<RowFindings>;
  /** Completes "N cases: …". */
  readonly evidence: string;
};

const SHRINKING = 40;

/** The cases so far; the last failure is the smallest, because fast-check continues from failures only. */
type Tally = { judged: number; halted: Outcome | undefined; shrinking: number; failedIn: number | undefined; smallest: readonly Finding[] };

function outcomeOf(tally: Tally, evidence: string): Outcome {
  if (tally.smallest.length > 0) return combineRows([{ findings: tally.smallest, halted: undefined }], evidence);
  const { halted } = tally;
  // What was judged before a budget ran out still counts; with a defect of another clause it does not.
  if (halted !== undefined && (tally.judged === 0 || (halted.kind === 'inconclusive' && halted.why === 'waits'))) return halted;
  if (tally.judged === 0) return inconclusive('the time budget was spent before the first case', 'choice');
  return pass(`${tally.judged} cases: ${evidence}`);
}

/** One of so many lanes in which cases are judged, counted from 0: of the cases drawn, it judges those whose place leaves that remainder. */
type Lane = { readonly lane: number; readonly of: number; readonly tally: Tally };

/** Judges the cases of a lane until one of any lane fails, which is shrunk in its own lane. */
async function judgeLane<Value>(s: Session, property: Property<Value>, { lane, of, tally }: Lane): Promise<void> {
  let drawn = 0;
  // While it shrinks, fast-check draws nothing.
  const drawsForUs = (): boolean => {
    if (tally.failedIn !== undefined) return tally.failedIn === lane;
    drawn += 1;
    return (drawn - 1) % of === lane;
  };
  const predicate = async (value: Value): Promise<boolean> => {
    if (!drawsForUs()) return true;
    if (tally.failedIn === lane) tally.shrinking += 1;
    if (tally.shrinking > (property.shrinking ?? SHRINKING) || s.outOfTime()) return true;
    const { findings, halted } = await judgeRow(() => property.law(value));
    if (findings.length > 0) {
      // Of two lanes that fail at the same time, one is shrunk.
      tally.failedIn ??= lane;
      if (tally.failedIn !== lane) return true;
      tally.smallest = findings;
      return false;
    }
    if (halted === undefined) tally.judged += 1;
    else tally.halted ??= halted;
    return true;
  };
  const numRuns = Math.min(s.cases(property.planned), property.most ?? Number.POSITIVE_INFINITY);
  const details = await fc.check(fc.asyncProperty(property.cases, predicate), { numRuns, seed: seedOf(s.options.seed, property.name) });
  // An exception is a bug of ours: fast-check would swallow it, and the run would look green.
  if (details.failed && tally.failedIn !== lane)
    throw details.errorInstance ?? new Error(`judge ${property.name}: fast-check failed without a case`);
}

/**
 * Judges a law on generated cases. A failing case is shrunk with at most `shrinking` more cases, and its findings show the
 * exchanges of the smallest one. Cases stopped by another clause's defect make the property inconclusive, not failed.
 */
export async function judgeProperty<Value>(s: Session, property: Property<Value>): Promise<Outcome> {
  const tally: Tally = { judged: 0, halted: undefined, shrinking: 0, failedIn: undefined, smallest: [] };
  const of = Math.min(property.atATime ?? 1, s.options.concurrency);
  await s.all([...Array(of).keys()], (lane) => judgeLane(s, property, { lane, of, tally }));
  return outcomeOf(tally, property.evidence);
}

/** Sends generated cases for the rules of a clause, until one breaks the law, which is shrunk. Halts where not all of them could be sent. */
export async function sendProperty<Value>(s: Session, property: Property<Value>): Promise<void> {
  const outcome = await judgeProperty(s, property);
  if (outcome.kind === 'inconclusive') throw new Halt(outcome);
}
