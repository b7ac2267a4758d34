import type { ClauseId } from '../clause/clause.ts';
import type { Why } from '../clause/outcome.ts';
import type { RunRecord } from '../clause/run-record.ts';
import { type Judged, withVerdict } from './tally.ts';
import { oneLine, thousands } from './text.ts';

/** Checks that could not be judged for one reason: a broken clause, or the same text. */
export type InconclusiveGroup = {
  readonly waitsFor: ClauseId | undefined;
  readonly why: Why | undefined;
  /** What was missing, for the first of them. */
  readonly reason: string;
  readonly judged: readonly Judged[];
};

/** `3 of 7: …`: how many rows of a table were left says nothing about the reason. */
const SHARE = /^\d+ of \d+: /;

/** The inconclusive checks of a run by reason, the largest group first. */
export function inconclusiveGroups(record: RunRecord): readonly InconclusiveGroup[] {
  const groups = Map.groupBy(
    withVerdict(record, 'inconclusive'),
    ({ check }) => check.blockedBy ?? `${check.why ?? ''} ${check.note.replace(SHARE, '')}`,
  );
  return [...groups.values()]
    .map((judged) => {
      const check = judged[0]?.check;
      return { waitsFor: check?.blockedBy, why: check?.why, reason: oneLine((check?.note ?? '').replace(SHARE, ''), 300), judged };
    })
    .toSorted((left, right) => right.judged.length - left.judged.length);
}

/** `36 checks wait for errors.shape`, or how many checks and why. A single check is named. */
export function describeGroup({ waitsFor, reason, judged }: InconclusiveGroup): string {
  const [first] = judged;
  const alone = judged.length === 1 && first !== undefined;
  const who = alone ? first.check.id : `${thousands(judged.length)} checks`;
  // The ids come from a file that may come from anywhere.
  return oneLine(waitsFor === undefined ? `${who}: ${reason}` : `${who} ${alone ? 'waits' : 'wait'} for ${waitsFor}`);
}
