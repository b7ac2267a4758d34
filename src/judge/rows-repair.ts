// Whether what a run has seen broken is repaired, as a later run says that sends the same rows again.

import { type ClauseId, isBinding } from '../clause/clause.ts';
import type { ClauseRecord } from '../clause/clause-record.ts';
import { type Again, type Judged, lackOf } from './rows-again.ts';

/** What a run of the rows of `againOf` says about each clause that was broken. */
export type Repair = {
  readonly repaired: readonly ClauseId[];
  readonly broken: readonly ClauseId[];
  /** Required and implied clauses that were not broken before. */
  readonly newlyBroken: readonly ClauseId[];
  readonly undecided: readonly Undecided[];
};
/** `hiddenBy`: it seems to hold, but for that broken clause. */
type Undecided = { readonly clause: ClauseId; readonly reason: string; readonly hiddenBy?: ClauseId };

/**
 * Whether what was broken holds now: only where the `must`s are met by which it was broken, in a store like the one of then, and where nothing else is
 * broken that may hide it, or be the same under another name. An advised clause that was broken then did not hide it.
 */
export function repairOf(again: readonly Again[], judged: Judged): Repair {
  const wereBroken = new Set(again.map(({ clause }) => clause));
  const failed = judged.verdicts.flatMap(({ clause, verdict }) => (verdict === 'fail' ? [clause] : []));
  const hiding = failed.find((clause) => isBinding(clause) || !wereBroken.has(clause.id))?.id;
  const told = again
    .filter(({ clause }) => !failed.some(({ id }) => id === clause))
    .map((one) => ({ clause: one.clause, ...openOf(one, judged, hiding) }));
  return {
    repaired: told.flatMap(({ clause, reason }) => (reason === undefined ? [clause] : [])),
    broken: failed.flatMap(({ id }) => (wereBroken.has(id) ? [id] : [])),
    newlyBroken: failed.flatMap((clause) => (isBinding(clause) && !wereBroken.has(clause.id) ? [clause.id] : [])),
    undecided: told.flatMap(({ reason, ...one }) => (reason === undefined ? [] : [{ ...one, reason }])),
  };
}

/** Why it is not known whether the clause holds; nothing if it does. */
function openOf(one: Again, judged: Judged, hiding: ClauseId | undefined): Partial<Pick<Undecided, 'reason' | 'hiddenBy'>> {
  const reason = lackOf(one, judged) ?? one.doubt;
  if (reason !== undefined) return { reason };
  return hiding === undefined ? {} : { reason: `${hiding} is broken, which may hide it`, hiddenBy: hiding };
}

/** The run is green: nothing is broken, and nothing that was is undecided. */
export const isRepaired = ({ broken, newlyBroken, undecided }: Repair): boolean =>
  broken.length + newlyBroken.length + undecided.length === 0;

/**
 * What the record of such a run has: the clauses that were broken, by the `must`s that these rows have to meet, and those that are broken now. What
 * fails still is sent again as before.
 */
export function recordsOfRepair(
  records: readonly ClauseRecord[],
  { again, repair }: { readonly again: readonly Again[]; readonly repair: Repair },
): readonly ClauseRecord[] {
  return records.flatMap((record): readonly ClauseRecord[] => {
    const before = again.find(({ clause }) => clause === record.id);
    if (before === undefined) return record.verdict === 'fail' ? [record] : [];
    const { clause: _clause, ...own } = before;
    if (record.verdict === 'fail') return [{ ...record, again: own }];
    const musts = record.musts.filter(({ title, verdict }) => own.musts.includes(title) || verdict !== 'inconclusive');
    const shown = { ...record, musts: musts.length === 0 ? record.musts : musts };
    const open = repair.undecided.find(({ clause }) => clause === record.id);
    if (open === undefined || record.verdict !== 'pass') return [shown];
    return [{ ...shown, verdict: 'inconclusive', why: 'choice', note: open.reason }];
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
