// Whether what a run has seen broken is repaired, as a later run says that sends the same rows again.

import { type ClauseId, isBinding } from '../clause/clause.ts';
import type { ClauseRecord, ReportedAgain } from '../clause/clause-record.ts';

/** What a run of the rows of `againOf` says about each clause that was broken. */
export type Repair = {
  readonly repaired: readonly ClauseId[];
  readonly broken: readonly ClauseId[];
  /** Required and implied clauses that were not broken before. */
  readonly newlyBroken: readonly ClauseId[];
  readonly undecided: readonly Undecided[];
};
/** `hiddenBy`: it seems to hold, but for that broken clause. */
export type Undecided = { readonly clause: ClauseId; readonly reason: string; readonly hiddenBy?: ClauseId };

/** The run is green: nothing is broken, and nothing that was is undecided. */
export const isRepaired = ({ broken, newlyBroken, undecided }: Repair): boolean =>
  broken.length + newlyBroken.length + undecided.length === 0;

/**
 * What is sent again for a clause that is broken still: the same as before, and without the doubt of then if this run has seen it broken each time, by
 * requests that are then sent too.
 */
function stillBroken(before: ReportedAgain, now: ReportedAgain | undefined): ReportedAgain {
  const { doubt, ...certain } = before;
  if (doubt === undefined || now === undefined || now.doubt !== undefined) return before;
  const known = new Set(before.rows.map((row) => JSON.stringify(row)));
  return {
    ...now,
    ...certain,
    rows: [...before.rows, ...now.rows.filter((row) => !known.has(JSON.stringify(row)))],
    musts: [...new Set([...before.musts, ...now.musts])],
  };
}

/**
 * What the record of such a run has: the clauses that were broken, by the `must`s that these rows have to meet, and those that are broken now. What
 * is not repaired is sent again.
 */
export function recordsOfRepair(
  records: readonly ClauseRecord[],
  { again, repair }: { readonly again: readonly ({ readonly clause: ClauseId } & ReportedAgain)[]; readonly repair: Repair },
): readonly ClauseRecord[] {
  return records.flatMap((record): readonly ClauseRecord[] => {
    const before = again.find(({ clause }) => clause === record.id);
    if (before === undefined) return record.verdict === 'fail' ? [record] : [];
    const { clause: _clause, ...own } = before;
    const musts = record.musts.filter(({ title, verdict }) => own.musts.includes(title) || verdict !== 'inconclusive');
    const shown = { ...record, musts: musts.length === 0 ? record.musts : musts };
    if (record.verdict === 'fail') return [{ ...shown, again: stillBroken(own, record.again) }];
    const open = repair.undecided.find(({ clause }) => clause === record.id);
    if (open === undefined) return [shown];
    if (record.verdict !== 'pass') return [{ ...shown, again: own }];
    const { reason: note, hiddenBy } = open;
    const lack = hiddenBy === undefined ? ({ why: 'choice' } as const) : ({ why: 'waits', blockedBy: hiddenBy } as const);
    return [{ ...shown, verdict: 'inconclusive', ...lack, note, again: own }];
  });
}

/** What decides the exit code. */
type Deciding = { readonly clauses: readonly Pick<ClauseRecord, 'id' | 'verdict' | 'level' | 'newer'>[]; readonly strict: boolean };

/** In words, of the clauses that were broken: what holds, what fails still, and of which it is not known, each of these with the reason. */
export function repairText({ repaired, broken, undecided }: Repair, { clauses, strict }: Deciding) {
  const of = repaired.length + broken.length + undecided.length;
  const byId = new Map(clauses.map((one) => [one.id, one]));
  const decides = (one: Deciding['clauses'][number] | undefined): boolean =>
    one === undefined || ((strict || isBinding(one)) && one.newer !== true);
  const isHidden = ({ hiddenBy }: Undecided): boolean => hiddenBy === undefined || byId.get(hiddenBy)?.verdict !== 'waived';
  const open = undecided.filter(isHidden);
  const deciding = open.filter(({ clause }) => decides(byId.get(clause)));
  const still = broken.filter((id) => byId.get(id)?.verdict === 'fail').length;
  const say = (count: number, [one, several]: readonly [string, string]): string => {
    if (of === 1) return `the clause that failed then ${one}`;
    return `${count === of ? '' : `${count} of `}the ${of} clauses that failed then ${count === 1 ? one : several}`;
  };
  return {
    open: deciding,
    holds: say(of - broken.length - open.length, ['holds now', 'hold now']),
    fails: still === 0 ? 'what failed then was not seen to fail again' : say(still, ['fails still', 'fail still']),
    undecided: `it is undecided whether ${say(deciding.length, ['holds now', 'hold now'])}; run the whole suite`,
  };
}
