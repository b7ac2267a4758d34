// How many clauses of a run were judged, and why the others were not.

import type { Why } from './outcome.ts';
import type { CheckRecord, ClauseRecord } from './run-record.ts';

type Clauses = readonly Pick<ClauseRecord, 'id' | 'verdict'>[];
type Checks = readonly Pick<CheckRecord, 'clause' | 'verdict' | 'why'>[];

/** The most informative reason first, for clauses whose parts have several. */
const URGENCY: readonly Why[] = ['service', 'waits', 'circumstance', 'choice'];

export type ClauseCounts = {
  readonly all: number;
  readonly judged: number;
  readonly notApplicable: number;
  readonly undecided: number;
  readonly by: Readonly<Record<Why, number>>;
};

export function countClauses(clauses: Clauses, checks: Checks): ClauseCounts {
  const open = clauses.filter(({ verdict }) => verdict === 'inconclusive');
  const by: Record<Why, number> = { service: 0, choice: 0, circumstance: 0, waits: 0 };
  for (const { id } of open) {
    const whys = checks.filter(({ clause, verdict }) => clause === id && verdict === 'inconclusive').map(({ why }) => why);
    by[URGENCY.find((why) => whys.includes(why)) ?? 'circumstance'] += 1;
  }
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
