import type { Level } from '../clause/clause.ts';
import type { Why } from '../clause/outcome.ts';
import type { CheckRecord, ClauseRecord } from '../clause/run-record.ts';

type Clauses = readonly Pick<ClauseRecord, 'id' | 'level' | 'verdict'>[];
type Checks = readonly Pick<CheckRecord, 'id' | 'clause' | 'verdict' | 'why' | 'blockedBy'>[];

const BINDING: readonly Level[] = ['required', 'implied'];

/** Whether a broken clause of that level fails the run. */
export function isBinding({ level }: { readonly level: Level }): boolean {
  return BINDING.includes(level);
}

/** The divisor for the selection that may be undecided because of the service: one in ten. */
const TOLERATED = 10;

/** Parts of required and implied clauses that are undecided because of the service, and whether these are too many. */
export function undecidedByService(clauses: Clauses, checks: Checks) {
  const binding = new Set<string>(clauses.filter(isBinding).map(({ id }) => id));
  const parts = checks.filter(({ clause }) => binding.has(clause));
  const undecided = parts.filter(({ verdict, why }) => verdict === 'inconclusive' && why === 'service');
  return { undecided: undecided.length, of: parts.length, tooMany: undecided.length * TOLERATED > parts.length };
}

/** The most informative reason first, for clauses whose parts have several. */
const URGENCY: readonly Why[] = ['service', 'waits', 'circumstance', 'choice'];

export type ClauseCounts = {
  readonly all: number;
  readonly judged: number;
  readonly notApplicable: number;
  readonly undecided: number;
  readonly by: Readonly<Record<Why, number>>;
};

/** How many clauses were judged, and why the others were not. */
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

/** Checks and invariants that wait for a waived clause. */
export function hiddenByWaivers(clauses: Clauses, checks: Checks): number {
  const waived = new Set<string>(clauses.filter(({ verdict }) => verdict === 'waived').map(({ id }) => id));
  return checks.filter(({ verdict, blockedBy }) => verdict === 'inconclusive' && blockedBy !== undefined && waived.has(blockedBy)).length;
}
