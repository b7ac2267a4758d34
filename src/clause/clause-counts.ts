// How many clauses of a run were judged, and why the others were not.

import type { ClauseRecord } from './clause-record.ts';
import type { Verdict, Why } from './outcome.ts';
import type { RunRecord, Share } from './run-record.ts';

/** The most informative reason first, for clauses whose musts have several. */
export const WHYS_BY_URGENCY: readonly Why[] = ['service', 'waits', 'circumstance', 'choice'];

function shareOf(items: readonly { readonly verdict: Verdict }[]): Share {
  return { judged: items.filter(({ verdict }) => verdict !== 'inconclusive').length, of: items.length };
}

export function judgedShares(clauses: readonly Pick<ClauseRecord, 'verdict' | 'musts'>[]): RunRecord['judged'] {
  return { clauses: shareOf(clauses), musts: shareOf(clauses.flatMap(({ musts }) => musts)) };
}

export type ClauseCounts = {
  readonly all: number;
  readonly judged: number;
  readonly notApplicable: number;
  readonly undecided: number;
  readonly by: Readonly<Record<Why, number>>;
};

export function countClauses(clauses: readonly Pick<ClauseRecord, 'verdict' | 'why'>[]): ClauseCounts {
  const open = clauses.filter(({ verdict }) => verdict === 'inconclusive');
  const by: Record<Why, number> = { service: 0, choice: 0, circumstance: 0, waits: 0 };
  for (const { why = 'circumstance' } of open) by[why] += 1;
  const notApplicable = clauses.filter(({ verdict }) => verdict === 'not-applicable').length;
  return { all: clauses.length, judged: clauses.length - open.length - notApplicable, notApplicable, undecided: open.length, by };
}

/** `79 of 80 clauses judged, 1 not applicable`; `79 of 80 clauses, 1 not applicable` if "judged" was said before. */
export function clausesText({ all, judged, notApplicable, by }: ClauseCounts, said = ' judged'): string {
  const rest = [
    [notApplicable, 'not applicable'],
    [by.choice, 'left out by choice'],
    [by.circumstance, 'undecided by circumstance'],
    [by.service, 'undecided because of the service'],
    [by.waits, 'waiting for others'],
  ] as const;
  const clauses = `${all.toLocaleString('en-US')} clause${all === 1 ? '' : 's'}`;
  return [`${judged} of ${clauses}${said}`, ...rest.flatMap(([count, what]) => (count === 0 ? [] : [`${count} ${what}`]))].join(', ');
}
