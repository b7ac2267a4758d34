// What is broken is repeated at the end of a run, by the requests that a later run sends: only what these show each time can be seen to be repaired.

import type { ReportedAgain } from '../clause/clause-record.ts';
import { casesOf } from '../oracle/blame.ts';
import type { Exchange } from '../oracle/exchange.ts';
import type { Clause } from '../oracle/rule.ts';
import type { World } from '../oracle/world.ts';
import type { Choice, Plan, StoreState } from '../plan/choose.ts';
import { type Group, type Row, vectorsOf } from '../plan/row.ts';
import type { Sent, Vector } from '../session/vector.ts';
import { type Again, judgePart, NOT_EACH_TIME, NOT_REPEATED, whyUntold } from './again.ts';

/** What a run sends for what was broken: what every such run begins with, and the rest. */
export type AgainPlan = {
  readonly opening: readonly Vector[];
  readonly planOf: (again: readonly ReportedAgain[]) => (found: StoreState, choice: Choice) => Plan;
};

export type Repetition = {
  readonly vectorOf: (sent: Sent) => Vector | undefined;
  readonly groupOf: (sent: Sent) => Group | undefined;
  readonly clauses: readonly Clause[];
  readonly now: () => World;
  /** All that a later run sends for these clauses. */
  readonly rowsFor: (some: readonly Again[]) => readonly Row[];
  readonly mostRequests: number;
  readonly send: (rows: readonly Row[]) => Promise<unknown>;
};

/** What is created is read and listed too. */
const REQUESTS_OF_CREATION = 4;

type RepetitionResult = { readonly isShown: boolean; readonly seemsToHold: boolean; readonly met: readonly string[] };

/** Repeats what was broken, as far as that is not too much, and clears the doubt about what no repetition lets pass. */
export async function repeatBrokenRows(all: readonly Again[], rehearsal: Repetition): Promise<readonly Again[]> {
  const { clauses, now, rowsFor, send } = rehearsal;
  const taken = withinBounds(all, rehearsal);
  if (taken.length === 0) return all;
  const before = now().all.length;
  const rows = rowsFor(taken);
  await send(rows);
  const world = now();
  const turns = firstAndSecondTime(world.all.slice(before), rows, rehearsal);
  const tellings = turns.map((turn): ((one: Again) => RepetitionResult) => {
    const judged = judgePart(turn, clauses, world);
    const cases = casesOf(clauses, judged.world);
    return (one) => {
      const own = cases.get(one.clause) ?? [];
      const must = clauses.find(({ id }) => id === one.clause)?.must ?? [];
      return {
        isShown: own.some(({ breach }) => breach !== undefined),
        seemsToHold: whyUntold(one, judged) === undefined,
        met: must.filter(({ meets }) => own.some((each) => meets(each, judged.world))).map(({ title }) => title),
      };
    };
  });
  return all.map((one) => {
    if (!taken.includes(one)) return one;
    const told = tellings.map((tell) => tell(one));
    const { doubt, ...certain } = one;
    // What came about by chance in the run, such as requests at the same time, need not be met again.
    if (told.every(({ isShown }) => isShown))
      return { ...certain, musts: one.musts.filter((title) => told.every(({ met }) => met.includes(title))) };
    // The store may have been filled by the run itself: what does not tell now does not tell in a later run either, unless it finds another store.
    const isTold = told.some(({ isShown, seemsToHold }) => !isShown && seemsToHold);
    return isTold || doubt !== NOT_REPEATED ? { ...certain, doubt: NOT_EACH_TIME } : certain;
  });
}

/** Those for which the fewest requests are sent, until there are too many. */
function withinBounds(all: readonly Again[], { rowsFor, mostRequests }: Repetition): readonly Again[] {
  const costOf = (some: readonly Again[]): number =>
    rowsFor(some)
      .flatMap(vectorsOf)
      .reduce((sum, { op }) => sum + (op === 'create' ? REQUESTS_OF_CREATION : 1), 0);
  const taken: Again[] = [];
  for (const one of all.toSorted((a, b) => costOf([a]) - costOf([b]))) if (costOf([...taken, one]) <= mostRequests) taken.push(one);
  return taken;
}

/** What was sent twice, once: the first and the second time. What was sent once is in both. */
function firstAndSecondTime(
  exchanges: readonly Exchange[],
  rows: readonly Row[],
  { vectorOf, groupOf }: Pick<Repetition, 'vectorOf' | 'groupOf'>,
): readonly (readonly Exchange[])[] {
  const twice = new Set(rows.filter((row, index) => rows[index - 1] === row));
  const rowOf = ({ sent }: Exchange): Row | undefined => groupOf(sent) ?? vectorOf(sent);
  const byRow = Map.groupBy(new Set(exchanges.map(({ sent }) => sent)), (sent) => groupOf(sent) ?? vectorOf(sent));
  const isIn = (one: Exchange, turn: number): boolean => {
    const row = rowOf(one);
    if (row === undefined || !twice.has(row)) return true;
    const all = byRow.get(row) ?? [];
    return Math.floor((2 * all.indexOf(one.sent)) / all.length) === turn;
  };
  return [0, 1].map((turn) => exchanges.filter((one) => isIn(one, turn)));
}
